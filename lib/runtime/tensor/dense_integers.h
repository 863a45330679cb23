// Reads tensors that hold numbers about other tensors: shapes, axes, indices.
#ifndef TFRT_LIB_RUNTIME_TENSOR_DENSE_INTEGERS_H_
#define TFRT_LIB_RUNTIME_TENSOR_DENSE_INTEGERS_H_

#include <cstdint>
#include <string_view>

#include "lib/base/support/inline_vector.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt {

using Integers = InlineVector<int64_t, 8>;
// The elements of a tensor of i32 or i64.
Integers ReadIntegers(const DenseHostTensor& tensor);
// The one element of such a tensor: "OP: the NAME has the shape [2], expected one element".
StatusOr<int64_t> ReadInteger(std::string_view op, std::string_view name,
                              const DenseHostTensor& tensor);
// The shape whose dimensions they are.
StatusOr<TensorShape> ShapeOfIntegers(const DenseHostTensor& tensor);

}  // namespace tfrt

#endif  // TFRT_LIB_RUNTIME_TENSOR_DENSE_INTEGERS_H_
