// Gradients of 2-D convolutions of images [N,H,W,C] with filters [H,W,C,O], f32. Image patches are
// laid out as rows of a matrix ("im2col"), so that the work is matrix products.
#ifndef TFRT_LIB_OPS_MATHS_CPU_CONV_GRAD_H_
#define TFRT_LIB_OPS_MATHS_CPU_CONV_GRAD_H_

#include <cstdint>

#include "lib/ops/maths/shapes/window_geometry.h"

namespace tfrt::cpu {

// How the work is cut into blocks that may run at the same time. The cut depends on the geometry
// alone, and partial results are added in order, so results are the same bits for every number of
// threads.
struct ConvGradBlocks {
  int64_t images_per_block = 1;
  int64_t num_blocks = 0;
  int64_t scratch_per_block = 0;  // floats

  // The part of the filter gradient in a block's scratch memory, which its patches follow.
  static ConvGradBlocks ForFilter(const Conv2dGeometry& conv);
  // One more block of scratch memory than num_blocks is needed: the first holds the transposed
  // filter.
  static ConvGradBlocks ForInput(const Conv2dGeometry& conv);
};

// The sum over a block's images of the filter gradient [H,W,C,O], into the beginning of `scratch`.
void ConvFilterGradBlock(const Conv2dGeometry& conv, const ConvGradBlocks& blocks, int64_t block,
                         const float* out_grad, const float* in, float* scratch);
// filter_grad = the sum of the blocks' parts, which are scratch_per_block apart.
void SumFilterGradBlocks(const Conv2dGeometry& conv, const ConvGradBlocks& blocks,
                         const float* scratch, float* filter_grad);

// filter [H,W,C,O] -> [O,H,W,C].
void TransposeFilter(const Conv2dGeometry& conv, const float* filter, float* transposed);
// The input gradient of a block's images.
void ConvInputGradBlock(const Conv2dGeometry& conv, const ConvGradBlocks& blocks, int64_t block,
                        const float* out_grad, const float* transposed_filter, float* in_grad,
                        float* scratch);

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_CONV_GRAD_H_
