// Parameters of the kernels of pools, and the windows of pixels.
#ifndef TFRT_GPU_DEVICE_CODE_POOLS_H_
#define TFRT_GPU_DEVICE_CODE_POOLS_H_

#include "dims.h"
#include "windows.h"

// Parameters: POOL in max_pool.cu.
#define TFRT_POOL                                                                     \
  int32_t batch, int32_t channels, TFRT_THREE(in), TFRT_THREE(out), TFRT_THREE(taps), \
      TFRT_THREE(stride), TFRT_THREE(dilation), TFRT_THREE(before), int32_t channels_last
#define TFRT_POOL_OF_PARAMETERS                                                        \
  {batch,                                                                              \
   channels,                                                                           \
   {TFRT_THREE_OF(in), TFRT_THREE_OF(out), TFRT_THREE_OF(taps), TFRT_THREE_OF(stride), \
    TFRT_THREE_OF(dilation), TFRT_THREE_OF(before)},                                   \
   channels_last != 0}

namespace tfrt::gpu::device {

struct Pool {
  int32_t batch, channels;
  Windows windows;
  bool channels_last;
};

// Calls fn(i, image, channel, pixel) for the elements of images of this size: their numbers in
// memory, and where they are.
template <typename F>
TFRT_DEVICE void ForEachPixel(const Pool& pool, const Spatial& sizes, F fn) {
  const int64_t pixels = sizes.Product(), channels = pool.channels;
  const bool last = pool.channels_last;
  ForEachPlace(Dims<3>{pool.batch, last ? pixels : channels, last ? channels : pixels},
               [&](int64_t i, const Dims<3>& place) {
                 const int64_t channel = place.at[last ? 2 : 1], pixel = place.at[last ? 1 : 2];
                 fn(i, place.at[0], channel, PixelOf(static_cast<uint32_t>(pixel), sizes));
               });
}

// Calls fn(pixel) for the taps of a window that lie on the image, in row-major order, until it
// returns false.
template <typename F>
TFRT_DEVICE void ForEachTap(const Windows& w, const Spatial& window, F fn) {
  const Spatial first = {window.z * w.stride.z - w.before.z, window.y * w.stride.y - w.before.y,
                         window.x * w.stride.x - w.before.x};
  for (int32_t z = 0; z < w.taps.z; ++z) {
    for (int32_t y = 0; y < w.taps.y; ++y) {
      for (int32_t x = 0; x < w.taps.x; ++x) {
        const Spatial pixel = {first.z + z * w.dilation.z, first.y + y * w.dilation.y,
                               first.x + x * w.dilation.x};
        if (IsWithin(pixel, w.in) && !fn(PixelAt(pixel, w.in))) return;
      }
    }
  }
}

// The windows along one dimension of which a tap may lie at `position`.
struct Range {
  int32_t begin, end;
};
TFRT_DEVICE Range WindowsAt(int32_t position, int32_t before, int32_t taps, int32_t stride,
                            int32_t dilation, int32_t count) {
  const int32_t last = position + before, first = last - (taps - 1) * dilation;
  const int32_t begin = first > 0 ? (first + stride - 1) / stride : 0;
  const int32_t end = last >= 0 ? last / stride + 1 : 0;
  return {begin, end < count ? end : count};
}
TFRT_DEVICE bool HasTapAt(int32_t position, int32_t window, int32_t before, int32_t stride,
                          int32_t dilation) {
  return (position + before - window * stride) % dilation == 0;
}

// Calls fn(window) for all windows with a tap on this pixel, in row-major order.
template <typename F>
TFRT_DEVICE void ForEachWindowOn(const Windows& w, const Spatial& pixel, F fn) {
  const Range zs = WindowsAt(pixel.z, w.before.z, w.taps.z, w.stride.z, w.dilation.z, w.out.z);
  const Range ys = WindowsAt(pixel.y, w.before.y, w.taps.y, w.stride.y, w.dilation.y, w.out.y);
  const Range xs = WindowsAt(pixel.x, w.before.x, w.taps.x, w.stride.x, w.dilation.x, w.out.x);
  for (int32_t z = zs.begin; z < zs.end; ++z) {
    if (!HasTapAt(pixel.z, z, w.before.z, w.stride.z, w.dilation.z)) continue;
    for (int32_t y = ys.begin; y < ys.end; ++y) {
      if (!HasTapAt(pixel.y, y, w.before.y, w.stride.y, w.dilation.y)) continue;
      for (int32_t x = xs.begin; x < xs.end; ++x) {
        if (HasTapAt(pixel.x, x, w.before.x, w.stride.x, w.dilation.x)) fn(Spatial{z, y, x});
      }
    }
  }
}

}  // namespace tfrt::gpu::device

#endif  // TFRT_GPU_DEVICE_CODE_POOLS_H_
