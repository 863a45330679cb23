// Floats as narrower ones, rounded towards zero. As element.h: compiles for the host, too.
#ifndef TFRT_GPU_DEVICE_CODE_TRUNCATE_H_
#define TFRT_GPU_DEVICE_CODE_TRUNCATE_H_

#include "element.h"

#ifdef __CUDA__
#pragma clang force_cuda_host_device begin
#endif

namespace tfrt::gpu::device {

// Cuts off the bits that the narrower type has not. Numbers beyond its limits become its limits;
// infinities and NaN remain.
template <typename To, typename From>
inline To Truncate(From element) {
  static_assert(sizeof(To) < sizeof(From));
  const Compute<From> value = Decode(element);
  const To nearest = Cast<To>(element);
  const auto back = static_cast<Compute<From>>(Decode(nearest));
  const bool is_away_from_zero = value < 0 ? back < value : back > value;
  if (!is_away_from_zero) return nearest;
  // The magnitude is in the lower bits, so the next number towards zero has one less.
  using Bits = typename WhereElse<sizeof(To) == 2, uint16_t, uint32_t>::Type;
  return BitCast<To>(static_cast<Bits>(BitCast<Bits>(nearest) - 1));
}

}  // namespace tfrt::gpu::device

#ifdef __CUDA__
#pragma clang force_cuda_host_device end
#endif

#endif  // TFRT_GPU_DEVICE_CODE_TRUNCATE_H_
