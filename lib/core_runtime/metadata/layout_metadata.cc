#include "tfrt/core_runtime/op_attr_values.h"
#include "tfrt/core_runtime/op_metadata.h"
#include "tfrt/kernel_maths/shape_functions.h"

namespace tfrt {

StatusOr<TensorMetadata> ConstOpMetadata(const OpAttrsRef& attrs) {
  auto value = attrs.GetDense("value");
  if (!value) return InvalidArgumentError("tf.Const needs a `value` dense attribute");
  const DType dtype = DTypeFromCode(value->element_code());
  if (attrs.Find("dtype") && attrs.GetType("dtype") != dtype) {
    return InvalidArgumentError("dtype attribute mismatch with expected tensor dtype");
  }
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(value->shape()));
  return TensorMetadata{dtype, std::move(shape)};
}

StatusOr<TensorMetadata> FoldedTransposeOpMetadata(const TensorMetadata& in,
                                                   const OpAttrsRef& attrs) {
  auto permutation = IntegersOf(attrs, "perm");
  if (!permutation) {
    return InvalidArgumentError("'perm' attribute is not specified for Transpose op");
  }
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TransposeShape(in.shape, *permutation));
  return TensorMetadata{in.dtype, std::move(shape)};
}

StatusOr<TensorMetadata> FoldedPadOpMetadata(const TensorMetadata& in, const OpAttrsRef& attrs) {
  auto paddings = IntegersOf(attrs, "paddings");
  if (!paddings) return InvalidArgumentError("'paddings' attribute is not specified for Pad op");
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, PadShape(in.shape, *paddings));
  return TensorMetadata{in.dtype, std::move(shape)};
}

StatusOr<TensorMetadata> FoldedMeanOpMetadata(const TensorMetadata& in, const OpAttrsRef& attrs) {
  auto axes = IntegersOf(attrs, "reduction_indices");
  if (!axes) {
    return InvalidArgumentError("'reduction_indices' attribute is not specified for Mean op");
  }
  if (axes->empty()) return in;  // TensorFlow's: no indices reduce nothing
  TFRT_ASSIGN_OR_RETURN(TensorShape shape,
                        ReduceShape(in.shape, *axes, attrs.Get<bool>("keep_dims").value_or(false)));
  return TensorMetadata{in.dtype, std::move(shape)};
}

}  // namespace tfrt
