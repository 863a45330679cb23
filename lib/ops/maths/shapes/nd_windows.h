// Windows over images with any order of channels and up to three spatial dimensions, as the op
// table's conv and pools describe them.
#ifndef TFRT_LIB_OPS_MATHS_SHAPES_ND_WINDOWS_H_
#define TFRT_LIB_OPS_MATHS_SHAPES_ND_WINDOWS_H_

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "tfrt/support/status.h"
#include "tfrt/tensor/shape.h"
#include "window_geometry.h"

namespace tfrt {

// The attributes of such an op, borrowed. Empty arrays are ones, or zeros for pads.
struct NdWindowAttributes {
  bool channels_last = false;
  std::string_view padding = "explicit";  // or same_upper, same_lower
  std::span<const int64_t> dilations;
  std::span<const int64_t> pads;  // before each dimension, then behind each
  std::span<const int64_t> strides;
};

// Depth, rows and columns; those that there are not, in front, have the size 1.
struct NdWindows {
  static constexpr size_t kMaxSpatial = 3;

  bool channels_last = false;
  size_t num_spatial = 0;
  int64_t batch = 0;
  int64_t channels = 0;  // of the larger images
  std::array<WindowDimension, kMaxSpatial> dims;

  int64_t in_pixels() const { return dims[0].input * dims[1].input * dims[2].input; }
  int64_t out_pixels() const { return dims[0].output * dims[1].output * dims[2].output; }
  int64_t taps() const { return dims[0].filter * dims[1].filter * dims[2].filter; }

  // Creates windows on `in`, where `in` and `out` are [N,C,X...] or [N,X...,C]. The sizes of `out`
  // must be those of the op's shape function. The member pad_after is taken from the attributes, or
  // computed for same_upper and same_lower. InvalidArgument if the count of numbers is not that of
  // the spatial dimensions, and for more than three of these. InvalidArgument also for an unknown
  // padding, and for numbers that cannot be computed with.
  static StatusOr<NdWindows> Create(const TensorShape& in, const TensorShape& out,
                                    std::span<const int64_t> filter,
                                    const NdWindowAttributes& attributes);
};

// Returns pad_before of a transposed convolution with padding by name, where windows lie on the
// result. The ends that are cut off make up for `output_padding`, which is added at one of them.
int64_t PadBeforeTransposed(int64_t filter, int64_t dilation, int64_t stride,
                            int64_t output_padding, bool lower);

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_MATHS_SHAPES_ND_WINDOWS_H_
