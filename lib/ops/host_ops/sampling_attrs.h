// The attributes and sizes of ops that sample images or put blocks of them together, for all
// devices. Errors name the op but for those of `resize`.
#ifndef TFRT_LIB_OPS_HOST_OPS_SAMPLING_ATTRS_H_
#define TFRT_LIB_OPS_HOST_OPS_SAMPLING_ATTRS_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "lib/ops/maths/cpu/resize.h"
#include "lib/ops/maths/cpu/sampling.h"
#include "lib/ops/maths/cpu/slices.h"
#include "tfrt/core_runtime/op_attrs.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/shape.h"

namespace tfrt {

// resize: InvalidArgument for unknown names.
StatusOr<cpu::ResizeOptions> ResizeOptionsOf(const OpAttrsRef& attrs);
// resize: all dimensions. Scales and box may be null: then scales are what the sizes say, and the
// box is the whole input. InvalidArgument for other numbers of them, and for scales that are not
// above 0.
StatusOr<std::vector<cpu::ResizeDim>> ResizeDimsOf(const TensorShape& in, const TensorShape& out,
                                                   const DenseHostTensor* scales,
                                                   const DenseHostTensor* box);

// grid_sample: InvalidArgument for unknown names.
StatusOr<cpu::GridSampleOptions> GridSampleOptionsOf(std::string_view op_name,
                                                     const TensorShape& in, const TensorShape& grid,
                                                     const OpAttrsRef& attrs);
// roi_align: InvalidArgument for unknown names.
StatusOr<cpu::RoiAlignOptions> RoiAlignOptionsOf(std::string_view op_name, const TensorShape& in,
                                                 const OpAttrsRef& attrs);
// add_blocks: the dimensions of images with these sizes, of which there are `num_blocks` blocks.
// InvalidArgument for numbers that do not fit each other.
StatusOr<std::vector<cpu::BlockDim>> BlockDimsOf(std::string_view op_name, const OpAttrsRef& attrs,
                                                 std::span<const int64_t> image,
                                                 std::span<const int64_t> block,
                                                 int64_t num_blocks);

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_HOST_OPS_SAMPLING_ATTRS_H_
