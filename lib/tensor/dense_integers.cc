#include "tfrt/tensor/dense_integers.h"

#include <type_traits>

#include "tfrt/support/str_cat.h"

namespace tfrt {

StatusOr<Integers> ReadIntegers(std::string_view op, std::string_view name,
                                const DenseHostTensor& tensor) {
  auto read = [&]<typename T>(std::type_identity<T>) {
    Integers integers;
    auto* data = static_cast<const T*>(tensor.data());
    for (int64_t i = 0; i < tensor.num_elements(); ++i) integers.push_back(data[i]);
    return integers;
  };
  if (tensor.dtype() == DType::kI32) return read(std::type_identity<int32_t>());
  if (tensor.dtype() == DType::kI64) return read(std::type_identity<int64_t>());
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
