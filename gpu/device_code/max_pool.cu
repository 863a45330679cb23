// The largest element of each window, and the gradient.
//
//   max_pool_TYPE(out, places, in, POOL)
//     NaN if there is one in the window; -infinity, or the least integer, for a window beside the
//     image. `places` (i64) may be null: where in the whole input the elements are, the first of
//     equal ones or the first NaN; 0 for a window beside the image.
//   max_pool_grad_TYPE(in_grad, in, out, out_grad, POOL)
//     the sum of the gradients of all windows whose first element that is not smaller than `out` is
//     this one, in the order of the windows
//
// POOL: batch, channels, in_z, in_y, in_x, out_z, ..., taps_z, ..., stride_z, ..., dilation_z, ...,
// before_z, before_y, before_x, channels_last, all i32. Images [N,C,Z,Y,X] or, with
// `channels_last`, [N,Z,Y,X,C], of less than 2^31 pixels. Tap k of window o is at o * stride -
// before + k * dilation. Results share no memory with what is read.

#include "element_ops.h"
#include "fixed_blocks.h"
#include "ops_by_type.h"
#include "pools.h"
#include "reductions.h"

namespace tfrt::gpu::device {
namespace {

using Element = TFRT_TYPE;
using C = Compute<Element>;

TFRT_DEVICE void TakeLargest(Element* out, int64_t* places, const Element* in, const Pool& pool) {
  const ImageSteps steps = StepsOf(pool.channels, pool.windows.in, pool.channels_last);
  ForEachPixel(pool, pool.windows.out,
               [&](int64_t i, int64_t image, int64_t channel, const Spatial& window) {
                 const int64_t plane = image * steps.image + channel * steps.channel;
                 C largest = Max<Element>::None();
                 int64_t place = -1;
                 ForEachTap(pool.windows, window, [&](int32_t pixel) {
                   const int64_t at = plane + pixel * steps.pixel;
                   const C value = Decode(in[at]);
                   if (place < 0 || value > largest || (IsNan(value) && !IsNan(largest))) {
                     largest = value;
                     place = at;
                   }
                   return true;
                 });
                 out[i] = Encode<Element>(largest);
                 if (places != nullptr) places[i] = place < 0 ? 0 : place;
               });
}

TFRT_DEVICE void GiveToLargest(Element* in_grad, const Element* in, const Element* out,
                               const Element* out_grad, const Pool& pool) {
  const Windows& windows = pool.windows;
  const ImageSteps steps = StepsOf(pool.channels, windows.in, pool.channels_last);
  const ImageSteps out_steps = StepsOf(pool.channels, windows.out, pool.channels_last);
  ForEachPixel(pool, windows.in,
               [&](int64_t i, int64_t image, int64_t channel, const Spatial& pixel) {
                 const int64_t plane = image * steps.image + channel * steps.channel;
                 const int64_t out_plane = image * out_steps.image + channel * out_steps.channel;
                 const int32_t own = PixelAt(pixel, windows.in);
                 const C value = Decode(in[i]);
                 C sum = 0;
                 ForEachWindowOn(windows, pixel, [&](const Spatial& window) {
                   const int64_t at = out_plane + PixelAt(window, windows.out) * out_steps.pixel;
                   const C largest = Decode(out[at]);
                   if (value < largest) return;
                   int32_t first = -1;
                   ForEachTap(windows, window, [&](int32_t other) {
                     if (Decode(in[plane + other * steps.pixel]) < largest) return true;
                     first = other;
                     return false;
                   });
                   if (first == own) sum = Plus(sum, Decode(out_grad[at]));
                 });
                 in_grad[i] = Encode<Element>(sum);
               });
}

}  // namespace

TFRT_BLOCK_KERNEL TFRT_ENTRY(max_pool)(Element* result, int64_t* places, const Element* images,
                                       TFRT_POOL) {
  TakeLargest(result, places, images, TFRT_POOL_OF_PARAMETERS);
}

TFRT_LARGE_BLOCK_KERNEL TFRT_ENTRY(max_pool_grad)(Element* in_grad, const Element* images,
                                                  const Element* result, const Element* out_grad,
                                                  TFRT_POOL) {
  GiveToLargest(in_grad, images, result, out_grad, TFRT_POOL_OF_PARAMETERS);
}

}  // namespace tfrt::gpu::device
