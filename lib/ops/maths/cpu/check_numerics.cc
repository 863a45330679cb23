#include "check_numerics.h"

#include <cstring>
#include <string_view>

#include "isa_clones.h"

namespace tfrt::cpu {
namespace {

// `infinity` has the bits of exponent of the type, and no others.
template <typename Bits>
[[gnu::always_inline]] inline uint32_t Classes(const void* in, int64_t size, Bits infinity) {
  constexpr auto kSign = static_cast<Bits>(Bits{1} << (sizeof(Bits) * 8 - 1));
  const auto* bytes = static_cast<const char*>(in);
  Bits nan = 0, positive = 0, negative = 0;
  for (int64_t i = 0; i < size; ++i) {
    Bits bits;
    std::memcpy(&bits, bytes + i * static_cast<int64_t>(sizeof(Bits)), sizeof(Bits));
    nan |= static_cast<Bits>((bits & static_cast<Bits>(~kSign)) > infinity);
    positive |= static_cast<Bits>(bits == infinity);
    negative |= static_cast<Bits>(bits == (infinity | kSign));
  }
  return (nan ? kHasNan : 0) | (positive ? kHasPositiveInfinity : 0) |
         (negative ? kHasNegativeInfinity : 0);
}

}  // namespace

TFRT_ISA_CLONES
uint32_t NonFiniteOf(const float* in, int64_t size) {
  return Classes<uint32_t>(in, size, 0x7F800000);
}
TFRT_ISA_CLONES
uint32_t NonFiniteOf(const double* in, int64_t size) {
  return Classes<uint64_t>(in, size, 0x7FF0000000000000);
}
TFRT_ISA_CLONES
uint32_t NonFiniteOf(const Fp16* in, int64_t size) { return Classes<uint16_t>(in, size, 0x7C00); }
TFRT_ISA_CLONES
uint32_t NonFiniteOf(const Bf16* in, int64_t size) { return Classes<uint16_t>(in, size, 0x7F80); }

std::string NonFiniteText(uint32_t found, bool with_signs) {
  std::string_view names[3];
  size_t count = 0;
  if (!with_signs) {
    if (found & (kHasPositiveInfinity | kHasNegativeInfinity)) names[count++] = "Inf";
  } else {
    if (found & kHasNegativeInfinity) names[count++] = "-Inf";
    if (found & kHasPositiveInfinity) names[count++] = "+Inf";
  }
  if (found & kHasNan) names[count++] = "NaN";
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) text += count > 2 ? (i + 1 < count ? ", " : ", and ") : " and ";
    text += names[i];
  }
  return text;
}

}  // namespace tfrt::cpu
