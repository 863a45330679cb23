// A kernel of one's own: grey levels of images as the numbers that the network was trained with.
//
//   grey_levels(out, in, size)      u8 in [size], 0 to 16 -> f32 out [size], 0 to 1

#include "grid.h"

TFRT_KERNEL grey_levels(float* out, const uint8_t* in, int64_t size) {
  tfrt::gpu::device::ForEach(size,
                             [=](int64_t i) { out[i] = static_cast<float>(in[i]) * (1.0f / 16); });
}
