// Means and norms of windows.
//
//   average_pool_TYPE(out, in, count_padding, after_z, after_y, after_x, POOL)
//     the mean of the elements of a window that lie on the image, NaN for none; with
//     `count_padding` the sum is divided by the number of taps on the image with its padding
//   average_pool_grad_TYPE(in_grad, out_grad, count_padding, after_z, after_y, after_x, POOL)
//   lp_pool_TYPE(out, in, p, POOL)
//     (sum |x|^p)^(1/p); p is f32
//
// POOL as in max_pool.cu; `count_padding` and `after`, the padding behind, are i32. f16 and bf16
// are summed in f32, in the order of the taps, or of the windows. Results share no memory with what
// is read.

#include "device_math.h"
#include "fixed_blocks.h"
#include "ops_by_type.h"
#include "pools.h"

namespace tfrt::gpu::device {
namespace {

using Element = TFRT_TYPE;
using C = Compute<Element>;

// How many taps of a window lie on the image, or on the image and its padding.
TFRT_DEVICE int32_t TapsOn(int32_t window, int32_t size, int32_t taps, int32_t stride,
                           int32_t dilation, int32_t before, int32_t after, bool count_padding) {
  const int32_t first = window * stride - before;
  const int32_t room = (count_padding ? size + after : size) - first;
  int32_t end = room > 0 ? (room - 1) / dilation + 1 : 0;
  end = end < taps ? end : taps;
  const int32_t begin = !count_padding && first < 0 ? (-first - 1) / dilation + 1 : 0;
  return end > begin ? end - begin : 0;
}
TFRT_DEVICE C CountOf(const Windows& w, const Spatial& window, const Spatial& after,
                      bool count_padding) {
  const int32_t z = TapsOn(window.z, w.in.z, w.taps.z, w.stride.z, w.dilation.z, w.before.z,
                           after.z, count_padding);
  const int32_t y = TapsOn(window.y, w.in.y, w.taps.y, w.stride.y, w.dilation.y, w.before.y,
                           after.y, count_padding);
  const int32_t x = TapsOn(window.x, w.in.x, w.taps.x, w.stride.x, w.dilation.x, w.before.x,
                           after.x, count_padding);
  return static_cast<C>(int64_t{z} * y * x);
}

// out = finish(sum of take(element), window).
template <typename Take, typename Finish>
TFRT_DEVICE void SumWindows(Element* out, const Element* in, const Pool& pool, Take take,
                            Finish finish) {
  const ImageSteps steps = StepsOf(pool.channels, pool.windows.in, pool.channels_last);
  ForEachPixel(pool, pool.windows.out,
               [&](int64_t i, int64_t image, int64_t channel, const Spatial& window) {
                 const int64_t plane = image * steps.image + channel * steps.channel;
                 C sum = 0;
                 ForEachTap(pool.windows, window, [&](int32_t pixel) {
                   sum += take(Decode(in[plane + pixel * steps.pixel]));
                   return true;
                 });
                 out[i] = Encode<Element>(finish(sum, window));
               });
}

TFRT_DEVICE void SpreadMeans(Element* in_grad, const Element* out_grad, bool count_padding,
                             const Spatial& after, const Pool& pool) {
  const Windows& windows = pool.windows;
  const ImageSteps steps = StepsOf(pool.channels, windows.out, pool.channels_last);
  ForEachPixel(pool, windows.in,
               [&](int64_t i, int64_t image, int64_t channel, const Spatial& pixel) {
                 const int64_t plane = image * steps.image + channel * steps.channel;
                 C sum = 0;
                 ForEachWindowOn(windows, pixel, [&](const Spatial& window) {
                   const int64_t at = plane + PixelAt(window, windows.out) * steps.pixel;
                   sum += Decode(out_grad[at]) / CountOf(windows, window, after, count_padding);
                 });
                 in_grad[i] = Encode<Element>(sum);
               });
}

TFRT_DEVICE void Norms(Element* out, const Element* in, C p, const Pool& pool) {
  SumWindows(
      out, in, pool, [=](C x) { return p == 1   ? Abs(x)
                                       : p == 2 ? x * x
                                                : Pow(Abs(x), p); },
      [=](C sum, const Spatial&) { return p == 1   ? sum
                                          : p == 2 ? Sqrt(sum)
                                                   : Pow(sum, 1 / p); });
}

TFRT_DEVICE void Means(Element* out, const Element* in, bool count_padding, const Spatial& after,
                       const Pool& pool) {
  SumWindows(
      out, in, pool, [](C x) { return x; },
      [&](C sum, const Spatial& window) {
        return sum / CountOf(pool.windows, window, after, count_padding);
      });
}

}  // namespace

TFRT_LARGE_BLOCK_KERNEL TFRT_ENTRY(average_pool)(Element* result, const Element* images,
                                                 int32_t count_padding, TFRT_THREE(after),
                                                 TFRT_POOL) {
  Means(result, images, count_padding != 0, TFRT_THREE_OF(after), TFRT_POOL_OF_PARAMETERS);
}

TFRT_BLOCK_KERNEL TFRT_ENTRY(average_pool_grad)(Element* in_grad, const Element* out_grad,
                                                int32_t count_padding, TFRT_THREE(after),
                                                TFRT_POOL) {
  SpreadMeans(in_grad, out_grad, count_padding != 0, TFRT_THREE_OF(after), TFRT_POOL_OF_PARAMETERS);
}

TFRT_LARGE_BLOCK_KERNEL TFRT_ENTRY(lp_pool)(Element* result, const Element* images, float p,
                                            TFRT_POOL) {
  Norms(result, images, static_cast<C>(p), TFRT_POOL_OF_PARAMETERS);
}

}  // namespace tfrt::gpu::device
