// Elements of tensors in device code, and the types that they are computed in. This header and
// those based on it (device_math.h, element_ops.h) need no library and no toolkit. They compile for
// the host, too, where tests compare the functions with references.
#ifndef TFRT_GPU_DEVICE_CODE_ELEMENT_H_
#define TFRT_GPU_DEVICE_CODE_ELEMENT_H_

#include <stdint.h>  // the compiler's own, as no library is there

#ifdef __CUDA__
#pragma clang force_cuda_host_device begin
#endif

namespace tfrt::gpu::device {

// The names that entry points have for types of elements.
using f16 = _Float16;  // IEEE 754 binary16
using f32 = float;
using f64 = double;
using i32 = int32_t;
using i64 = int64_t;
using u8 = uint8_t;
// The upper half of a binary32. A type of the compiler's would need instructions that not every
// target has.
struct bf16 {
  uint16_t bits;
};
// A truth value: a byte that is 0 or not. Written values are 0 or 1.
struct i1 {
  uint8_t byte;
};

template <typename To, typename From>
constexpr To BitCast(From value) {
  return __builtin_bit_cast(To, value);
}

template <typename A, typename B>
inline constexpr bool kSame = false;
template <typename A>
inline constexpr bool kSame<A, A> = true;

template <bool condition, typename A, typename B>
struct WhereElse {
  using Type = A;
};
template <typename A, typename B>
struct WhereElse<false, A, B> {
  using Type = B;
};

template <typename T>
inline constexpr bool kIsFloat = kSame<T, f32> || kSame<T, f64>;
template <typename T>
inline constexpr bool kIsInteger = kSame<T, i32> || kSame<T, i64> || kSame<T, u8>;

// --- Rounding to narrower types: to nearest, ties to even. A NaN stays one.

inline bf16 RoundToBf16(f32 value) {
  const auto bits = BitCast<uint32_t>(value);
  if (value != value) return {static_cast<uint16_t>((bits >> 16) | 0x40)};
  return {static_cast<uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16)};
}

// Returns `value` as a float that rounds to a narrower type as `value` itself does. Excess bits are
// cut off and marked in the last bit (round to odd). A plain conversion would round twice.
inline f32 RoundToOdd(f64 value) {
  const auto rounded = static_cast<f32>(value);
  if (value != value || static_cast<f64>(rounded) == value) return rounded;
  const auto bits = BitCast<uint32_t>(rounded);
  const bool is_away_from_zero = value < 0 ? rounded < value : rounded > value;
  return BitCast<f32>((is_away_from_zero ? bits - 1 : bits) | 1);
}

// --- What elements are computed in, and the way there and back.

template <typename T>
struct ComputeOf {
  using Type = T;
};
template <>
struct ComputeOf<f16> {
  using Type = f32;
};
template <>
struct ComputeOf<bf16> {
  using Type = f32;
};
template <>
struct ComputeOf<i1> {
  using Type = bool;
};
template <typename T>
using Compute = typename ComputeOf<T>::Type;

template <typename T>
inline Compute<T> Decode(T value) {
  return static_cast<Compute<T>>(value);
}
template <>
inline f32 Decode(bf16 value) {
  return BitCast<f32>(uint32_t{value.bits} << 16);
}
template <>
inline bool Decode(i1 value) {
  return value.byte != 0;
}

template <typename T>
inline T Encode(Compute<T> value) {
  return static_cast<T>(value);
}
template <>
inline bf16 Encode<bf16>(f32 value) {
  return RoundToBf16(value);
}
template <>
inline i1 Encode<i1>(bool value) {
  return {static_cast<uint8_t>(value)};
}

// Limits of integers, as the numbers next to them that floats hold exactly.
template <typename T>
struct IntegerRange;
template <>
struct IntegerRange<i32> {
  static constexpr i32 kLeast = INT32_MIN, kMost = INT32_MAX;
  static constexpr f64 kAboveMost = 0x1p31;
};
template <>
struct IntegerRange<i64> {
  static constexpr i64 kLeast = INT64_MIN, kMost = INT64_MAX;
  static constexpr f64 kAboveMost = 0x1p63;
};
template <>
struct IntegerRange<u8> {
  static constexpr u8 kLeast = 0, kMost = UINT8_MAX;
  static constexpr f64 kAboveMost = 0x1p8;
};

// Converts one element to another type, as casts of host tensors do. Integers wrap around; floats
// round to nearest, ties to even. Floats become integers by truncation; values outside become the
// nearest integer and NaN becomes 0. A truth value tells whether a number is not 0.
template <typename To, typename From>
inline To Cast(From element) {
  const Compute<From> value = Decode(element);
  using Value = Compute<From>;
  if constexpr (kSame<To, i1>) {
    return Encode<i1>(value != Value(0));
  } else if constexpr (kSame<To, f16> || kSame<To, bf16>) {
    if constexpr (kSame<Value, f64> || kIsInteger<Value>) {
      // Integers of more than 53 bits are rounded to f64 first.
      const auto wide = static_cast<f64>(value);
      if constexpr (kSame<To, f16>) {
        return static_cast<f16>(wide);
      } else {
        return RoundToBf16(RoundToOdd(wide));
      }
    } else {
      return Encode<To>(static_cast<f32>(value));
    }
  } else if constexpr (kIsInteger<To> && kIsFloat<Value>) {
    using Range = IntegerRange<To>;
    if (value >= static_cast<Value>(Range::kAboveMost)) return Range::kMost;
    if (value <= static_cast<Value>(Range::kLeast)) return Range::kLeast;
    return value == value ? static_cast<To>(value) : To(0);
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace tfrt::gpu::device

#ifdef __CUDA__
#pragma clang force_cuda_host_device end
#endif

#endif  // TFRT_GPU_DEVICE_CODE_ELEMENT_H_
