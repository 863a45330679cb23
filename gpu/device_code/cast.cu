// Elements as another type.
//
//   cast_FROM_TO(out, in, size)
//   truncate_FROM_TO(out, in, size)
//     of floats to narrower ones: without the bits that the type has not
//
// out [size] may be in [size] if both types have as many bytes.

#include "ops_by_type.h"
#include "truncate.h"
#include "vectors.h"

namespace tfrt::gpu::device {
namespace {

// out[i] = convert(in[i])
template <typename To, typename From, typename F>
TFRT_DEVICE void ConvertAll(To* out, const From* in, int64_t size, F convert) {
  constexpr int kCount = kSideBySide<To, From>;
  const bool in_vectors =
      IsAligned(in, kCount * sizeof(From)) && IsAligned(out, kCount * sizeof(To));
  ForEachVector<kCount>(
      size, in_vectors,
      [=](int64_t i) {
        const auto elements = LoadVector<kCount>(in + i);
        Vector<To, kCount> results;
#pragma unroll
        for (int e = 0; e < kCount; ++e) results.at[e] = convert(elements.at[e]);
        StoreVector(out + i, results);
      },
      [=](int64_t i) { out[i] = convert(in[i]); });
}

}  // namespace

#define TFRT_CAST_KERNEL(from, to)                                             \
  TFRT_KERNEL cast_##from##_##to(to* out, const from* in, int64_t size) {      \
    ConvertAll(out, in, size, [](from element) { return Cast<to>(element); }); \
  }
TFRT_CASTS(TFRT_CAST_KERNEL)

#define TFRT_TRUNCATIONS(V) V(f64, f32) V(f64, f16) V(f64, bf16) V(f32, f16) V(f32, bf16)
#define TFRT_TRUNCATE_KERNEL(from, to)                                             \
  TFRT_KERNEL truncate_##from##_##to(to* out, const from* in, int64_t size) {      \
    ConvertAll(out, in, size, [](from element) { return Truncate<to>(element); }); \
  }
TFRT_TRUNCATIONS(TFRT_TRUNCATE_KERNEL)

}  // namespace tfrt::gpu::device
