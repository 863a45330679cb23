#include "tfrt/tensor/dense_integers.h"

#include "tfrt/support/str_cat.h"

namespace tfrt {

StatusOr<std::vector<int64_t>> ReadIntegers(std::string_view op, std::string_view name,
                                            const DenseHostTensor& tensor) {
  const auto size = static_cast<size_t>(tensor.num_elements());
  if (tensor.dtype() == DType::kI32) {
    auto* data = static_cast<const int32_t*>(tensor.data());
    return std::vector<int64_t>(data, data + size);
  }
  if (tensor.dtype() == DType::kI64) {
    auto* data = static_cast<const int64_t*>(tensor.data());
    return std::vector<int64_t>(data, data + size);
  }
  return InvalidArgumentError(StrCat(op, ": the ", name, " is a tensor of ",
                                     DTypeName(tensor.dtype()), ", expected i32 or i64"));
}

StatusOr<int64_t> ReadInteger(std::string_view op, std::string_view name,
                              const DenseHostTensor& tensor) {
  if (tensor.num_elements() != 1) {
    return InvalidArgumentError(StrCat(op, ": the ", name, " has the shape ",
                                       tensor.shape().ToString(), ", expected one element"));
  }
  TFRT_ASSIGN_OR_RETURN(auto values, ReadIntegers(op, name, tensor));
  return values[0];
}

StatusOr<TensorShape> ShapeOfIntegers(std::string_view op, const DenseHostTensor& tensor) {
  TFRT_ASSIGN_OR_RETURN(auto dims, ReadIntegers(op, "shape", tensor));
  return TensorShape::Create(dims);
}

}  // namespace tfrt
