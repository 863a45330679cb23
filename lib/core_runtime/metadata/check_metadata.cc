#include "tfrt/core_runtime/op_metadata.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/partial_shape.h"

namespace tfrt {

TensorMetadata SameMetadata(const TensorMetadata& in) { return in; }

StatusOr<TensorMetadata> EnsureShapeOpMetadata(const TensorMetadata& in, const OpAttrsRef& attrs) {
  auto shape = attrs.GetShape("shape");
  if (!shape) {
    return InvalidArgumentError("'shape' attribute is not specified for EnsureShape op");
  }
  if (!shape->has_rank()) return in;
  TFRT_ASSIGN_OR_RETURN(auto expected, PartialTensorShape::Create(shape->dimensions()));
  if (expected.Admits(in.shape)) return in;
  return InvalidArgumentError(StrCat("tf.EnsureShape: shape of tensor input ", in.shape.ToString(),
                                     " is not compatible with expected shape ",
                                     expected.ToString()));
}

}  // namespace tfrt
