// Angles of any size as multiples of pi / 2 and a rest.
#ifndef TFRT_GPU_DEVICE_CODE_ANGLES_H_
#define TFRT_GPU_DEVICE_CODE_ANGLES_H_

#include "device_math.h"

#ifdef __CUDA__
#pragma clang force_cuda_host_device begin
#endif

namespace tfrt::gpu::device {

template <typename T>
struct Circle;
template <>
struct Circle<f32> {
  // pi / 2 is the sum of these; 24 bits each.
  static constexpr f32 kHalfPi = 0x1.921fb6p+0f, kHalfPiLow = -0x1.777a5cp-25f,
                       kHalfPiLowest = -0x1.ee59dap-50f;
  static constexpr f32 kTwoByPi = 0x1.45f306p-1f;
  static constexpr f32 kFar = 0x1p16f;  // where a rest of all digits needs more of pi
};
template <>
struct Circle<f64> {
  static constexpr f64 kHalfPi = 0x1.921fb54442d18p+0, kHalfPiLow = 0x1.1a62633145c07p-54,
                       kHalfPiLowest = -0x1.f1976b7ed8fbcp-110;
  static constexpr f64 kTwoByPi = 0x1.45f306dc9c883p-1;
  static constexpr f64 kFar = 0x1p30;
};

// The first bits of 2 / pi.
struct TwoByPi {
  static constexpr int kCount = 20;
  static constexpr uint64_t kWords[kCount] = {
      0xA2F9836E4E441529, 0xFC2757D1F534DDC0, 0xDB6295993C439041, 0xFE5163ABDEBBC561,
      0xB7246E3A424DD2E0, 0x06492EEA09D1921C, 0xFE1DEB1CB129A73E, 0xE88235F52EBB4484,
      0xE99C7026B45F7E41, 0x3991D639835339F4, 0x9C845F8BBDF9283B, 0x1FF897FFDE05980F,
      0xEF2F118B5A0A6D1F, 0x6D367ECF27CB09B7, 0x4F463F669E5FEA2D, 0x7527BAC7EBE5F17B,
      0x3D0739F78A5292EA, 0x6BFB5FB11F8D5D08, 0x56033046FC7B6BAB, 0xF0CFBC209AF4361D};

  // Recursive, so that each word is an immediate operand. 0 outside.
  template <int first = 0>
  static uint64_t WordAt(int at) {
    if constexpr (first == kCount) {
      return 0;
    } else {
      constexpr uint64_t kWord = kWords[first];
      return at == first ? kWord : WordAt<first + 1>(at);
    }
  }
};

// x = quadrant * pi / 2 + rest, but for multiples of 2 pi; |rest| <= pi / 4 or little more.
template <typename T>
struct Angle {
  T rest;
  uint32_t quadrant;  // the last two bits count
};

inline uint64_t UpperProduct(uint64_t a, uint64_t b) {
  return static_cast<uint64_t>((static_cast<unsigned __int128>(a) * b) >> 64);
}

// The angle of a large finite number x = m 2^e, by whole numbers (the method of Payne and Hanek).
// Bits of 2 / pi whose product with x is a multiple of 4 make no difference. The 192 bits after
// them are used; the rest is cut off, which makes the last 53 wrong. At most 62 are lost where x is
// near a multiple of pi / 2.
template <typename T>
inline Angle<T> FarAngle(T x) {
  using F = Format<T>;
  using Bits = typename F::Bits;
  const auto bits = BitCast<Bits>(Abs(x));
  const int e = static_cast<int>(bits >> F::kMantissaBits) - F::kBias - F::kMantissaBits;
  constexpr Bits kOne = Bits{1} << F::kMantissaBits;
  const uint64_t m = (bits & (kOne - 1)) | kOne;
  // The first bit is that of weight 2 in the product: bit e - 2 after the point of 2 / pi.
  const int first = e - 2, word = first >> 6, shift = first & 63;
  uint64_t window[3];
  uint64_t next = TwoByPi::WordAt(word);
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    const uint64_t after = TwoByPi::WordAt(word + i + 1);
    window[i] = (next << shift) | ((after >> 1) >> (63 - shift));
    next = after;
  }
  const uint64_t low = window[2] * m;
  const uint64_t carried = UpperProduct(window[2], m);
  const uint64_t middle = window[1] * m + carried;
  const uint64_t high =
      window[0] * m + UpperProduct(window[1], m) + (middle < carried ? uint64_t{1} : uint64_t{0});
  uint64_t fraction = (high << 2) | (middle >> 62), more = (middle << 2) | (low >> 62);
  auto quadrant = static_cast<uint32_t>(high >> 62);
  const bool is_above_half = fraction >> 63 != 0;
  if (is_above_half) {
    ++quadrant;
    fraction = ~fraction + (more == 0 ? uint64_t{1} : uint64_t{0});
    more = ~more + 1;
  }
  const int zeros = fraction == 0 ? 63 : __builtin_clzll(fraction);
  const uint64_t digits = (fraction << zeros) | ((more >> 1) >> (63 - zeros));
  auto power = [](int exponent) {
    return BitCast<T>(static_cast<Bits>(exponent + F::kBias) << F::kMantissaBits);
  };
  // As many digits as T has, and those after them.
  using C = Circle<T>;
  const uint64_t most = digits >> (63 - F::kMantissaBits) << (63 - F::kMantissaBits);
  const T unit = power(-64) * power(-zeros);
  const T first_part = static_cast<T>(most) * unit;
  const T second_part = static_cast<T>(digits - most) * unit;
  const T rest =
      Fma(first_part, C::kHalfPi, Fma(second_part, C::kHalfPi, first_part * C::kHalfPiLow));
  const bool is_negative = x < 0;
  return {is_above_half != is_negative ? -rest : rest, is_negative ? 0 - quadrant : quadrant};
}

// In x = n pi / 2 + rest, the difference of x and n times the first part of pi / 2 is exact.
template <typename T>
inline Angle<T> AngleOf(T x) {
  using C = Circle<T>;
  if (Abs(x) >= C::kFar) {
    if (!(Abs(x) < Format<T>::kInfinity)) return {Format<T>::kNan, 0};
    return FarAngle(x);
  }
  const T n = Round(x * C::kTwoByPi);
  const T rest = Fma(n, -C::kHalfPiLow, Fma(n, -C::kHalfPi, x));
  return {Fma(n, -C::kHalfPiLowest, rest), static_cast<uint32_t>(static_cast<int32_t>(n))};
}

}  // namespace tfrt::gpu::device

#ifdef __CUDA__
#pragma clang force_cuda_host_device end
#endif

#endif  // TFRT_GPU_DEVICE_CODE_ANGLES_H_
