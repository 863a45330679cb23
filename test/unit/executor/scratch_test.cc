#include "lib/runtime/executor/scratch.h"

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
  Scratch<uint64_t>::Few few_block;
  Scratch<uint64_t> block(count, &few_block);
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

TEST(ScratchTest, ABlockInUseKeepsTheStackFromBeingReplaced) {
  std::thread([] {
    for (int i = 0; i < 2; ++i) {
      Scratch<uint64_t>::Few few_block;
      Scratch<uint64_t> block(9, &few_block);  // on the stack the second time
      {
        Scratch<uint64_t>::Few few_large;
        Scratch<uint64_t> large(10'000, &few_large);  // wants a larger stack
      }
      std::memset(block.data(), 0xAB, 9 * sizeof(uint64_t));
    }
  }).join();
}

TEST(ScratchTest, AFewElementsLieInPlace) {
  Scratch<uint64_t>::Few few;
  EXPECT_EQ(reinterpret_cast<std::byte*>(Scratch<uint64_t>(8, &few).data()), few.memory);
  EXPECT_NE(reinterpret_cast<std::byte*>(Scratch<uint64_t>(9, &few).data()), few.memory);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(few.memory) % 16, 0u);
}

TEST(ScratchTest, StaysInPlaceOnceItIsLargeEnough) {
  std::thread([] {
    Scratch<uint64_t>::Few few;
    for (int i = 0; i < 3; ++i) Scratch<uint64_t> block(1000, &few);
    uint64_t* place = Scratch<uint64_t>(1000, &few).data();
    for (int i = 0; i < 10; ++i) EXPECT_EQ(Scratch<uint64_t>(1000, &few).data(), place);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(place) % 16, 0u);
  }).join();
}

}  // namespace
}  // namespace tfrt::internal
