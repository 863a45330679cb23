// Ops that put elements around a tensor.

#include <algorithm>

#include "op_groups.h"
#include "tfrt/core_runtime/op_attr_values.h"
#include "tfrt/core_runtime/op_metadata.h"
#include "tfrt/core_runtime/op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/kernel_maths/movement.h"
#include "tfrt/kernel_maths/shape_functions.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_integers.h"

namespace tfrt {
namespace {

constexpr size_t kMaxRank = 8;

Status PadElements(OpCall& call, const DenseHostTensor& in, std::span<const int64_t> padding,
                   float value) {
  if (in.dtype() != DType::kF32) return InvalidArgumentError("unsupported dtype for TfPadOp");
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, PadShape(in.shape(), padding));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate({DType::kF32, std::move(shape)}));
  maths::Completion done = maths::Pad(in, padding, value, out, call.exec_ctx());
  return SetResultAfter(call, 0, std::move(out), std::move(done));
}

// For each dimension how many elements come before and after: a matrix [rank,2].
StatusOr<Integers> ReadPaddings(const OpCall& call, const DenseHostTensor& in,
                                const DenseHostTensor& paddings) {
  const TensorShape& shape = paddings.shape();
  if (in.shape().rank() > kMaxRank) {
    return InvalidArgumentError(
        StrCat("tf.Pad input rank over 8 is not supported. Given value: ", in.shape().rank()));
  }
  if (shape.rank() != 2 || shape.dim(1) != 2) {
    return InvalidArgumentError(StrCat(
        "tf.Pad paddings must be a matrix with 2 columns. Actual shape: ", shape.ToString()));
  }
  if (shape.dim(0) != static_cast<int64_t>(in.shape().rank())) {
    return InvalidArgumentError(
        StrCat("For tf.Pad operation, the first dimension of paddings must equal to the rank of "
               "inputs. Input shape: ",
               in.shape().ToString(), ". Paddings shape: ", shape.ToString()));
  }
  if (paddings.dtype() != DType::kI32 && paddings.dtype() != DType::kI64) {
    return InvalidArgumentError(
        StrCat("tf.Pad paddings type must be either int32 or int64. Actual type is: ",
               DTypeName(paddings.dtype())));
  }
  TFRT_ASSIGN_OR_RETURN(auto padding, ReadIntegers(call.op_name(), "paddings", paddings));
  if (std::ranges::any_of(padding, [](int64_t size) { return size < 0; })) {
    return InvalidArgumentError("tf.Pad paddings must be non-negative.");
  }
  return padding;
}

Status Pad(const DenseHostTensor& in, const DenseHostTensor& paddings, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(auto padding, ReadPaddings(call, in, paddings));
  return PadElements(call, in, padding, 0);
}

Status PadV2(const DenseHostTensor& in, const DenseHostTensor& paddings,
             const DenseHostTensor& constant, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(auto padding, ReadPaddings(call, in, paddings));
  if (constant.num_elements() != 1 || constant.dtype() != in.dtype()) {
    return InvalidArgumentError(StrCat("tf.PadV2: the constant is ", DTypeName(constant.dtype()),
                                       " ", constant.shape().ToString(),
                                       ", expected one element of ", DTypeName(in.dtype())));
  }
  if (in.dtype() != DType::kF32) return InvalidArgumentError("unsupported dtype for TfPadOp");
  return PadElements(call, in, padding, *static_cast<const float*>(constant.data()));
}

Status FoldedPad(const DenseHostTensor& in, const TensorMetadata&, const OpAttrsRef& attrs,
                 OpCall& call) {
  return PadElements(call, in, *IntegersOf(attrs, "paddings"), 0);
}

}  // namespace

void RegisterPadOps(OpRegistry* registry) {
  registry->Implement("tf.Pad", {.function = TFRT_OP(Pad)});
  registry->Implement("tf.PadV2", {.function = TFRT_OP(PadV2)});
  registry->Implement("_tf.Pad", {.metadata = TFRT_OP_METADATA(FoldedPadOpMetadata),
                                  .function = TFRT_OP(FoldedPad)});
}

}  // namespace tfrt
