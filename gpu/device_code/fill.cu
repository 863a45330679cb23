// The same value for all elements.
//
//   fill_WIDTH(out, value, size)      b8, b16, b32, b64: an element with these bits

#include "ops_by_type.h"
#include "vectors.h"

namespace tfrt::gpu::device {
namespace {

template <typename T>
TFRT_DEVICE void Fill(T* out, T value, int64_t size) {
  constexpr int kCount = kWholeVector<T>;
  const auto values = Repeat<kCount>(value);
  ForEachVector<kCount>(
      size, IsAligned(out, kMostVectorBytes), [=](int64_t i) { StoreVector(out + i, values); },
      [=](int64_t i) { out[i] = value; });
}

}  // namespace

#define TFRT_FILL_KERNEL(width, type) \
  TFRT_KERNEL fill_##width(type* out, type value, int64_t size) { Fill(out, value, size); }
TFRT_WIDTHS(TFRT_FILL_KERNEL)

}  // namespace tfrt::gpu::device
