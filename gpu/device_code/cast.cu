// Elements as another type.
//
//   cast_FROM_TO(out, in, size)
//
// out [size] may be in [size] if both types have as many bytes.

#include "ops_by_type.h"
#include "vectors.h"

namespace tfrt::gpu::device {
namespace {

template <typename To, typename From>
TFRT_DEVICE void CastAll(To* out, const From* in, int64_t size) {
  constexpr int kCount = kSideBySide<To, From>;
  const bool in_vectors =
      IsAligned(in, kCount * sizeof(From)) && IsAligned(out, kCount * sizeof(To));
  ForEachVector<kCount>(
      size, in_vectors,
      [=](int64_t i) {
        const auto elements = LoadVector<kCount>(in + i);
        Vector<To, kCount> results;
#pragma unroll
        for (int e = 0; e < kCount; ++e) results.at[e] = Cast<To>(elements.at[e]);
        StoreVector(out + i, results);
      },
      [=](int64_t i) { out[i] = Cast<To>(in[i]); });
}

}  // namespace

#define TFRT_CAST_KERNEL(from, to) \
  TFRT_KERNEL cast_##from##_##to(to* out, const from* in, int64_t size) { CastAll(out, in, size); }
TFRT_CASTS(TFRT_CAST_KERNEL)

}  // namespace tfrt::gpu::device
