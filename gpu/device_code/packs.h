// Element-wise functions of tensors that lie side by side, 16 bytes of the widest at a time where
// all are aligned.
#ifndef TFRT_GPU_DEVICE_CODE_PACKS_H_
#define TFRT_GPU_DEVICE_CODE_PACKS_H_

#include "grid.h"

namespace tfrt::gpu::device {

// Elements that one access moves.
template <typename T, int count>
struct alignas(sizeof(T) * count) Pack {
  T at[count];
};

template <typename T>
TFRT_DEVICE bool IsAligned(const T* pointer, uint64_t bytes) {
  return reinterpret_cast<uint64_t>(pointer) % bytes == 0;
}

template <int count, typename T>
TFRT_DEVICE Pack<T, count> LoadPack(const T* in, int64_t pack) {
  return reinterpret_cast<const Pack<T, count>*>(in)[pack];
}

// out[i] = fn(in[i], ...) for all i below size. `out` may be one of the others.
template <typename R, typename F, typename... T>
TFRT_DEVICE void MapElements(int64_t size, F fn, R* out, const T*... in) {
  constexpr auto kWidest = [](auto... sizes) {
    unsigned long most = 0;
    ((most = sizes > most ? sizes : most), ...);
    return most;
  }(sizeof(R), sizeof(T)...);
  constexpr int kCount = 16 / kWidest;
  int64_t done = 0;
  if (IsAligned(out, sizeof(R) * kCount) && (IsAligned(in, sizeof(T) * kCount) && ...)) {
    ForEach(size / kCount, [&](int64_t i) {
      Pack<R, kCount> results;
      [&](const auto&... packs) {
#pragma unroll
        for (int k = 0; k < kCount; ++k) results.at[k] = fn(packs.at[k]...);
      }(LoadPack<kCount>(in, i)...);
      reinterpret_cast<Pack<R, kCount>*>(out)[i] = results;
    });
    done = size / kCount * kCount;
  }
  ForEach(size - done, [&](int64_t i) { out[done + i] = fn(in[done + i]...); });
}

}  // namespace tfrt::gpu::device

#endif  // TFRT_GPU_DEVICE_CODE_PACKS_H_
