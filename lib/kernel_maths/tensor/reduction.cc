// tfrt_cpu.reduce_*, tfrt_cpu.argmax.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "kernel_groups.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/kernel_maths/cpu/parallel_blocks.h"
#include "tfrt/kernel_maths/cpu/reduce.h"
#include "tfrt/kernel_maths/operand_checks.h"
#include "tfrt/kernel_maths/shape_functions.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

using cpu::ReduceOp;

template <typename T>
CpuResult RunReduce(ReduceOp op, const DenseHostTensor& in, std::span<const size_t> axes,
                    DenseHostTensor& out, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(auto x, DenseView<T>::Create(in, "the input"));
  TFRT_ASSIGN_OR_RETURN(auto y, MutableDenseView<T>::Create(out, "the output"));
  if (y.size() == 0) return GetReadyChain();
  if (x.size() == 0) {
    if (op == ReduceOp::kMax || op == ReduceOp::kMin) {
      return InvalidArgumentError(
          StrCat(Name(op), ": no elements to choose from in the shape ", in.shape().ToString()));
    }
    T nothing = op == ReduceOp::kSum ? T(0) : std::numeric_limits<T>::quiet_NaN();
    std::ranges::fill(y.elements(), nothing);
    return GetReadyChain();
  }
  cpu::ReducePlan plan(in.shape(), axes);
  size_t units = plan.num_units();
  size_t block = ItemsPerBlock(plan.unit_cost() * sizeof(T));
  return RunBlocks(exec_ctx, units, block, {&in, &out},
                   [op, plan = std::move(plan), x = x.data(), y = y.data()](
                       size_t begin, size_t end) { cpu::Reduce(op, plan, x, y, begin, end); });
}

template <typename T, ReduceOp op>
CpuResult Reduce(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
                 ArrayAttribute<int64_t> axes, Attribute<bool> keep_dims,
                 const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, ReduceShape(in.shape(), axes.span(), *keep_dims));
  TFRT_ASSIGN_OR_RETURN(auto reduced, NormalizeAxes(axes.span(), in.shape()));
  TFRT_RETURN_IF_ERROR(CheckOutputShape(Name(op), out, shape));
  TFRT_RETURN_IF_ERROR(CheckApart(Name(op), out, {&in}));
  return RunReduce<T>(op, in, reduced, out, exec_ctx);
}

template <ReduceOp op>
void RegisterReduce(KernelRegistry* registry) {
  std::string name = StrCat("tfrt_cpu.", Name(op));
  registry->AddKernel(name + ".f32", TFRT_KERNEL(Reduce<float, op>));
  if constexpr (op != ReduceOp::kMean) {
    registry->AddKernel(name + ".i32", TFRT_KERNEL(Reduce<int32_t, op>));
  }
}

template <typename T, typename Index>
CpuResult RunArgmax(const DenseHostTensor& in, size_t axis, DenseHostTensor& out,
                    const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(auto x, DenseView<T>::Create(in, "the input"));
  TFRT_ASSIGN_OR_RETURN(auto y, MutableDenseView<Index>::Create(out, "the output"));
  if (y.size() == 0) return GetReadyChain();
  const int64_t size = in.shape().dim(axis);
  if (size == 0 || size > std::numeric_limits<Index>::max()) {
    return InvalidArgumentError(StrCat("argmax: axis ", axis, " of the shape ",
                                       in.shape().ToString(), " has no index of ",
                                       DTypeName(out.dtype())));
  }
  int64_t inner = 1;
  for (size_t i = axis + 1; i < in.shape().rank(); ++i) inner *= in.shape().dim(i);
  int64_t outer = static_cast<int64_t>(y.size()) / inner;
  return RunBlocks(exec_ctx, outer, ItemsPerBlock(size * inner * sizeof(T)), {&in, &out},
                   [size, inner, x = x.data(), y = y.data()](size_t begin, size_t end) {
                     cpu::Argmax(size, inner, x, y, begin, end);
                   });
}

// The output is i32 or i64.
template <typename T>
CpuResult Argmax(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
                 Attribute<int64_t> axis, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(size_t normal_axis, NormalizeAxis(*axis, in.shape()));
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, ArgmaxShape(in.shape(), *axis));
  TFRT_RETURN_IF_ERROR(CheckOutputShape("argmax", out, shape));
  TFRT_RETURN_IF_ERROR(CheckApart("argmax", out, {&in}));
  return out.dtype() == DType::kI64 ? RunArgmax<T, int64_t>(in, normal_axis, out, exec_ctx)
                                    : RunArgmax<T, int32_t>(in, normal_axis, out, exec_ctx);
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
