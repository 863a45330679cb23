#include "dense_integers.h"

#include <cassert>

#include "tfrt/support/str_cat.h"

namespace tfrt {

Integers ReadIntegers(const DenseHostTensor& tensor) {
  const bool is_wide = tensor.dtype() == DType::kI64;
  assert((is_wide || tensor.dtype() == DType::kI32) && "an op's row says which are integers");
  Integers integers;
  for (int64_t i = 0; i < tensor.num_elements(); ++i) {
    integers.push_back(is_wide ? static_cast<const int64_t*>(tensor.data())[i]
                               : static_cast<const int32_t*>(tensor.data())[i]);
  }
  return integers;
}

StatusOr<int64_t> ReadInteger(std::string_view op, std::string_view name,
                              const DenseHostTensor& tensor) {
  if (tensor.num_elements() != 1) {
    return InvalidArgumentError(StrCat(op, ": the ", name, " has the shape ",
                                       tensor.shape().ToString(), ", expected one element"));
  }
  return ReadIntegers(tensor)[0];
}

StatusOr<TensorShape> ShapeOfIntegers(const DenseHostTensor& tensor) {
  return TensorShape::Create(ReadIntegers(tensor));
}

}  // namespace tfrt
