// Where the positions of a resized dimension lie, as the ONNX op Resize has it.
#ifndef TFRT_GPU_DEVICE_CODE_RESIZE_PLACES_H_
#define TFRT_GPU_DEVICE_CODE_RESIZE_PLACES_H_

#include "device_math.h"
#include "grid.h"

namespace tfrt::gpu::device {

// A place between the positions `left` and left + 1, or on the latter: 0 < ratio <= 1.
struct PlaceBetween {
  int64_t left;
  f64 ratio;
};

struct ResizedDim {
  int64_t in_size, out_size;
  f64 scale;
  bool is_scaled;  // the scale is given, with 32 bits, and not made of the sizes
  f32 begin, end;  // of the region, for kCropAndResize
  int32_t coordinates;

  // In the order of the host's enum (lib/ops/maths/cpu/resize.h).
  static constexpr int32_t kHalfPixel = 0, kHalfPixelSymmetric = 1, kPytorchHalfPixel = 2,
                           kAlignCorners = 3, kAsymmetric = 4, kHalfPixelForNearest = 5,
                           kCropAndResize = 6;

  template <typename F>
  TFRT_DEVICE F PlaceOfType(int64_t position) const {
    const F x = static_cast<F>(position), by = static_cast<F>(scale);
    const F in = static_cast<F>(in_size), out = static_cast<F>(out_size);
    // The size by the scale, before it is rounded.
    const F exact_size = is_scaled ? by * in : out;
    const F half = F(0.5);
    if (coordinates == kHalfPixelSymmetric) {
      return in / 2 * (1 - out / exact_size) + (x + half) / by - half;
    }
    if (coordinates == kAlignCorners) {
      return exact_size == 1 ? F(0) : x * (in - 1) / (exact_size - 1);
    }
    if (coordinates == kCropAndResize) {
      const F first = begin, last = end;
      if (out_size == 1) return half * (first + last) * (in - 1);
      return first * (in - 1) + x * (last - first) * (in - 1) / (out - 1);
    }
    if (coordinates == kAsymmetric) return x / by;
    if (coordinates == kHalfPixelForNearest) return (x + half) / by;
    if (coordinates == kPytorchHalfPixel && out_size <= 1) return 0;
    return (x + half) / by - half;
  }
  // Returns the place in the input of a position of the output. A given scale may be a little above
  // its decimal number, and a place that is an integer must not fall below it. In f32 it is rounded
  // back.
  TFRT_DEVICE f64 PlaceOf(int64_t position) const {
    const bool divides = coordinates != kAlignCorners && coordinates != kCropAndResize;
    if (is_scaled && divides) return static_cast<f64>(PlaceOfType<f32>(position));
    return PlaceOfType<f64>(position);
  }
  // NaN, of a region that is NaN, is outside, too.
  TFRT_DEVICE bool IsOutside(f64 place) const {
    return coordinates == kCropAndResize && !(place >= 0 && place <= static_cast<f64>(in_size - 1));
  }
  // Far outside nothing changes any more; NaN, of scales that are almost 0, is there, too.
  TFRT_DEVICE PlaceBetween Between(f64 place) const {
    constexpr f64 kFar = 0x1p52;
    const f64 most = static_cast<f64>(in_size) + kFar;
    place = place > -kFar ? (place < most ? place : most) : -kFar;
    const auto left = static_cast<int64_t>(-Floor(-place)) - 1;
    return {left, place - static_cast<f64>(left)};
  }
};

}  // namespace tfrt::gpu::device

#endif  // TFRT_GPU_DEVICE_CODE_RESIZE_PLACES_H_
