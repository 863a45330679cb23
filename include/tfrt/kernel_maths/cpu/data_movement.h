// Moving elements of any type.
#ifndef TFRT_KERNEL_MATHS_CPU_DATA_MOVEMENT_H_
#define TFRT_KERNEL_MATHS_CPU_DATA_MOVEMENT_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tfrt/kernel_maths/cpu/odometer.h"
#include "tfrt/tensor/shape.h"

namespace tfrt::cpu {

// A transposition with as few dimensions as it needs: rows that stay together are copied, otherwise
// tiles of the dimension that is innermost in the input and of the one that is so in the output.
struct TransposePlan {
  // The input has elements; out = TransposeShape(in, permutation).
  TransposePlan(const TensorShape& in, std::span<const int64_t> permutation);

  static constexpr int64_t kTile = 16;

  StridedDims<2> outer;  // with strides of input and output
  // Columns of the output are consecutive there, and `column_stride` apart in the input. Rows are
  // consecutive in the input unless that stride is 1, then there is one.
  int64_t columns = 1;
  int64_t column_stride = 1;
  int64_t rows = 1;
  int64_t row_stride = 0;  // in the output

  int64_t tiles_per_block() const { return (rows - 1) / kTile + 1; }
  int64_t num_units() const { return outer.num_elements() * tiles_per_block(); }
  int64_t unit_size() const { return columns * (rows < kTile ? rows : kTile); }
};
// Elements of 1, 2, 4, 8 or 16 bytes.
void Transpose(const TransposePlan& plan, size_t element_size, const void* in, void* out,
               int64_t begin, int64_t end);

// in [batch,outer,size,inner], indices [batch,num_indices] -> out [batch,outer,num_indices,inner],
// for rows [begin, end) of [batch,outer,num_indices]. An index outside [0, size) gives zeros:
// whoever checked the indices cannot know that nobody changes them.
struct GatherSizes {
  int64_t outer = 1;
  int64_t size = 0;
  int64_t num_indices = 0;
  size_t inner_bytes = 0;
};
template <typename Index>
void Gather(const GatherSizes& sizes, const void* in, const Index* indices, void* out,
            int64_t begin, int64_t end);

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
};
// Of rows [begin, end) of indices [rows,depth] the first that names no slice; `end` if all do.
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

// Where the elements of a padded tensor come from: the outer dimensions of the output, and its
// rows.
struct PadPlan {
  // The output has elements; `padding` is as for PadShape.
  PadPlan(const TensorShape& in, std::span<const int64_t> padding);

  struct Dim {
    int64_t in_size;
    int64_t out_size;
    int64_t before;
    int64_t in_stride;
  };
  std::vector<Dim> outer;  // outermost first
  Dim row{1, 1, 0, 1};
  int64_t num_rows = 1;
};
void Pad(const PadPlan& plan, float value, const float* in, float* out, int64_t begin, int64_t end);

}  // namespace tfrt::cpu

#endif  // TFRT_KERNEL_MATHS_CPU_DATA_MOVEMENT_H_
