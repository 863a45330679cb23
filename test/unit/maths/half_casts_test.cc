#include "lib/ops/maths/cpu/half_casts.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <vector>

#include "tfrt/support/half.h"

namespace tfrt::cpu {
namespace {

template <typename Half>
void ExpectWidened(DType dtype) {
  std::vector<Half> halves;
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    halves.push_back(Half::FromBits(static_cast<uint16_t>(bits)));
  }
  std::vector<float> floats(halves.size());
  FindVectorCast(dtype, DType::kF32)(halves.data(), floats.data(), halves.size());
  for (size_t i = 0; i < halves.size(); ++i) {
    ASSERT_EQ(std::bit_cast<uint32_t>(floats[i]), std::bit_cast<uint32_t>(halves[i].ToFloat()))
        << DTypeName(dtype) << " of the bits " << i;
  }
}

// Each upper half of a float with lower halves that are 0, most of all, and those at and beside the
// middle between two numbers of 16 bits.
template <typename Half>
void ExpectRounded(DType dtype) {
  std::vector<float> floats;
  for (uint32_t upper = 0; upper < 0x10000; ++upper) {
    for (uint32_t lower : {0u, 1u, 0x0FFFu, 0x1000u, 0x1001u, 0x1FFFu, 0x2000u, 0x3000u, 0x7FFFu,
                           0x8000u, 0x8001u, 0xFFFFu}) {
      floats.push_back(std::bit_cast<float>(upper << 16 | lower));
    }
  }
  std::vector<Half> halves(floats.size());
  FindVectorCast(DType::kF32, dtype)(floats.data(), halves.data(), floats.size());
  for (size_t i = 0; i < floats.size(); ++i) {
    ASSERT_EQ(halves[i].bits, Half(floats[i]).bits)
        << DTypeName(dtype) << " of the bits " << std::bit_cast<uint32_t>(floats[i]);
  }
}

TEST(HalfCastsTest, EachNumberIsWidenedExactly) {
  ExpectWidened<Fp16>(DType::kF16);
  ExpectWidened<Bf16>(DType::kBF16);
}

TEST(HalfCastsTest, FloatsAreRoundedToNearestEven) {
  ExpectRounded<Fp16>(DType::kF16);
  ExpectRounded<Bf16>(DType::kBF16);
}

TEST(HalfCastsTest, OtherCastsAreThoseOfTensors) {
  EXPECT_EQ(FindVectorCast(DType::kI32, DType::kF32), FindCast(DType::kI32, DType::kF32));
  EXPECT_EQ(FindVectorCast(DType::kComplex64, DType::kF32), nullptr);
}

}  // namespace
}  // namespace tfrt::cpu
