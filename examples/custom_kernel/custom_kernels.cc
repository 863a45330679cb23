// Kernels of one's own, with a type of their own, for programs run by
// `bef_executor --shared_libs=libcustom_kernels.so`, or tfrt_run. docs/kernel_authoring.md explains
// each of them.

#include <cstdint>
#include <cstdio>
#include <numeric>

#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace {

using tfrt::Argument;
using tfrt::AsyncValueRef;
using tfrt::Attribute;
using tfrt::Chain;
using tfrt::DenseHostTensor;
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

// A tensor in, a new one out: of a model's, with `tfrt_run --shared_libs`, or of a program's.
StatusOr<DenseHostTensor> Halve(const DenseHostTensor& a, const ExecutionContext& exec_ctx) {
  if (a.dtype() != tfrt::DType::kF32) {
    return tfrt::InvalidArgumentError("only numbers of f32 are halved");
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor half, DenseHostTensor::CreateUninitialized(
                                                  a.metadata(), exec_ctx.host()->allocator()));
  const auto* from = static_cast<const float*>(a.data());
  auto* to = static_cast<float*>(half.buffer()->data());
  for (int64_t i = 0; i < a.num_elements(); ++i) to[i] = from[i] / 2;
  return half;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) void RegisterKernels(
    tfrt::KernelRegistry* registry) {
  registry->AddKernel("example.fraction.constant", TFRT_KERNEL(Constant));
  registry->AddKernel("example.fraction.multiply", TFRT_KERNEL(Multiply),
                      tfrt::KernelFlags::kOrderFree);
  registry->AddKernel("example.fraction.reduce_later", TFRT_KERNEL(ReduceLater));
  registry->AddKernel("example.fraction.print", TFRT_KERNEL(Print));
  registry->AddKernel("example.tensor.halve", TFRT_KERNEL(Halve));
}
