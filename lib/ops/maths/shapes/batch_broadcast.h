// BatchBroadcast pairs the matrices of a batch matmul, whose leading dimensions are broadcast by
// NumPy's rule.
#ifndef TFRT_LIB_OPS_MATHS_SHAPES_BATCH_BROADCAST_H_
#define TFRT_LIB_OPS_MATHS_SHAPES_BATCH_BROADCAST_H_

#include <cstdint>
#include <vector>

#include "tfrt/tensor/shape.h"

namespace tfrt {

// A value. Describes the product a [...,M,K] * b [...,K,N] that BatchMatMulRule allows.
struct BatchBroadcast {
  BatchBroadcast(const TensorShape& a, const TensorShape& b);

  // A leading dimension of the product. One step along it advances by this many matrices of a and
  // of b: 0 for an input that has the same matrix again.
  struct Dim {
    int64_t size;
    int64_t a_stride;
    int64_t b_stride;
  };
  // Outermost first, as few as possible: neighbours are one where both inputs lie densely, or one
  // is repeated in both.
  std::vector<Dim> dims;

  // Matrices of the product.
  int64_t size() const;

  struct Pair {
    int64_t a;
    int64_t b;
  };
  // The matrices that matrix `index` of the product is made of.
  Pair At(int64_t index) const;
};

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_MATHS_SHAPES_BATCH_BROADCAST_H_
