// tfrt_cpu.reduce_*, tfrt_cpu.argmax.

#include <cstdint>
#include <string>

#include "kernel_groups.h"
#include "lib/ops/maths/tensor/reduction.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

using cpu::ReduceOp;
using maths::Completion;

template <typename T, ReduceOp op>
Completion Reduce(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
                  ArrayAttribute<int64_t> axes, Attribute<bool> keep_dims,
                  const ExecutionContext& exec_ctx) {
  return maths::Reduce<T>(op, in, axes.span(), *keep_dims, out, exec_ctx);
}

// The output is i32 or i64.
template <typename T>
Completion Argmax(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
                  Attribute<int64_t> axis, const ExecutionContext& exec_ctx) {
  return maths::Argmax<T>(in, *axis, out, exec_ctx);
}

template <ReduceOp op>
void RegisterReduce(KernelRegistry* registry) {
  std::string name = StrCat("tfrt_cpu.", Name(op));
  registry->AddKernel(name + ".f32", TFRT_KERNEL(Reduce<float, op>));
  if constexpr (op != ReduceOp::kMean) {
    registry->AddKernel(name + ".i32", TFRT_KERNEL(Reduce<int32_t, op>));
  }
}

}  // namespace

void RegisterCpuReductionKernels(KernelRegistry* registry) {
  RegisterReduce<ReduceOp::kSum>(registry);
  RegisterReduce<ReduceOp::kMean>(registry);
  RegisterReduce<ReduceOp::kMax>(registry);
  RegisterReduce<ReduceOp::kMin>(registry);
  registry->AddKernel("tfrt_cpu.argmax.f32", TFRT_KERNEL(Argmax<float>));
  registry->AddKernel("tfrt_cpu.argmax.i32", TFRT_KERNEL(Argmax<int32_t>));
}

}  // namespace tfrt
