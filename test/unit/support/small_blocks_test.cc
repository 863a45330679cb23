// What the free lists promise. Each test runs on a thread of its own, whose lists nobody has
// touched.
#include "tfrt/support/small_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <random>
#include <set>
#include <thread>
#include <vector>

namespace tfrt::internal {
namespace {

void OnNewThread(auto&& function) { std::thread(function).join(); }

size_t ListLength(uint32_t size_class) {
  size_t length = 0;
  for (FreeBlock* block = free_lists[size_class].head; block; block = block->next) ++length;
  return length;
}

class FreeListTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!SmallBlockPoolIsOn()) GTEST_SKIP() << "this build has no free lists";
  }
};

TEST(SmallBlocksTest, ClassesAreOf16BytesUpTo256) {
  EXPECT_EQ(SizeClassOf(1), 0u);
  EXPECT_EQ(SizeClassOf(16), 0u);
  EXPECT_EQ(SizeClassOf(17), 1u);
  EXPECT_EQ(SizeClassOf(256), 15u);
  EXPECT_EQ(SizeClassOf(257), kNoSizeClass);
  EXPECT_EQ(SizeClassOf(SIZE_MAX), kNoSizeClass);
}

TEST(SmallBlocksTest, BlocksAreAlignedAndAsLargeAsAskedFor) {
  OnNewThread([] {
    for (int round = 0; round < 2; ++round) {  // fresh blocks, then kept ones
      std::vector<std::pair<void*, size_t>> blocks;
      for (size_t size = 1; size <= 300; ++size) {
        void* block = AllocateSmall(size);
        EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 16, 0u) << size;
        std::memset(block, static_cast<int>(size), size);
        blocks.emplace_back(block, size);
      }
      for (auto [block, size] : blocks) {
        auto* bytes = static_cast<unsigned char*>(block);
        EXPECT_TRUE(std::all_of(bytes, bytes + size, [&](unsigned char byte) {
          return byte == static_cast<unsigned char>(size);
        })) << size;
        FreeSmall(block, size);
      }
    }
  });
}

TEST_F(FreeListTest, AFreedBlockIsTheNextOfItsClass) {
  OnNewThread([] {
    void* first = AllocateSmall(20);
    void* second = AllocateSmall(32);
    FreeSmall(first, 20);
    FreeSmall(second, 32);
    void* other = AllocateSmall(16);
    EXPECT_NE(other, first);
    EXPECT_NE(other, second);
    EXPECT_EQ(AllocateSmall(17), second);
    EXPECT_EQ(AllocateSmall(32), first);
    EXPECT_EQ(TryAllocateSmall(32), nullptr);
    for (auto [block, size] : {std::pair(first, 20), {second, 32}, {other, 16}}) {
      FreeSmall(block, static_cast<size_t>(size));
    }
  });
}

TEST_F(FreeListTest, ListsAreBounded) {
  OnNewThread([] {
    for (size_t size : {16, 64, 80, 256}) {
      // 512 KB of small blocks and 128 KB of larger ones.
      size_t most = (size > 64 ? 128 : 512) * 1024 / size;
      std::vector<void*> blocks(most + 100);
      for (void*& block : blocks) block = AllocateSmall(size);
      for (void* block : blocks) FreeSmall(block, size);
      EXPECT_EQ(ListLength(SizeClassOf(size)), most) << size;
      // A list that was full takes blocks again.
      std::set<void*> kept;
      for (size_t i = 0; i < most; ++i) kept.insert(TryAllocateSmall(size));
      EXPECT_EQ(kept.size(), most);
      EXPECT_FALSE(kept.contains(nullptr));
      for (void* block : kept) FreeSmall(block, size);
      EXPECT_EQ(ListLength(SizeClassOf(size)), most) << size;
    }
  });
}

TEST_F(FreeListTest, ABlockJoinsTheListOfTheThreadThatFreesIt) {
  OnNewThread([] {
    void* block = AllocateSmall(48);
    OnNewThread([block] {
      FreeSmall(block, 48);
      EXPECT_EQ(TryAllocateSmall(48), block);
      FreeSmall(block, 48);  // goes with the thread
    });
    EXPECT_EQ(ListLength(SizeClassOf(48)), 0u);
  });
}

// Drops a block when its thread's lists are already gone.
struct LateUser {
  ~LateUser() {
    *list_was_empty = free_lists[0].head == nullptr;
    void* block = AllocateSmall(16);
    FreeSmall(block, 16);
    *list_stayed_empty = free_lists[0].head == nullptr && TryAllocateSmall(16) == nullptr;
  }
  bool* list_was_empty;
  bool* list_stayed_empty;
};

TEST_F(FreeListTest, BlocksGoWithTheirThreadAndLateOnesAreNotKept) {
  bool list_was_empty = false, list_stayed_empty = false;
  OnNewThread([&] {
    // Made before the lists, so destroyed after them.
    static thread_local LateUser late{&list_was_empty, &list_stayed_empty};
    (void)&late;
    FreeSmall(AllocateSmall(16), 16);
    EXPECT_EQ(ListLength(0), 1u);
  });
  EXPECT_TRUE(list_was_empty);
  EXPECT_TRUE(list_stayed_empty);
}

TEST(SmallBlocksTest, NoBlockHasTwoOwners) {
  struct Block {
    unsigned char* bytes;
    size_t size;
    unsigned char mark;
  };
  std::mutex mutex;
  std::vector<Block> shared;  // made by one thread, freed by any
  auto work = [&](unsigned seed) {
    std::mt19937 random(seed);
    std::vector<Block> own;
    for (int i = 0; i < 20'000; ++i) {
      if (random() % 2 == 0) {
        Block block{nullptr, 1 + random() % 300, static_cast<unsigned char>(random())};
        block.bytes = static_cast<unsigned char*>(AllocateSmall(block.size));
        std::memset(block.bytes, block.mark, block.size);
        own.push_back(block);
      } else if (!own.empty()) {
        Block block = own.back();
        own.pop_back();
        if (random() % 2 == 0) {  // in exchange for another thread's
          std::lock_guard lock(mutex);
          shared.push_back(block);
          std::swap(shared[random() % shared.size()], shared.back());
          block = shared.back();
          shared.pop_back();
        }
        ASSERT_EQ(block.bytes[0], block.mark);
        ASSERT_EQ(std::memcmp(block.bytes, block.bytes + 1, block.size - 1), 0);
        if (random() % 8 == 0) {
          std::lock_guard lock(mutex);
          shared.push_back(block);
        } else {
          FreeSmall(block.bytes, block.size);
        }
      }
    }
    for (const Block& block : own) FreeSmall(block.bytes, block.size);
  };
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 3; ++seed) threads.emplace_back(work, seed);
  for (std::thread& thread : threads) thread.join();
  for (const Block& block : shared) FreeSmall(block.bytes, block.size);
}

}  // namespace
}  // namespace tfrt::internal
