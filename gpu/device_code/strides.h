// Places in tensors of up to four dimensions.
#ifndef TFRT_GPU_DEVICE_CODE_STRIDES_H_
#define TFRT_GPU_DEVICE_CODE_STRIDES_H_

#include "grid.h"

namespace tfrt::gpu::device {

// Sizes, places or steps along four dimensions, the slowest first.
struct Places {
  int64_t at[4];

  TFRT_DEVICE int64_t Elements() const { return at[0] * at[1] * at[2] * at[3]; }
  // For sizes: returns the place of element i of a dense tensor.
  TFRT_DEVICE Places PlaceOf(int64_t i) const {
    Places place;
    int64_t rest = i;
#pragma unroll
    for (int d = 3; d > 0; --d) {
      const int64_t quotient = rest / at[d];
      place.at[d] = rest - quotient * at[d];
      rest = quotient;
    }
    place.at[0] = rest;
    return place;
  }
  // For a place: returns its distance from the first element.
  TFRT_DEVICE int64_t OffsetWith(const Places& steps) const {
    return at[0] * steps.at[0] + at[1] * steps.at[1] + at[2] * steps.at[2] + at[3] * steps.at[3];
  }
};

}  // namespace tfrt::gpu::device

#endif  // TFRT_GPU_DEVICE_CODE_STRIDES_H_
