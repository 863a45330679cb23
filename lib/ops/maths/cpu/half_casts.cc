#include "half_casts.h"

#include <bit>
#include <cstdint>

#include "isa_clones.h"

namespace tfrt::cpu {
namespace {

// Each of these gives what tfrt/support/half.h does. There is no branch in them, so that they run
// on vectors.

[[gnu::always_inline]] inline float FloatOfFp16(uint16_t bits) {
  constexpr uint32_t kBias = 112u << 23;  // from 15 to 127
  const uint32_t magnitude = bits & 0x7FFFu, sign = (bits & 0x8000u) << 16;
  const uint32_t normal = (magnitude << 13) + kBias;
  const uint32_t infinite = normal + kBias;  // NaN, too
  // A multiple of 2^-24, which float holds exactly.
  const auto small =
      std::bit_cast<uint32_t>(static_cast<float>(static_cast<int32_t>(magnitude)) * 0x1p-24f);
  uint32_t wide = magnitude < 0x0400 ? small : normal;
  wide = magnitude >= 0x7C00 ? infinite : wide;
  return std::bit_cast<float>(sign | wide);
}

[[gnu::always_inline]] inline uint16_t Fp16OfFloat(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t magnitude = bits & 0x7FFFFFFF, sign = (bits >> 16) & 0x8000;
  const uint32_t normal = (magnitude - (112u << 23) + 0xFFF + ((magnitude >> 13) & 1)) >> 13;
  // The last bit of 0.5 is worth 2^-24, so the sum is rounded to multiples of that.
  const uint32_t small =
      std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3F000000;
  uint32_t half = magnitude < 0x38800000 ? small : normal;                      // below 2^-14
  half = magnitude >= 0x47800000 ? 0x7C00 : half;                               // 2^16 and more
  half = magnitude > 0x7F800000 ? 0x7E00 | ((magnitude >> 13) & 0x3FF) : half;  // NaN
  return static_cast<uint16_t>(sign | half);
}

[[gnu::always_inline]] inline uint16_t Bf16OfFloat(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16;
  return static_cast<uint16_t>((bits & 0x7FFFFFFF) > 0x7F800000 ? (bits >> 16) | 0x40 : rounded);
}

TFRT_ISA_CLONES
void CastFp16ToFloat(const void* from, void* to, size_t count) {
  const auto* in = static_cast<const uint16_t*>(from);
  auto* out = static_cast<float*>(to);
  TFRT_INDEPENDENT_ITERATIONS
  for (size_t i = 0; i < count; ++i) out[i] = FloatOfFp16(in[i]);
}

TFRT_ISA_CLONES
void CastFloatToFp16(const void* from, void* to, size_t count) {
  const auto* in = static_cast<const float*>(from);
  auto* out = static_cast<uint16_t*>(to);
  TFRT_INDEPENDENT_ITERATIONS
  for (size_t i = 0; i < count; ++i) out[i] = Fp16OfFloat(in[i]);
}

TFRT_ISA_CLONES
void CastBf16ToFloat(const void* from, void* to, size_t count) {
  const auto* in = static_cast<const uint16_t*>(from);
  auto* out = static_cast<float*>(to);
  TFRT_INDEPENDENT_ITERATIONS
  for (size_t i = 0; i < count; ++i) out[i] = std::bit_cast<float>(uint32_t{in[i]} << 16);
}

TFRT_ISA_CLONES
void CastFloatToBf16(const void* from, void* to, size_t count) {
  const auto* in = static_cast<const float*>(from);
  auto* out = static_cast<uint16_t*>(to);
  TFRT_INDEPENDENT_ITERATIONS
  for (size_t i = 0; i < count; ++i) out[i] = Bf16OfFloat(in[i]);
}

}  // namespace

CastFunction FindVectorCast(DType from, DType to) {
  if (to == DType::kF32 && from == DType::kF16) return CastFp16ToFloat;
  if (to == DType::kF32 && from == DType::kBF16) return CastBf16ToFloat;
  if (from == DType::kF32 && to == DType::kF16) return CastFloatToFp16;
  if (from == DType::kF32 && to == DType::kBF16) return CastFloatToBf16;
  return FindCast(from, to);
}

}  // namespace tfrt::cpu
