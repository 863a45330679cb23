// Selects the largest elements, the elements that are not zero, or the best boxes.
#ifndef TFRT_LIB_OPS_MATHS_CPU_SELECTION_H_
#define TFRT_LIB_OPS_MATHS_CPU_SELECTION_H_

#include <array>
#include <cstdint>
#include <vector>

#include "tfrt/opinfo/element_type.h"
#include "tfrt/tensor/shape.h"

namespace tfrt::cpu {

// in [outer,size,inner] -> values and indices [outer,k,inner], in order; of equal ones the first.
// NaN is larger than all numbers.
struct TopKSizes {
  int64_t outer = 1;
  int64_t size = 0;
  int64_t inner = 1;
  int64_t k = 0;  // 1 to size
  bool largest = true;
};
// Rows [begin, end) of [outer,inner]. The dtype is that of real numbers.
void TopK(const TopKSizes& sizes, DType dtype, const void* in, void* values, int64_t* indices,
          int64_t begin, int64_t end);

// How many elements are not zero. The dtype has a C++ type.
int64_t CountNonZero(DType dtype, const void* in, int64_t count);
// Their coordinates, out [rank,num_nonzero].
void NonZero(DType dtype, const void* in, const TensorShape& shape, int64_t num_nonzero,
             int64_t* out);

// boxes [batch,count,4], scores [batch,classes,count].
struct NmsOptions {
  int64_t batch = 0;
  int64_t classes = 0;
  int64_t count = 0;
  int64_t max_boxes = 0;  // of each class of each batch
  float iou_threshold = 0;
  float score_threshold = 0;
  bool center_point = false;  // boxes are x, y, width, height, not two opposite corners y, x, y, x
};
// Returns batch, class, box of the boxes with a score above the threshold, for each batch and
// class. They are ordered best first, equal ones by index. A box is left out if its intersection
// with a better one is more than the threshold of their union.
std::vector<std::array<int64_t, 3>> NonMaxSuppression(const NmsOptions& options, const float* boxes,
                                                      const float* scores);

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_SELECTION_H_
