// Slices of a tensor along one dimension: which differ, and in another order.
#ifndef TFRT_LIB_OPS_MATHS_CPU_SLICES_H_
#define TFRT_LIB_OPS_MATHS_CPU_SLICES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tfrt/opinfo/element_type.h"

namespace tfrt::cpu {

// in [outer,size,inner]: the `size` slices.
struct SliceSizes {
  int64_t outer = 1;
  int64_t size = 0;
  int64_t inner = 1;
};

// The slices that differ.
struct UniqueSlices {
  std::vector<int64_t> first;    // where each is for the first time
  std::vector<int64_t> counts;   // how often
  std::vector<int64_t> inverse;  // of each slice, which of these it is
};
// In ascending order, element by element, NaN last and equal to NaN; or in the order of the first
// times. The dtype is that of real numbers or i1.
UniqueSlices FindUnique(const SliceSizes& sizes, DType dtype, const void* in, bool sorted);

// Maps `in` [outer,first,middle,second,inner], with the first lengths[b] positions of one of the
// two dimensions in reverse order. There b is the position in the other one, the batch's. Covers
// rows [begin, end) of the first four dimensions.
struct ReverseSizes {
  int64_t first = 1;
  int64_t middle = 1;
  int64_t second = 1;
  size_t inner_bytes = 0;
  bool batch_is_first = false;
};
void ReverseSequences(const ReverseSizes& sizes, const int64_t* lengths, const void* in, void* out,
                      int64_t begin, int64_t end);

// Puts blocks of images back where they were taken from, and adds them. Maps `in`
// [rows,block...,count...] to out [rows,image...]. Each count is the number of blocks that fit.
struct BlockDim {
  int64_t image;
  int64_t block;
  int64_t count;  // of positions of the block
  int64_t stride;
  int64_t dilation;
  int64_t before;  // padding
};
// Rows [begin, end). False, and nothing has happened, for dtypes that are not numbers.
bool AddBlocks(const std::vector<BlockDim>& dims, DType dtype, const void* in, void* out,
               int64_t begin, int64_t end);

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_SLICES_H_
