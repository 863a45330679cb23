#include <algorithm>

#include "tfrt/core_runtime/op_metadata.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {

TensorMetadata SameMetadata(const TensorMetadata& in) { return in; }

StatusOr<TensorMetadata> BinaryOpMetadata(const TensorMetadata& a, const TensorMetadata& b) {
  if (a.dtype != b.dtype) {
    return InvalidArgumentError("incompatible dtypes for binary operation");
  }
  if (a.shape == b.shape) [[likely]]
    return a;
  const TensorShape& longer = a.shape.rank() >= b.shape.rank() ? a.shape : b.shape;
  const TensorShape& shorter = &longer == &a.shape ? b.shape : a.shape;
  int64_t dims[TensorShape::kMaxRank];
  const size_t rank = longer.rank(), missing = rank - shorter.rank();
  for (size_t i = 0; i < rank; ++i) {
    dims[i] = longer.dim(i);
    if (i < missing) continue;
    int64_t other = shorter.dim(i - missing);
    if (dims[i] != other && dims[i] != 1 && other != 1) {
      const bool swapped = &longer == &b.shape;
      return InvalidArgumentError(StrCat("Dimensions must be equal, but are ",
                                         swapped ? other : dims[i], " and ",
                                         swapped ? dims[i] : other));
    }
    if (dims[i] == 1) dims[i] = other;
  }
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(std::span(dims, rank)));
  return TensorMetadata{a.dtype, std::move(shape)};
}

StatusOr<TensorMetadata> ComparisonOpMetadata(const TensorMetadata& a, const TensorMetadata& b) {
  auto result = BinaryOpMetadata(a, b);
  if (result.ok()) result->dtype = DType::kI1;
  return result;
}

StatusOr<TensorMetadata> CastOpMetadata(const TensorMetadata& in, const OpAttrsRef& attrs) {
  auto dtype = attrs.GetType("DstT");
  if (!dtype) return InvalidArgumentError("'DstT' attribute is not specified for Cast op");
  if (DTypeSize(*dtype) == 0) {
    return InvalidArgumentError(
        StrCat("cannot cast a tensor of ", DTypeName(in.dtype), " to ", DTypeName(*dtype)));
  }
  return TensorMetadata{*dtype, in.shape};
}

Status CheckBiasDataFormat(const OpAttrsRef& attrs) {
  if (!attrs.Find("data_format") || attrs.GetString("data_format") == "NHWC") return OkStatus();
  return InvalidArgumentError("invalid data format. Currently only support NHWC");
}

StatusOr<TensorMetadata> BiasAddOpMetadata(const TensorMetadata& value, const TensorMetadata& bias,
                                           const OpAttrsRef& attrs) {
  if (value.dtype != bias.dtype) {
    return InvalidArgumentError("incompatible dtypes for tf.BiasAdd");
  }
  TFRT_RETURN_IF_ERROR(CheckBiasDataFormat(attrs));
  if (bias.shape.rank() != 1) return InvalidArgumentError("bias must be 1-D");
  const size_t rank = value.shape.rank();
  if (rank < 2 || rank > 5) {
    return InvalidArgumentError(StrCat("tf.BiasAdd takes values of rank 2 to 5, but the shape is ",
                                       value.shape.ToString()));
  }
  if (bias.shape.dim(0) != value.shape.dim(rank - 1)) {
    return InvalidArgumentError("bias must has the size of the last dimension of value");
  }
  return value;
}

StatusOr<TensorMetadata> BiasAddGradOpMetadata(const TensorMetadata& gradient,
                                               const OpAttrsRef& attrs) {
  TFRT_RETURN_IF_ERROR(CheckBiasDataFormat(attrs));
  const size_t rank = gradient.shape.rank();
  if (rank < 2) {
    return InvalidArgumentError(
        StrCat("tf.BiasAddGrad takes gradients of rank 2 or more, but the "
               "shape is ",
               gradient.shape.ToString()));
  }
  return TensorMetadata{gradient.dtype, TensorShape{gradient.shape.dim(rank - 1)}};
}

}  // namespace tfrt
