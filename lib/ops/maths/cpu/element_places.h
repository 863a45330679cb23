// Single elements at places that indices of the same rank name along one axis.
#ifndef TFRT_LIB_OPS_MATHS_CPU_ELEMENT_PLACES_H_
#define TFRT_LIB_OPS_MATHS_CPU_ELEMENT_PLACES_H_

#include <cstddef>
#include <cstdint>

#include "odometer.h"
#include "tfrt/tensor/shape.h"

namespace tfrt::cpu {

// The place of the index at [i,j,k] with axis 1 is [i,index,k] of the tensor.
struct ElementPlaces {
  // The indices have elements, and no other dimension is larger than the tensor's.
  ElementPlaces(const TensorShape& tensor, const TensorShape& indices, size_t axis);

  StridedDims<1> outer;   // the indices' dimensions but for the last, with the tensor's strides
  int64_t columns = 1;    // the last one
  int64_t column_stride;  // in the tensor; along the axis all strides are 0
  int64_t axis_size;
  int64_t axis_stride;

  // Calls fn(i, offset) for indices [begin, end) times `columns`; the offset is -1 for one that is
  // nowhere along the axis.
  template <typename Index, typename F>
  void ForEach(const Index* indices, int64_t begin, int64_t end, F&& fn) const {
    Odometer<1> odometer(outer, begin);
    for (int64_t row = begin; row < end; ++row, odometer.Advance()) {
      int64_t base = odometer.offset(0);
      for (int64_t i = row * columns; i < (row + 1) * columns; ++i, base += column_stride) {
        int64_t index = indices[i];
        if (index < 0) index += axis_size;
        const bool is_there = index >= 0 && index < axis_size;
        fn(i, is_there ? base + index * axis_stride : -1);
      }
    }
  }
};

// Rows [begin, end) of the indices: their elements of `in`; zeros for those that are nowhere, as
// Gather (data_movement.h).
template <typename Index>
void GatherElements(const ElementPlaces& places, size_t element_size, const void* in,
                    const Index* indices, void* out, int64_t begin, int64_t end);

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_ELEMENT_PLACES_H_
