// Ops that make one element of several, and sums that run along an axis.

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "lib/ops/maths/cpu/scan.h"
#include "lib/ops/maths/shapes/axes.h"
#include "lib/ops/maths/tensor/reduction.h"
#include "lib/ops/op_call/number_dispatch.h"
#include "lib/runtime/tensor/dense_integers.h"
#include "op_groups.h"
#include "op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/str_cat.h"
#include "unsupported_dtype.h"

namespace tfrt {
namespace {

using cpu::ReduceOp;

// Returns the reduction of no elements; empty if it has none.
template <typename T>
std::optional<T> OfNothing(ReduceOp op) {
  using Limits = std::numeric_limits<T>;
  switch (op) {
    case ReduceOp::kProduct:
      return static_cast<T>(1.0f);
    case ReduceOp::kMean:
      if constexpr (Limits::has_quiet_NaN) return Limits::quiet_NaN();
      return std::nullopt;
    case ReduceOp::kMin:
      if constexpr (Limits::has_infinity) return Limits::infinity();
      return Limits::max();
    case ReduceOp::kMax:
    case ReduceOp::kLogSum:
    case ReduceOp::kLogSumExp:
      if constexpr (Limits::has_infinity) return -Limits::infinity();
      return Limits::lowest();
    default:
      return T();
  }
}

// The tensor with another shape over the same bytes.
StatusOr<DenseHostTensor> Reshaped(const DenseHostTensor& tensor, std::span<const int64_t> dims) {
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(dims));
  return DenseHostTensor::CreateFromBuffer({tensor.dtype(), std::move(shape)}, tensor.buffer());
}

template <typename T>
Status ReduceOf(ReduceOp op, const DenseHostTensor& in, std::span<const int64_t> axes,
                bool keep_dims, DenseHostTensor out, OpCall& call) {
  if (in.num_elements() == 0) {
    std::optional<T> nothing = OfNothing<T>(op);
    if (!nothing) {
      return InvalidArgumentError(
          StrCat(call.op_name(), ": no elements in the shape ", in.shape().ToString()));
    }
    std::fill_n(WritableData<T>(out), out.num_elements(), *nothing);
    SetResult(call, 0, std::move(out));
    return OkStatus();
  }
  if (!axes.empty()) {
    maths::Completion done = maths::Reduce<T>(op, in, axes, keep_dims, out, call.exec_ctx());
    return SetResultAfter(call, 0, std::move(out), std::move(done));
  }
  // Each element alone.
  const int64_t count = in.num_elements(), dims[] = {count, 1}, last[] = {1};
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor column, Reshaped(in, dims));
  DenseHostTensor flat = out.Flatten();
  maths::Completion done = maths::Reduce<T>(op, column, last, false, flat, call.exec_ctx());
  return SetResultAfter(call, 0, std::move(out), std::move(done));
}

template <ReduceOp op>
Status Reduce(OpArgument<DenseHostTensor> in, const DenseHostTensor& indices,
              const TensorMetadata& result, const OpAttrsRef& attrs, OpCall& call) {
  const auto axes = ReadIntegers(indices);
  constexpr bool kKeepsOne = op == ReduceOp::kSum || op == ReduceOp::kMean ||
                             op == ReduceOp::kMax || op == ReduceOp::kMin ||
                             op == ReduceOp::kProduct;
  if (kKeepsOne && axes.empty()) {
    call.SetResult(0, in.ValueRef());
    return OkStatus();
  }
  const bool keep_dims = attrs.Get<bool>("keep_dims").value_or(false);
  return ForReal(call, in->dtype(), [&]<typename T>(std::type_identity<T>) -> Status {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
    return ReduceOf<T>(op, *in, axes, keep_dims, std::move(out), call);
  });
}

// The sum along the axes, of which there are some, in the shape of the result.
Status SumOver(const DenseHostTensor& in, std::span<const int64_t> axes,
               const TensorMetadata& result, OpCall& call) {
  std::vector<int64_t> kept;
  for (size_t i = 0; i < in.shape().rank(); ++i) {
    if (std::ranges::find(axes, static_cast<int64_t>(i)) == axes.end()) {
      kept.push_back(in.shape().dim(i));
    }
  }
  return ForReal(call, in.dtype(), [&]<typename T>(std::type_identity<T>) {
    return SetComputed(call, result, [&](DenseHostTensor& out) -> maths::Completion {
      TFRT_ASSIGN_OR_RETURN(DenseHostTensor sums, Reshaped(out, kept));
      return maths::Reduce<T>(ReduceOp::kSum, in, axes, false, sums, call.exec_ctx());
    });
  });
}

// Over the dimensions that broadcasting has added or made longer.
Status SumTo(OpArgument<DenseHostTensor> in, const DenseHostTensor&, const TensorMetadata& result,
             OpCall& call) {
  const TensorShape &from = in->shape(), &to = result.shape;
  const size_t missing = from.rank() - to.rank();
  std::vector<int64_t> axes;
  for (size_t i = 0; i < from.rank(); ++i) {
    if (i < missing || to.dim(i - missing) != from.dim(i)) axes.push_back(static_cast<int64_t>(i));
  }
  if (!axes.empty()) return SumOver(*in, axes, result, call);
  call.SetResult(0, in.ValueRef());
  return OkStatus();
}

// Over all dimensions but the last.
Status BiasAddGrad(const DenseHostTensor& gradient, const TensorMetadata& result, OpCall& call) {
  std::vector<int64_t> axes(gradient.shape().rank() - 1);
  std::iota(axes.begin(), axes.end(), 0);
  return SumOver(gradient, axes, result, call);
}

template <bool smallest>
Status ArgMax(const DenseHostTensor& in, const DenseHostTensor& dimension,
              const TensorMetadata& result, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(int64_t axis, ReadInteger(call.op_name(), "dimension", dimension));
  if (result.dtype != DType::kI32 && result.dtype != DType::kI64) {
    return InvalidArgumentError(
        StrCat(call.op_name(), ": no places of ", DTypeName(result.dtype), ", only i32 and i64"));
  }
  return ForReal(call, in.dtype(), [&]<typename T>(std::type_identity<T>) {
    return SetComputed(call, result, [&](DenseHostTensor& out) {
      return maths::Argmax<T, smallest>(in, axis, out, call.exec_ctx());
    });
  });
}

template <bool is_product>
Status Cumulate(const DenseHostTensor& in, const DenseHostTensor& axis,
                const TensorMetadata& result, const OpAttrsRef& attrs, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(int64_t given, ReadInteger(call.op_name(), "axis", axis));
  TFRT_ASSIGN_OR_RETURN(size_t normal, NormalizeAxis(given, in.shape()));
  const bool exclusive = attrs.Get<bool>("exclusive").value_or(false);
  const bool reverse = attrs.Get<bool>("reverse").value_or(false);
  return ForReal(call, in.dtype(), [&]<typename T>(std::type_identity<T>) -> Status {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result));
    const int64_t size = in.shape().dim(normal);
    const int64_t inner = SizeOfDims(in.shape(), normal + 1, in.shape().rank());
    const int64_t outer = in.num_elements() == 0 ? 0 : in.num_elements() / (size * inner);
    auto* x = static_cast<const T*>(in.data());
    T* y = WritableData<T>(out);
    ComputeResult(call, static_cast<size_t>(outer), static_cast<size_t>(size * inner) * 8, {&in},
                  std::move(out), [=](size_t begin, size_t end) {
                    constexpr auto* kFunction =
                        is_product ? cpu::CumulativeProduct<T> : cpu::CumulativeSum<T>;
                    kFunction(size, inner, exclusive, reverse, x, y, static_cast<int64_t>(begin),
                              static_cast<int64_t>(end));
                  });
    return OkStatus();
  });
}

}  // namespace

void RegisterReductionOps(OpRegistry* registry) {
  registry->Implement("graph.reduce_mean", {.function = TFRT_OP(Reduce<ReduceOp::kMean>)});
  registry->Implement("graph.reduce_sum", {.function = TFRT_OP(Reduce<ReduceOp::kSum>)});
  registry->Implement("graph.reduce_max", {.function = TFRT_OP(Reduce<ReduceOp::kMax>)});
  registry->Implement("graph.reduce_min", {.function = TFRT_OP(Reduce<ReduceOp::kMin>)});
  registry->Implement("graph.reduce_prod", {.function = TFRT_OP(Reduce<ReduceOp::kProduct>)});
  registry->Implement("graph.reduce_l1", {.function = TFRT_OP(Reduce<ReduceOp::kL1>)});
  registry->Implement("graph.reduce_l2", {.function = TFRT_OP(Reduce<ReduceOp::kL2>)});
  registry->Implement("graph.reduce_sum_square",
                      {.function = TFRT_OP(Reduce<ReduceOp::kSumSquare>)});
  registry->Implement("graph.reduce_log_sum", {.function = TFRT_OP(Reduce<ReduceOp::kLogSum>)});
  registry->Implement("graph.reduce_log_sum_exp",
                      {.function = TFRT_OP(Reduce<ReduceOp::kLogSumExp>)});
  registry->Implement("graph.bias_add_grad", {.function = TFRT_OP(BiasAddGrad)});
  registry->Implement("graph.sum_to", {.function = TFRT_OP(SumTo)});
  registry->Implement("graph.argmax", {.function = TFRT_OP(ArgMax<false>)});
  registry->Implement("graph.argmin", {.function = TFRT_OP(ArgMax<true>)});
  registry->Implement("graph.cumulative_sum", {.function = TFRT_OP(Cumulate<false>)});
  registry->Implement("graph.cumulative_product", {.function = TFRT_OP(Cumulate<true>)});
}

}  // namespace tfrt
