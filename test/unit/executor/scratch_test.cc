#include "lib/executor/scratch.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <thread>

namespace tfrt::internal {
namespace {

// Fills a block, lets deeper levels do the same, and checks that nobody else wrote to it.
void Nest(std::mt19937* random, int depth) {
  size_t count = (*random)() % 4 == 0 ? 0 : (*random)() % 1000;
  Scratch<uint64_t> block(count);
  uint64_t mark = (*random)();
  for (size_t i = 0; i < count; ++i) block.data()[i] = mark;
  for (int i = 0; i < 2 && depth > 0; ++i) {
    if ((*random)() % 3 != 0) Nest(random, depth - 1);
  }
  for (size_t i = 0; i < count; ++i) ASSERT_EQ(block.data()[i], mark);
}

TEST(ScratchTest, BlocksOfNestedUsersDoNotOverlap) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    std::thread([seed] {
      std::mt19937 random(seed);
      for (int round = 0; round < 50; ++round) Nest(&random, 8);
    }).join();
  }
}

TEST(ScratchTest, AnEmptyBlockKeepsTheStackFromBeingReplaced) {
  std::thread([] {
    Scratch<uint64_t> empty(0);
    {
      Scratch<uint64_t> first(100);
    }
    Scratch<uint64_t> second(100);
    std::memset(second.data(), 0xAB, 100 * sizeof(uint64_t));
  }).join();
}

TEST(ScratchTest, StaysInPlaceOnceItIsLargeEnough) {
  std::thread([] {
    for (int i = 0; i < 3; ++i) Scratch<uint64_t> block(1000);
    uint64_t* place = Scratch<uint64_t>(1000).data();
    for (int i = 0; i < 10; ++i) EXPECT_EQ(Scratch<uint64_t>(1000).data(), place);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(place) % 16, 0u);
  }).join();
}

}  // namespace
}  // namespace tfrt::internal
