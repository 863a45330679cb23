// Kernels of one's own, with a type of their own, for programs run by
// `bef_executor --shared_libs=libcustom_kernels.so`. docs/kernel_authoring.md explains each of
// them.

#include <cstdint>
#include <cstdio>
#include <numeric>

#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"

namespace {

using tfrt::Argument;
using tfrt::AsyncValueRef;
using tfrt::Attribute;
using tfrt::Chain;
using tfrt::ExecutionContext;
using tfrt::StatusOr;

// The type of the kernels' values; programs call it what they like, here !example.fraction.
struct Fraction {
  int32_t numerator;
  int32_t denominator;
};

// Two attributes, in the alphabetical order of their names; an error when they make no sense.
StatusOr<Fraction> Constant(Attribute<int32_t> denominator, Attribute<int32_t> numerator) {
  if (*denominator <= 0) {
    return tfrt::InvalidArgumentError(
        tfrt::StrCat("denominator must be positive, but is ", *denominator));
  }
  return Fraction{*numerator, *denominator};
}

Fraction Reduced(const Fraction& a) {
  int32_t divisor = std::gcd(a.numerator, a.denominator);
  return {a.numerator / divisor, a.denominator / divisor};
}

Fraction Multiply(const Fraction& a, const Fraction& b) {
  return Reduced({a.numerator * b.numerator, a.denominator * b.denominator});
}

// The result comes later: a task makes it available. The task keeps its argument alive.
AsyncValueRef<Fraction> ReduceLater(Argument<Fraction> a, const ExecutionContext& exec_ctx) {
  return tfrt::EnqueueWork(exec_ctx, [a = a.TypedRef()] { return Reduced(*a); });
}

// An effect: takes a chain operand to be ordered by, returns one to order others.
Chain Print(const Fraction& a, Argument<Chain>) {
  std::printf("%d/%d\n", a.numerator, a.denominator);
  std::fflush(stdout);
  return {};
}

}  // namespace

extern "C" __attribute__((visibility("default"))) void RegisterKernels(
    tfrt::KernelRegistry* registry) {
  registry->AddKernel("example.fraction.constant", TFRT_KERNEL(Constant));
  registry->AddKernel("example.fraction.multiply", TFRT_KERNEL(Multiply),
                      tfrt::KernelFlags::kOrderFree);
  registry->AddKernel("example.fraction.reduce_later", TFRT_KERNEL(ReduceLater));
  registry->AddKernel("example.fraction.print", TFRT_KERNEL(Print));
}
