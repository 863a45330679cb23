// Tensors at other sizes, as the ONNX op Resize: where positions lie, and what is taken from there.
#ifndef TFRT_LIB_OPS_MATHS_CPU_RESIZE_H_
#define TFRT_LIB_OPS_MATHS_CPU_RESIZE_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "pick.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/shape.h"

namespace tfrt::cpu {

enum class ResizeMode { kNearest, kLinear, kCubic };
enum class ResizeCoordinates {
  kHalfPixel,
  kHalfPixelSymmetric,
  kPytorchHalfPixel,
  kAlignCorners,
  kAsymmetric,
  kHalfPixelForNearest,
  kCropAndResize,
};
enum class ResizeNearest { kRoundPreferFloor, kRoundPreferCeil, kFloor, kCeil };

// Names are those of ONNX. InvalidArgument: "unknown mode 'area'" and so on.
StatusOr<ResizeMode> ResizeModeOf(std::string_view name);
StatusOr<ResizeCoordinates> ResizeCoordinatesOf(std::string_view name);
StatusOr<ResizeNearest> ResizeNearestOf(std::string_view name);

struct ResizeOptions {
  ResizeMode mode = ResizeMode::kNearest;
  ResizeCoordinates coordinates = ResizeCoordinates::kHalfPixel;
  ResizeNearest nearest = ResizeNearest::kRoundPreferFloor;
  float cubic_coefficient = -0.75f;
  bool antialias = false;
  bool exclude_outside = false;
};

// One dimension.
struct ResizeDim {
  int64_t in_size;
  int64_t out_size;
  double scale;
  bool is_scaled = false;    // the scale is given, with 32 bits, and not made of the sizes
  float begin = 0, end = 1;  // of the region, for kCropAndResize

  bool is_whole(const ResizeOptions& options) const {
    return in_size == out_size && scale == 1 &&
           options.coordinates != ResizeCoordinates::kCropAndResize;
  }
};

// Positions of the dimension to pick from (pick.h); nowhere: outside of the region's tensor.
PickedDim NearestPositions(const ResizeDim& dim, const ResizeOptions& options);

// Weighted sums of `count` elements along a dimension for each position of the output.
template <typename T>
struct Taps {
  Taps(const ResizeDim& dim, const ResizeOptions& options);

  int64_t count;                   // even
  std::vector<int64_t> positions;  // in the input, [out_size,count]; -1 first: outside
  std::vector<T> weights;
};

// Linear and cubic resizing of T float or double, any number of dimensions.
template <typename T>
struct ResizePlan {
  // `dims` are the tensor's, all of them; both tensors have elements, and not all stays.
  ResizePlan(const std::vector<ResizeDim>& dims, const ResizeOptions& options, T extrapolation);

  struct Dim {
    int64_t in_size;
    int64_t out_size;
    int64_t in_stride;
    std::vector<Taps<T>> taps;  // one, or none where positions stay
  };
  std::vector<Dim> outer;  // all that come before the last one that changes, outermost first
  Dim last{1, 1, 1, {}};   // that one; its stride is that of what stays together behind it
  int64_t num_rows = 1;    // of the output
  T extrapolation;

  int64_t in_row_size() const { return last.in_size * last.in_stride; }
  int64_t out_row_size() const { return last.out_size * last.in_stride; }
};
// Rows [begin, end), of which the first is to be at `out`.
template <typename T>
void Resize(const ResizePlan<T>& plan, const T* in, T* out, int64_t begin, int64_t end);

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_RESIZE_H_
