#include <algorithm>

#include "tfrt/core_runtime/op_metadata.h"
#include "tfrt/kernel_maths/shape_functions.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {

std::optional<std::vector<int64_t>> IntegersOf(const OpAttrsRef& attrs, std::string_view name) {
  if (auto numbers = attrs.GetArray<int64_t>(name))
    return std::vector(numbers->begin(), numbers->end());
  if (auto numbers = attrs.GetArray<int32_t>(name))
    return std::vector<int64_t>(numbers->begin(), numbers->end());
  auto dense = attrs.GetDense(name);
  if (!dense) return std::nullopt;
  std::vector<int64_t> result(dense->num_elements());
  auto copy = [&]<typename T>(T) {
    for (size_t i = 0; i < result.size(); ++i) {
      T value;
      std::memcpy(&value, dense->bytes().data() + i * sizeof(T), sizeof(T));
      result[i] = value;
    }
  };
  switch (DTypeFromCode(dense->element_code())) {
    case DType::kI32:
      copy(int32_t());
      return result;
    case DType::kI64:
      copy(int64_t());
      return result;
    default:
      return std::nullopt;
  }
}

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

StatusOr<TensorMetadata> ZerosLikeOpMetadata(const TensorMetadata& in, const OpAttrsRef& attrs) {
  auto dtype = attrs.GetType("T");
  if (!dtype) return InvalidArgumentError("'T' attribute is not specified for ZerosLike op");
  return TensorMetadata{*dtype, in.shape};
}

StatusOr<TensorMetadata> ShapeOpMetadata(const TensorMetadata& in, const OpAttrsRef& attrs) {
  auto dtype = attrs.GetType("out_type");
  if (!dtype) return InvalidArgumentError("'out_type' attribute is not specified for Shape op");
  if (*dtype != DType::kI32 && *dtype != DType::kI64) {
    return InvalidArgumentError(StrCat("Unsupported `out_type` value: ", DTypeName(*dtype)));
  }
  return TensorMetadata{*dtype, TensorShape{static_cast<int64_t>(in.shape.rank())}};
}

StatusOr<TensorMetadata> SqueezeOpMetadata(const TensorMetadata& in, const OpAttrsRef& attrs) {
  auto listed = IntegersOf(attrs, "squeeze_dims").value_or(std::vector<int64_t>());
  std::vector<bool> squeezed(in.shape.rank());
  for (int64_t dim : listed) {
    TFRT_ASSIGN_OR_RETURN(size_t axis, NormalizeAxis(dim, in.shape));
    if (in.shape.dim(axis) != 1) {
      return InvalidArgumentError(StrCat("tf.Squeeze cannot remove dimension ", axis,
                                         " of the shape ", in.shape.ToString(), ": its size is ",
                                         in.shape.dim(axis)));
    }
    squeezed[axis] = true;
  }
  std::vector<int64_t> dims;
  for (size_t i = 0; i < in.shape.rank(); ++i) {
    bool removed = listed.empty() ? in.shape.dim(i) == 1 : squeezed[i];
    if (!removed) dims.push_back(in.shape.dim(i));
  }
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(dims));
  return TensorMetadata{in.dtype, std::move(shape)};
}

StatusOr<TensorMetadata> GatherNdOpMetadata(const TensorMetadata& params,
                                            const TensorMetadata& indices) {
  if (indices.dtype != DType::kI32 && indices.dtype != DType::kI64) {
    return InvalidArgumentError(StrCat("tf.GatherNd: the indices are a tensor of ",
                                       DTypeName(indices.dtype), ", expected i32 or i64"));
  }
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, GatherNdShape(params.shape, indices.shape));
  return TensorMetadata{params.dtype, std::move(shape)};
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
