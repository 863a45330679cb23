// Ops that make one element of several.

#include "op_groups.h"
#include "tfrt/core_runtime/number_dispatch.h"
#include "tfrt/core_runtime/op_attr_values.h"
#include "tfrt/core_runtime/op_metadata.h"
#include "tfrt/core_runtime/op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/kernel_maths/reduction.h"
#include "tfrt/kernel_maths/shape_functions.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_integers.h"

namespace tfrt {
namespace {

using cpu::ReduceOp;

// `axes` are not empty; the result may be known.
Status Reduce(OpCall& call, ReduceOp op, const DenseHostTensor& in, std::span<const int64_t> axes,
              bool keep_dims, std::string_view unsupported_dtype) {
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, ReduceShape(in.shape(), axes, keep_dims));
  Status status;
  bool supported = DispatchReal(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    status = [&]() -> Status {
      TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate({in.dtype(), std::move(shape)}));
      maths::Completion done = maths::Reduce<T>(op, in, axes, keep_dims, out, call.exec_ctx());
      return SetResultAfter(call, 0, std::move(out), std::move(done));
    }();
  });
  return supported ? status : InvalidArgumentError(unsupported_dtype);
}

// Over no axes nothing is reduced: the result is the argument.
Status ReduceOver(OpCall& call, ReduceOp op, const OpArgument<DenseHostTensor>& in,
                  std::span<const int64_t> axes, const OpAttrsRef& attrs,
                  std::string_view unsupported) {
  if (axes.empty()) {
    call.SetResult(0, in.ValueRef());
    return OkStatus();
  }
  return Reduce(call, op, *in, axes, attrs.Get<bool>("keep_dims").value_or(false), unsupported);
}

// tf.Sum, tf.Max, tf.Min.
template <ReduceOp op>
Status ReduceByArgument(OpArgument<DenseHostTensor> in, const DenseHostTensor& indices,
                        const OpAttrsRef& attrs, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(auto axes, ReadIntegers(call.op_name(), "reduction indices", indices));
  return ReduceOver(call, op, in, axes, attrs,
                    StrCat(call.op_name(), ": unsupported dtype ", DTypeName(in->dtype())));
}

Status Mean(OpArgument<DenseHostTensor> in, const DenseHostTensor& indices, const OpAttrsRef& attrs,
            OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(auto axes, ReadIntegers(call.op_name(), "reduction indices", indices));
  const auto rank = static_cast<int64_t>(in->shape().rank());
  std::vector<bool> seen(rank);
  for (int64_t axis : axes) {
    if (axis < -rank || axis >= rank) {
      return InvalidArgumentError(
          "tf.Mean reduction index must be in [-input_rank, input_rank) range");
    }
    std::vector<bool>::reference mark = seen[axis < 0 ? axis + rank : axis];
    if (mark) return InvalidArgumentError("tf.Mean reduction indices must be unique");
    mark = true;
  }
  constexpr std::string_view kUnsupported = "unsupported dtype for TfMeanOp";
  if (!DispatchReal(in->dtype(), [](auto) {})) return InvalidArgumentError(kUnsupported);
  return ReduceOver(call, ReduceOp::kMean, in, axes, attrs, kUnsupported);
}

Status FoldedMean(OpArgument<DenseHostTensor> in, const TensorMetadata&, const OpAttrsRef& attrs,
                  OpCall& call) {
  auto axes = *IntegersOf(attrs, "reduction_indices");
  return ReduceOver(call, ReduceOp::kMean, in, axes, attrs, "unsupported dtype for TfMeanOp");
}

// The sum over all dimensions but the last.
Status BiasAddGrad(const DenseHostTensor& gradient, const TensorMetadata&, OpCall& call) {
  std::vector<int64_t> axes(gradient.shape().rank() - 1);
  for (size_t i = 0; i < axes.size(); ++i) axes[i] = static_cast<int64_t>(i);
  return Reduce(call, ReduceOp::kSum, gradient, axes, false,
                "unsupported dtype for TfBiasAddGradOp");
}

Status ArgMax(const DenseHostTensor& in, const DenseHostTensor& dimension, const OpAttrsRef& attrs,
              OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(int64_t axis, ReadInteger(call.op_name(), "dimension", dimension));
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, ArgmaxShape(in.shape(), axis));
  const DType type = attrs.Find("output_type")
                         ? attrs.GetType("output_type").value_or(DType::kUnsupported)
                         : DType::kI64;
  if (type != DType::kI32 && type != DType::kI64) {
    return InvalidArgumentError(StrCat("Unsupported `output_type` value: ", DTypeName(type)));
  }
  Status status;
  bool supported = DispatchReal(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    status = [&]() -> Status {
      TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate({type, std::move(shape)}));
      maths::Completion done = maths::Argmax<T>(in, axis, out, call.exec_ctx());
      return SetResultAfter(call, 0, std::move(out), std::move(done));
    }();
  });
  return supported
             ? status
             : InvalidArgumentError(StrCat("tf.ArgMax: unsupported dtype ", DTypeName(in.dtype())));
}

}  // namespace

void RegisterReductionOps(OpRegistry* registry) {
  registry->Implement("tf.Mean", {.function = TFRT_OP(Mean)});
  registry->Implement("tf.Sum", {.function = TFRT_OP(ReduceByArgument<ReduceOp::kSum>)});
  registry->Implement("tf.Max", {.function = TFRT_OP(ReduceByArgument<ReduceOp::kMax>)});
  registry->Implement("tf.Min", {.function = TFRT_OP(ReduceByArgument<ReduceOp::kMin>)});
  registry->Implement("_tf.Mean", {.metadata = TFRT_OP_METADATA(FoldedMeanOpMetadata),
                                   .function = TFRT_OP(FoldedMean)});
  registry->Implement("tf.ArgMax", {.function = TFRT_OP(ArgMax)});
  registry->Implement("tf.BiasAddGrad", {.function = TFRT_OP(BiasAddGrad)});
}

}  // namespace tfrt
