#include "lib/ops/maths/cpu/philox.h"

#include <gtest/gtest.h>

#include <vector>

namespace tfrt::cpu {
namespace {

using Words = std::array<uint32_t, 4>;

// The known answers of Random123 1.14 for philox4x32 with 10 rounds.
TEST(PhiloxTest, HasTheKnownAnswers) {
  EXPECT_EQ(PhiloxBlock({0, 0, 0, 0}, {0, 0}),
            (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(PhiloxBlock({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(PhiloxBlock({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(PhiloxTest, WordsFollowFromTheirPlace) {
  constexpr uint64_t kSeed = 0x0123456789abcdef, kStream = 0xfedcba9876543210;
  constexpr size_t kSize = 23;
  std::vector<uint32_t> whole(kSize), parts(kSize);
  PhiloxWords(kSeed, kStream, whole.data(), 0, kSize);
  for (size_t i = 0; i < kSize; ++i) {
    const Words block = PhiloxBlock({static_cast<uint32_t>(i / 4), 0, 0x76543210, 0xfedcba98},
                                    {0x89abcdef, 0x01234567});
    EXPECT_EQ(whole[i], block[i % 4]) << i;
  }
  for (size_t i = 0; i < kSize; i += 5) {
    PhiloxWords(kSeed, kStream, parts.data(), i, std::min(i + 5, kSize));
  }
  EXPECT_EQ(parts, whole);
}

}  // namespace
}  // namespace tfrt::cpu
