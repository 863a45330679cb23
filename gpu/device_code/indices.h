// Places that indices name.
#ifndef TFRT_GPU_DEVICE_CODE_INDICES_H_
#define TFRT_GPU_DEVICE_CODE_INDICES_H_

#include "dims.h"

namespace tfrt::gpu::device {

// The position of an index along a dimension, from the end if it is below 0; -1 outside.
template <typename Index>
TFRT_DEVICE int64_t PositionOf(Index index, int64_t size) {
  const int64_t at = index < 0 ? int64_t{index} + size : int64_t{index};
  return at >= 0 && at < size ? at : -1;
}

// The slice that `depth` indices name along the first dimensions, at most eight; -1 outside.
template <typename Index>
TFRT_DEVICE int64_t SliceOf(const Index* indices, int64_t depth, const Dims<8>& sizes) {
  int64_t slice = 0;
  bool is_outside = false;
#pragma unroll
  for (int d = 0; d < 8; ++d) {
    if (d >= depth) continue;
    const int64_t at = PositionOf(indices[d], sizes.at[d]);
    is_outside |= at < 0;
    slice = slice * sizes.at[d] + at;
  }
  return is_outside ? -1 : slice;
}

}  // namespace tfrt::gpu::device

#endif  // TFRT_GPU_DEVICE_CODE_INDICES_H_
