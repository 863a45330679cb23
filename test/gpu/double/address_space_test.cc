#include "test/gpu/vendor/driver/address_space.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>

namespace tfrt::gpu::cuda_double {
namespace {

TEST(AddressSpaceTest, BlocksAreApart) {
  AddressSpace space(1 << 20);
  std::map<uint64_t, uint64_t> blocks;
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    if (blocks.empty() || random() % 2 == 0) {
      uint64_t size = 1 + random() % 20000, begin = space.Reserve(size);
      if (begin == 0) continue;
      EXPECT_EQ(0u, begin % AddressSpace::kAlignment);
      auto next = blocks.lower_bound(begin);
      if (next != blocks.end()) {
        EXPECT_LE(begin + size + AddressSpace::kGuard, next->first);
      }
      if (next != blocks.begin()) {
        --next;
        EXPECT_LE(next->first + next->second + AddressSpace::kGuard, begin);
      }
      std::memset(space.Data(begin), 1, size);
      blocks[begin] = size;
    } else {
      auto victim = std::next(blocks.begin(), random() % blocks.size());
      space.Release(victim->first, victim->second);
      blocks.erase(victim);
    }
  }
}

TEST(AddressSpaceTest, AddressesComeBackLate) {
  AddressSpace space(1 << 20);
  uint64_t first = space.Reserve(4096);
  space.Release(first, 4096);
  EXPECT_NE(first, space.Reserve(4096));
}

TEST(AddressSpaceTest, EndsWithoutRoom) {
  AddressSpace space(1 << 20);
  EXPECT_EQ(0u, space.Reserve(1 << 21));
  EXPECT_NE(0u, space.Reserve((1 << 20) - 4096));
  EXPECT_EQ(0u, space.Reserve(8192));
}

// What a program that takes a device's address for one of the host's gets.
TEST(AddressSpaceDeathTest, HostFindsNothing) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  AddressSpace space(1 << 20);
  uint64_t address = space.Reserve(64);
  EXPECT_DEATH(*reinterpret_cast<volatile char*>(address) = 1, "");
}

}  // namespace
}  // namespace tfrt::gpu::cuda_double
