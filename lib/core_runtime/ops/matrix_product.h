// Matrix products of dtypes that the graph kernels do not have.
#ifndef TFRT_CORE_RUNTIME_OPS_MATRIX_PRODUCT_H_
#define TFRT_CORE_RUNTIME_OPS_MATRIX_PRODUCT_H_

#include <cstdint>

#include "tfrt/core_runtime/op_call.h"

namespace tfrt {

// What is done to a product.
struct ProductTail {
  const DenseHostTensor* bias = nullptr;  // [N], added to each row
  bool relu = false;                      // of i32: negative elements become 0
  bool relu6 = false;                     // and those above 6 become 6
};

// Result 0 is [...,M,N] = a [...,M,K] * b [...,K,N], of which a transposed matrix lies the other
// way round and the leading dimensions are broadcast; then the tail. Integers wrap. False, without
// a result, for dtypes other than f32, f64, i32, i64, ui32, ui64, complex64 and complex128.
StatusOr<bool> MultiplyMatrices(OpCall& call, const DenseHostTensor& a, const DenseHostTensor& b,
                                bool transpose_a, bool transpose_b, const TensorMetadata& result,
                                const ProductTail& tail = {});

}  // namespace tfrt

#endif  // TFRT_CORE_RUNTIME_OPS_MATRIX_PRODUCT_H_
