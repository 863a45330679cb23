// Windows that slide over images with three spatial dimensions, of which those that an image has
// not are of size 1. Images are [N,C,Z,Y,X] or, with the channels last, [N,Z,Y,X,C].
#ifndef TFRT_GPU_DEVICE_CODE_WINDOWS_H_
#define TFRT_GPU_DEVICE_CODE_WINDOWS_H_

#include "grid.h"

// Parameters of kernels: a number for each spatial dimension, the slowest first.
#define TFRT_THREE(name) int32_t name##_z, int32_t name##_y, int32_t name##_x
#define TFRT_THREE_OF(name) {name##_z, name##_y, name##_x}

namespace tfrt::gpu::device {

// Numbers along the spatial dimensions.
struct Spatial {
  int32_t z, y, x;

  TFRT_DEVICE int32_t Product() const { return z * y * x; }
};

// The place of pixel i of an image, or of tap i of a filter.
TFRT_DEVICE Spatial PixelOf(uint32_t i, const Spatial& sizes) {
  const auto x = static_cast<uint32_t>(sizes.x), y = static_cast<uint32_t>(sizes.y);
  const uint32_t row = i / x;
  const uint32_t plane = row / y;
  return {static_cast<int32_t>(plane), static_cast<int32_t>(row - plane * y),
          static_cast<int32_t>(i - row * x)};
}

// Tap k of window o is at position o * stride - before + k * dilation.
struct Windows {
  Spatial in;   // the pixels that windows lie on
  Spatial out;  // the numbers of windows
  Spatial taps;
  Spatial stride;
  Spatial dilation;
  Spatial before;
};

TFRT_DEVICE bool IsWithin(const Spatial& place, const Spatial& sizes) {
  // Negative numbers are large ones without their sign.
  return static_cast<uint32_t>(place.z) < static_cast<uint32_t>(sizes.z) &&
         static_cast<uint32_t>(place.y) < static_cast<uint32_t>(sizes.y) &&
         static_cast<uint32_t>(place.x) < static_cast<uint32_t>(sizes.x);
}

TFRT_DEVICE int32_t PixelAt(const Spatial& place, const Spatial& sizes) {
  return (place.z * sizes.y + place.y) * sizes.x + place.x;
}

// Distances between elements of images.
struct ImageSteps {
  int64_t image, channel, pixel;
};
TFRT_DEVICE ImageSteps StepsOf(int64_t channels, const Spatial& sizes, bool channels_last) {
  const int64_t pixels = sizes.Product();
  return {channels * pixels, channels_last ? 1 : pixels, channels_last ? channels : 1};
}

}  // namespace tfrt::gpu::device

#endif  // TFRT_GPU_DEVICE_CODE_WINDOWS_H_
