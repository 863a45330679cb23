// Sorts rows of real numbers or truth values, and looks for values in sorted ones. Elements are
// ordered as numbers, -0 and 0 are equal, and NaN is equal to NaN and larger than all numbers.
#ifndef TFRT_LIB_OPS_MATHS_CPU_SORT_H_
#define TFRT_LIB_OPS_MATHS_CPU_SORT_H_

#include <cstdint>

#include "tfrt/opinfo/element_type.h"

namespace tfrt::cpu {

// Rows along the middle dimension of [outer,size,inner], none of them empty.
struct SortSizes {
  int64_t outer = 1;
  int64_t size = 0;
  int64_t inner = 1;
  bool descending = false;  // equal elements keep their order in this direction, too
};

// Rows [begin, end) of [outer,inner], from `in` to `out`, which are apart. Equal elements keep
// their order, which shows in zeros and NaN.
void Sort(const SortSizes& sizes, DType dtype, const void* in, void* out, int64_t begin,
          int64_t end);

// The same, but `out` has the places of the elements in their rows, of i32 or i64.
void ArgSort(const SortSizes& sizes, DType dtype, const void* in, DType places, void* out,
             int64_t begin, int64_t end);

// For each of values[begin, end), both of the dtype: how many elements of an ascending row of
// `size` are less, or, with `right`, not greater. Places are i32 or i64.
void SearchSorted(int64_t size, DType dtype, const void* row, const void* values, bool right,
                  DType places, void* out, int64_t begin, int64_t end);

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_SORT_H_
