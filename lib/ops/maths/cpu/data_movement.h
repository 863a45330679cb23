// Moving elements of any type.
#ifndef TFRT_LIB_OPS_MATHS_CPU_DATA_MOVEMENT_H_
#define TFRT_LIB_OPS_MATHS_CPU_DATA_MOVEMENT_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tfrt/tensor/shape.h"

namespace tfrt::cpu {

// Maps `in` [batch,outer,size,inner], indices [batch,num_indices] -> out
// [batch,outer,num_indices,inner], for rows [begin, end) of [batch,outer,num_indices]. An index
// below 0 counts from the end. One outside gives zeros, because indices may change after they were
// checked.
struct GatherSizes {
  int64_t outer = 1;
  int64_t size = 0;
  int64_t num_indices = 0;
  size_t inner_bytes = 0;
};
template <typename Index>
void Gather(const GatherSizes& sizes, const void* in, const Index* indices, void* out,
            int64_t begin, int64_t end);

// Returns the first of `count` indices that is not in [least, size), or `count`.
template <typename Index>
int64_t FirstOutside(const Index* indices, int64_t count, int64_t least, int64_t size);

// Slices of a tensor, each named by its place along the first dimensions.
struct GatherNdPlan {
  // The first `depth` dimensions of `in`, at most all of them, are indexed.
  GatherNdPlan(const TensorShape& in, size_t depth, size_t element_size);

  struct Dim {
    int64_t size;
    int64_t stride;  // in slices
  };
  std::vector<Dim> dims;
  size_t slice_bytes;
  bool from_end = false;  // numbers below 0 count from the end
};
// The slice that row `row` of the indices names; -1: none.
template <typename Index>
int64_t SliceOf(const GatherNdPlan& plan, const Index* indices, int64_t row);
// Returns the first of rows [begin, end) of indices [rows,depth] that names no slice; `end` if all
// do.
template <typename Index>
int64_t FirstOutside(const GatherNdPlan& plan, const Index* indices, int64_t begin, int64_t end);
// out [rows,slice]: the slices that rows [begin, end) of the indices name; zeros for one that names
// none, as Gather.
template <typename Index>
void GatherNd(const GatherNdPlan& plan, const void* in, const Index* indices, void* out,
              int64_t begin, int64_t end);

// Copies rows [begin, end) of in [rows,row_bytes] into rows that are out_stride bytes apart.
void CopyRows(size_t row_bytes, const void* in, void* out, size_t out_stride, int64_t begin,
              int64_t end);

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_DATA_MOVEMENT_H_
