#include "reduction.h"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

#include "lib/ops/maths/cpu/parallel_blocks.h"
#include "lib/ops/maths/shapes/axes.h"
#include "operand_checks.h"
#include "tfrt/support/half.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt::maths {
namespace {

using cpu::ReduceOp;

template <typename T>
Completion RunReduce(ReduceOp op, const DenseHostTensor& in, std::span<const size_t> axes,
                     DenseHostTensor& out, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(auto x, DenseView<T>::Create(in, "the input"));
  TFRT_ASSIGN_OR_RETURN(auto y, MutableDenseView<T>::Create(out, "the output"));
  if (y.size() == 0) return GetReadyChain();
  if (x.size() == 0) {
    const bool has_mean = op == ReduceOp::kMean && !std::is_integral_v<T>;
    if (op != ReduceOp::kSum && !has_mean) {
      return InvalidArgumentError(
          StrCat(Name(op), ": no elements to choose from in the shape ", in.shape().ToString()));
    }
    T nothing = op == ReduceOp::kSum ? T(0) : std::numeric_limits<T>::quiet_NaN();
    std::ranges::fill(y.elements(), nothing);
    return GetReadyChain();
  }
  cpu::ReducePlan plan(in.shape(), axes);
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, int32_t>) {
    const bool is_simple = op == ReduceOp::kSum || op == ReduceOp::kMax || op == ReduceOp::kMin;
    if (is_simple || (std::is_same_v<T, float> && op == ReduceOp::kMean)) {
      size_t units = plan.num_units();
      size_t block = ItemsPerBlock(plan.unit_cost() * sizeof(T));
      return RunBlocks(exec_ctx, units, block, {&in, &out},
                       [op, plan = std::move(plan), x = x.data(), y = y.data()](
                           size_t begin, size_t end) { cpu::Reduce(op, plan, x, y, begin, end); });
    }
  }
  const size_t block = ItemsPerBlock(8 * static_cast<size_t>(plan.num_reduced()));
  return RunBlocks(exec_ctx, y.size(), block, {&in, &out},
                   [op, plan = std::move(plan), x = x.data(), y = y.data()](
                       size_t begin, size_t end) { cpu::ReduceWide(op, plan, x, y, begin, end); });
}

template <bool smallest, typename T, typename Index>
Completion RunArgmax(const DenseHostTensor& in, size_t axis, DenseHostTensor& out,
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
                     cpu::Argmax<smallest>(size, inner, x, y, begin, end);
                   });
}

}  // namespace

template <typename T>
Completion Reduce(ReduceOp op, const DenseHostTensor& in, std::span<const int64_t> axes,
                  bool keep_dims, DenseHostTensor& out, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(Axes reduced, NormalizeAxes(axes, in.shape()));
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, ReducedShape(in.shape(), reduced, keep_dims));
  TFRT_RETURN_IF_ERROR(CheckOutputShape(Name(op), out, shape));
  TFRT_RETURN_IF_ERROR(CheckApart(Name(op), out, {&in}));
  return RunReduce<T>(op, in, reduced, out, exec_ctx);
}

template <typename T, bool smallest>
Completion Argmax(const DenseHostTensor& in, int64_t axis, DenseHostTensor& out,
                  const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(size_t normal_axis, NormalizeAxis(axis, in.shape()));
  TFRT_ASSIGN_OR_RETURN(TensorShape shape,
                        ReducedShape(in.shape(), {&normal_axis, 1}, /*keep_dims=*/false));
  TFRT_RETURN_IF_ERROR(CheckOutputShape("argmax", out, shape));
  TFRT_RETURN_IF_ERROR(CheckApart("argmax", out, {&in}));
  return out.dtype() == DType::kI64
             ? RunArgmax<smallest, T, int64_t>(in, normal_axis, out, exec_ctx)
             : RunArgmax<smallest, T, int32_t>(in, normal_axis, out, exec_ctx);
}
#define TFRT_INSTANTIATE(name, T)                                                                 \
  template Completion Reduce<T>(ReduceOp, const DenseHostTensor&, std::span<const int64_t>, bool, \
                                DenseHostTensor&, const ExecutionContext&);                       \
  template Completion Argmax<T>(const DenseHostTensor&, int64_t, DenseHostTensor&,                \
                                const ExecutionContext&);                                         \
  template Completion Argmax<T, true>(const DenseHostTensor&, int64_t, DenseHostTensor&,          \
                                      const ExecutionContext&);
TFRT_CPP_REALS(TFRT_INSTANTIATE)
#undef TFRT_INSTANTIATE

}  // namespace tfrt::maths
