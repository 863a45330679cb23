// Geometry of windows that slide over an image: what convolution and pooling agree on. Sizes are
// overflow-safe: whatever numbers a program gives, the result is a geometry that can be walked in
// 64 bits or a Status.
#ifndef TFRT_LIB_OPS_MATHS_SHAPES_WINDOW_GEOMETRY_H_
#define TFRT_LIB_OPS_MATHS_SHAPES_WINDOW_GEOMETRY_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "tfrt/support/status.h"
#include "tfrt/tensor/shape.h"

namespace tfrt {

enum class Padding {
  kValid,     // none: every window lies inside the image
  kSame,      // ceil(input / stride) windows; the odd element of padding comes after
  kExplicit,  // as given
};

// "valid", "same" or "explicit" in any letter case; InvalidArgument "Unknown padding type P".
StatusOr<Padding> ParsePadding(std::string_view text);

struct ExplicitPadding {
  int64_t before = 0;
  int64_t after = 0;
};

// Windows of `filter` taps, `dilation` apart, along one dimension. Window o covers the positions o
// * stride - pad_before + k * dilation, 0 <= k < filter. Only positions in [0, input) exist.
struct WindowDimension {
  int64_t input = 0;
  int64_t filter = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t pad_before = 0;
  int64_t pad_after = 0;
  int64_t output = 0;

  // Computes pad_before, pad_after and output. Padding::kExplicit needs `explicit_padding`.
  // InvalidArgument for a stride, a dilation or a filter below 1, for negative padding and for
  // negative or overflowing sizes.
  static StatusOr<WindowDimension> Create(int64_t input, int64_t filter, int64_t stride,
                                          int64_t dilation, Padding padding,
                                          std::optional<ExplicitPadding> explicit_padding = {});

  // The taps [begin, end) of window `index` that lie inside the image, and the position of tap 0.
  struct Taps {
    int64_t begin;
    int64_t end;
    int64_t first_position;  // may be negative
  };
  Taps TapsOf(int64_t index) const {
    Taps taps{0, 0, index * stride - pad_before};
    if (taps.first_position < 0) taps.begin = (-taps.first_position - 1) / dilation + 1;
    if (taps.first_position < input) taps.end = (input - 1 - taps.first_position) / dilation + 1;
    if (taps.end > filter) taps.end = filter;
    if (taps.begin > taps.end) taps.begin = taps.end;
    return taps;
  }
};

// Windows over the rows and columns of [N,H,W,C].
struct Window2d {
  WindowDimension rows;
  WindowDimension columns;

  // Requires that `image` has rank 4, and `filter` and `strides` two elements each. The caller has
  // checked that with its own messages. `dilations` and `explicit_paddings` may be empty.
  static StatusOr<Window2d> Create(const TensorShape& image, std::span<const int64_t> filter,
                                   std::span<const int64_t> strides, Padding padding,
                                   std::span<const int64_t> dilations = {},
                                   std::span<const ExplicitPadding> explicit_paddings = {});
};

// A convolution of an image [N,H,W,C] with a filter [H,W,C,O].
struct Conv2dGeometry {
  int64_t batch = 0;
  int64_t input_channels = 0;
  int64_t output_channels = 0;
  Window2d window;

  // Creates the geometry from shapes and attributes, with the messages of the eigen.conv2d kernels.
  // They are "strides should have 2 elements", "Unknown padding type P", "Dimensions does not
  // match: input channels is A and kernel depth is B". WindowDimension::Create adds its own.
  static StatusOr<Conv2dGeometry> Create(const TensorShape& image, const TensorShape& filter,
                                         std::span<const int64_t> strides, std::string_view padding,
                                         std::span<const int64_t> dilations = {},
                                         std::span<const ExplicitPadding> explicit_paddings = {});

  // [N, output rows, output columns, O]; InvalidArgument if it has too many elements.
  StatusOr<TensorShape> OutputShape() const;
};

// That of an image [N,H,W,C] and a filter [H,W,C,O]; `padding` is top, bottom, left, right.
StatusOr<Conv2dGeometry> Conv2dGeometryOf(const TensorShape& image, const TensorShape& filter,
                                          std::span<const int64_t> dilations,
                                          std::span<const int64_t> padding,
                                          std::span<const int64_t> strides);
// The windows of a pooling of [N,H,W,C].
StatusOr<Window2d> Pool2dWindow(const TensorShape& in, std::span<const int64_t> ksize,
                                std::string_view padding, std::span<const int64_t> strides);

// "Tensor shapes do not match: A_NAME is [..] and B_NAME is [..]" unless they are equal.
Status CheckShapesMatch(std::string_view a_name, const TensorShape& a, std::string_view b_name,
                        const TensorShape& b);

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_MATHS_SHAPES_WINDOW_GEOMETRY_H_
