#include "narrow_types.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace tfrt::onnx {
namespace {

constexpr NarrowType kNarrowTypes[] = {
    {.type = DataType::kFloat8E4M3FN,
     .stored = DType::kF16,
     .bits = 8,
     .fraction = 3,
     .bias = 7,
     .max = 448},
    {.type = DataType::kFloat8E4M3FNUZ,
     .stored = DType::kF16,
     .bits = 8,
     .fraction = 3,
     .bias = 8,
     .max = 240,
     .has_negative_zero = false},
    {.type = DataType::kFloat8E5M2,
     .stored = DType::kF16,
     .bits = 8,
     .fraction = 2,
     .bias = 15,
     .max = 57344,
     .has_infinity = true},
    {.type = DataType::kFloat8E5M2FNUZ,
     .stored = DType::kF16,
     .bits = 8,
     .fraction = 2,
     .bias = 16,
     .max = 57344,
     .has_negative_zero = false},
    {.type = DataType::kUint4, .stored = DType::kUI8, .bits = 4, .is_signed = false},
    {.type = DataType::kInt4, .stored = DType::kI8, .bits = 4},
    {.type = DataType::kFloat4E2M1,
     .stored = DType::kF16,
     .bits = 4,
     .fraction = 1,
     .bias = 1,
     .max = 6,
     .has_nan = false},
    {.type = DataType::kFloat8E8M0,
     .stored = DType::kF32,
     .bits = 8,
     .bias = 127,
     .max = 0x1p127F,
     .is_signed = false},
    {.type = DataType::kUint2, .stored = DType::kUI8, .bits = 2, .is_signed = false},
    {.type = DataType::kInt2, .stored = DType::kI8, .bits = 2},
};

// Returns the number that a float's bits are.
float NumberOf(const NarrowType& type, unsigned bits) {
  if (type.is_exponent()) {
    return bits == 0xFF ? NAN : std::ldexp(1.0F, static_cast<int>(bits) - type.bias);
  }
  const unsigned sign = 1U << (type.bits - 1), magnitude = bits & (sign - 1);
  const bool is_negative = (bits & sign) != 0;
  if (!type.has_negative_zero && bits == sign) return NAN;
  const unsigned fraction = magnitude & ((1U << type.fraction) - 1);
  const auto exponent = static_cast<int>(magnitude >> type.fraction);
  const float size = exponent == 0
                         ? std::ldexp(static_cast<float>(fraction), 1 - type.bias - type.fraction)
                         : std::ldexp(static_cast<float>(fraction + (1U << type.fraction)),
                                      exponent - type.bias - type.fraction);
  if (size <= type.max) return is_negative ? -size : size;
  // Larger sizes are infinite or no number.
  const float beyond = type.has_infinity && fraction == 0 ? INFINITY : NAN;
  return is_negative ? -beyond : beyond;
}

// The bits of a number that f16 has.
uint16_t HalfBits(float number) {
  const auto bits = std::bit_cast<uint32_t>(number);
  const auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
  if (std::isnan(number)) return sign | 0x7E00;
  if (std::isinf(number)) return sign | 0x7C00;
  if (number == 0) return sign;
  const int exponent = std::ilogb(number);
  if (exponent < -14) {
    return sign | static_cast<uint16_t>(std::ldexp(std::fabs(number), 24));
  }
  return sign | static_cast<uint16_t>((exponent + 15) << 10 | (bits >> 13 & 0x3FF));
}

template <typename T>
void Store(T value, uint8_t* to) {
  std::memcpy(to, &value, sizeof(T));
}

void StoreElement(const NarrowType& type, unsigned bits, uint8_t* to) {
  if (type.stored == DType::kF16) return Store(HalfBits(NumberOf(type, bits)), to);
  if (type.stored == DType::kF32) return Store(NumberOf(type, bits), to);
  // The sign is the highest bit.
  const unsigned sign = type.is_signed ? 1U << (type.bits - 1) : 0;
  *to = static_cast<uint8_t>((bits ^ sign) - sign);
}

}  // namespace

const NarrowType* FindNarrowType(DataType type) {
  for (const NarrowType& each : kNarrowTypes) {
    if (each.type == type) return &each;
  }
  return nullptr;
}

std::vector<uint8_t> WidenElements(const NarrowType& type, std::span<const uint8_t> packed,
                                   size_t count) {
  const size_t size = DTypeSize(type.stored), in_byte = 8 / static_cast<size_t>(type.bits);
  std::vector<uint8_t> out(count * size);
  for (size_t i = 0; i < count; ++i) {
    const auto shift = static_cast<unsigned>(i % in_byte) * static_cast<unsigned>(type.bits);
    const unsigned bits = packed[i / in_byte] >> shift & ((1U << type.bits) - 1);
    StoreElement(type, bits, out.data() + i * size);
  }
  return out;
}

}  // namespace tfrt::onnx
