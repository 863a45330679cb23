// Blocks of work that is repeated lie in one arena.

#include "lib/runtime/host/planned_allocator.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "test/support/deadline.h"

namespace tfrt {
namespace {

constexpr int64_t kKey[] = {1}, kOtherKey[] = {2};

// Counts requests, and finds blocks that do not come back.
class CountingAllocator : public HostAllocator {
 public:
  ~CountingAllocator() override { EXPECT_EQ(blocks, 0); }
  void* AllocateBytes(size_t size, size_t alignment) override {
    ++requests, ++blocks;
    return malloc_->AllocateBytes(size, alignment);
  }
  void DeallocateBytes(void* block, size_t size) override {
    --blocks;
    malloc_->DeallocateBytes(block, size);
  }
  std::atomic<int> requests = 0, blocks = 0;

 private:
  std::unique_ptr<HostAllocator> malloc_ = CreateMallocAllocator();
};

// A chain of layers: each reads the one before.
void RunChain(PlannedAllocator& allocator, std::span<const size_t> sizes) {
  void* before = nullptr;
  size_t before_size = 0;
  for (size_t size : sizes) {
    void* block = allocator.AllocateBytes(size, 64);
    std::memset(block, 1, size);
    if (before) allocator.DeallocateBytes(before, before_size);
    before = block, before_size = size;
  }
  allocator.DeallocateBytes(before, before_size);
}

TEST(PlannedAllocatorTest, TheSecondRunNeedsTheArenaAlone) {
  CountingAllocator upstream;
  auto allocator = PlannedAllocator::Create(&upstream);
  const size_t sizes[] = {1000, 2000, 500, 3000, 100};
  for (int run = 0; run < 3; ++run) {
    allocator->BeginRun(kKey);
    RunChain(*allocator, sizes);
    allocator->EndRun();
  }
  EXPECT_EQ(upstream.requests, 5 + 1);
  PlannedAllocator::Statistics statistics = allocator->statistics();
  EXPECT_EQ(statistics.from_arena, 5u);
  EXPECT_EQ(statistics.from_upstream, 0u);
  // 500 and 3000 bytes, in units of 64.
  EXPECT_EQ(statistics.lower_bound_bytes, 512u + 3008u);
  EXPECT_EQ(statistics.plan_bytes, statistics.lower_bound_bytes);
}

TEST(PlannedAllocatorTest, WhatIsKeptIsNotInTheArena) {
  CountingAllocator upstream;
  auto allocator = PlannedAllocator::Create(&upstream);
  std::vector<char*> kept;
  for (int run = 0; run < 3; ++run) {
    allocator->BeginRun(kKey);
    void* first = allocator->AllocateBytes(256, 64);
    kept.push_back(static_cast<char*>(allocator->AllocateBytes(256, 64)));
    std::memset(kept.back(), run, 256);
    std::memset(first, 9, 256);
    allocator->DeallocateBytes(first, 256);
    allocator->EndRun();
  }
  PlannedAllocator* still_there = allocator.release();
  PlannedAllocator::Drop()(still_there);  // the blocks may stay longer than the owner
  for (int run = 0; run < 3; ++run) {
    EXPECT_EQ(kept[run][255], run);
    still_there->DeallocateBytes(kept[run], 256);
  }
}

TEST(PlannedAllocatorTest, ABlockThatLivesLongerIsNotOverwritten) {
  CountingAllocator upstream;
  auto allocator = PlannedAllocator::Create(&upstream);
  const size_t sizes[] = {640, 640, 640, 640};
  allocator->BeginRun(kKey);
  RunChain(*allocator, sizes);
  allocator->EndRun();
  // Now all live at once.
  allocator->BeginRun(kKey);
  std::vector<char*> blocks;
  for (int i = 0; i < 4; ++i) {
    blocks.push_back(static_cast<char*>(allocator->AllocateBytes(640, 64)));
    std::memset(blocks.back(), i, 640);
  }
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(blocks[i][0], i);
    EXPECT_EQ(blocks[i][639], i);
  }
  allocator->EndRun();
  EXPECT_GE(allocator->statistics().from_upstream, 2u);
  for (char* block : blocks) allocator->DeallocateBytes(block, 640);
}

TEST(PlannedAllocatorTest, KindsOfRunsHavePlansOfTheirOwn) {
  CountingAllocator upstream;
  auto allocator = PlannedAllocator::Create(&upstream);
  const size_t small[] = {100, 200}, large[] = {10000, 20000, 30000};
  for (int run = 0; run < 2; ++run) {
    allocator->BeginRun(kKey);
    RunChain(*allocator, small);
    allocator->EndRun();
    allocator->BeginRun(kOtherKey);
    RunChain(*allocator, large);
    allocator->EndRun();
  }
  const int before = upstream.requests;
  allocator->BeginRun(kKey);
  RunChain(*allocator, small);
  allocator->EndRun();
  EXPECT_EQ(upstream.requests, before);
  EXPECT_EQ(allocator->statistics().from_arena, 2u);
}

TEST(PlannedAllocatorTest, PlansAreNearTheLowerBound) {
  std::mt19937 random(7);
  for (int program = 0; program < 20; ++program) {
    CountingAllocator upstream;
    auto allocator = PlannedAllocator::Create(&upstream);
    std::vector<size_t> sizes(200), lives(200);
    for (size_t i = 0; i < sizes.size(); ++i) {
      sizes[i] = 64 * (1 + random() % 1000);
      lives[i] = 1 + random() % 6;
    }
    allocator->BeginRun(kKey);
    std::vector<void*> blocks(sizes.size());
    for (size_t now = 0; now < sizes.size() + 8; ++now) {
      if (now < sizes.size()) blocks[now] = allocator->AllocateBytes(sizes[now], 64);
      for (size_t i = 0; i < sizes.size(); ++i) {
        if (i + lives[i] == now) allocator->DeallocateBytes(blocks[i], sizes[i]);
      }
    }
    allocator->EndRun();
    PlannedAllocator::Statistics statistics = allocator->statistics();
    EXPECT_LE(static_cast<double>(statistics.plan_bytes),
              1.15 * static_cast<double>(statistics.lower_bound_bytes));
  }
}

TEST(PlannedAllocatorTest, BlocksOfNoBytesAreNobodyElses) {
  CountingAllocator upstream;
  auto allocator = PlannedAllocator::Create(&upstream);
  // Such blocks alone are a plan, too.
  for (const bool has_others : {false, false, true, true, true}) {
    allocator->BeginRun(has_others ? kKey : kOtherKey);
    void* empty[3];
    for (void*& block : empty) block = allocator->AllocateBytes(0, 64);
    auto* full = static_cast<char*>(has_others ? allocator->AllocateBytes(640, 64) : nullptr);
    if (full) std::memset(full, 1, 640);
    for (void* block : empty) allocator->DeallocateBytes(block, 0);
    // Though they have gone, the other one has its place.
    if (full) {
      auto* other = static_cast<char*>(allocator->AllocateBytes(640, 64));
      std::memset(other, 2, 640);
      EXPECT_EQ(full[0], 1);
      EXPECT_EQ(full[639], 1);
      allocator->DeallocateBytes(other, 640);
    }
    allocator->DeallocateBytes(full, 640);
    allocator->EndRun();
  }
  EXPECT_GT(allocator->statistics().from_arena, 0u);
}

// A loop may make any number of requests: a plan is made of the first ones, soon.
TEST(PlannedAllocatorTest, RunsWithManyRequests) {
  Deadline deadline("a run with many requests");
  CountingAllocator upstream;
  auto allocator = PlannedAllocator::Create(&upstream);
  constexpr size_t kRequests = 200000;
  for (int run = 0; run < 2; ++run) {
    allocator->BeginRun(kKey);
    std::vector<void*> kept;
    for (size_t i = 0; i < kRequests; ++i) {
      void* block = allocator->AllocateBytes(64 + 64 * (i % 7), 64);
      if (i % 100 == 0) {
        kept.push_back(block);
      } else {
        allocator->DeallocateBytes(block, 64 + 64 * (i % 7));
      }
    }
    for (size_t i = 0; i < kept.size(); ++i) {
      allocator->DeallocateBytes(kept[i], 64 + 64 * (i * 100 % 7));
    }
    allocator->EndRun();
  }
  EXPECT_EQ(allocator->statistics().from_arena, PlannedAllocator::kMaxPlanned);
}

TEST(PlannedAllocatorTest, MemoryRunsOut) {
  auto upstream = CreateFixedSizeAllocator(4096);
  auto allocator = PlannedAllocator::Create(upstream.get());
  const size_t sizes[] = {1024, 2048, 1024};
  allocator->BeginRun(kKey);
  RunChain(*allocator, sizes);
  EXPECT_EQ(allocator->AllocateBytes(SIZE_MAX - 8, 64), nullptr);
  EXPECT_EQ(allocator->AllocateBytes(1 << 20, 64), nullptr);
  allocator->EndRun();
  // There is no room for the arena.
  void* taken = upstream->AllocateBytes(2048, 64);
  allocator->BeginRun(kKey);
  EXPECT_EQ(allocator->statistics().arena_bytes, 0u);
  const size_t alone[] = {1024};
  RunChain(*allocator, alone);
  allocator->EndRun();
  // There is again.
  upstream->DeallocateBytes(taken, 2048);
  allocator->BeginRun(kKey);
  RunChain(*allocator, sizes);
  allocator->EndRun();
  EXPECT_EQ(allocator->statistics().from_arena, 3u);
}

// Of runs by several threads blocks stay for some runs, and go while others go on.
TEST(PlannedAllocatorTest, BlocksOutliveRunsOfThreads) {
  CountingAllocator upstream;
  auto allocator = PlannedAllocator::Create(&upstream);
  struct Kept {
    char* block;
    size_t size;
    char value;
  };
  auto check = [](const Kept& kept) {
    for (size_t i = 0; i < kept.size; ++i) ASSERT_EQ(kept.block[i], kept.value);
  };
  constexpr int kThreads = 4;
  std::vector<Kept> kept[kThreads];
  for (int run = 0; run < 30; ++run) {
    allocator->BeginRun(run % 3 == 0 ? kOtherKey : kKey);
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        std::mt19937 random(static_cast<unsigned>(run * kThreads + t));
        for (int i = 0; i < 40; ++i) {
          const size_t size = random() % 5 * 100;
          auto* block = static_cast<char*>(allocator->AllocateBytes(size, 64));
          kept[t].push_back({block, size, static_cast<char>(random())});
          std::memset(block, kept[t].back().value, size);
          std::swap(kept[t][random() % kept[t].size()], kept[t].back());
          if (kept[t].size() < 20) continue;
          check(kept[t].back());
          allocator->DeallocateBytes(kept[t].back().block, kept[t].back().size);
          kept[t].pop_back();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    allocator->EndRun();
  }
  EXPECT_GT(allocator->statistics().from_arena + allocator->statistics().from_upstream, 0u);
  PlannedAllocator* still_there = allocator.release();
  PlannedAllocator::Drop()(still_there);
  for (const std::vector<Kept>& of_thread : kept) {
    for (const Kept& each : of_thread) {
      check(each);
      still_there->DeallocateBytes(each.block, each.size);
    }
  }
}

TEST(PlannedAllocatorTest, ThreadsMayAskInAnyOrder) {
  CountingAllocator upstream;
  auto allocator = PlannedAllocator::Create(&upstream);
  for (int run = 0; run < 20; ++run) {
    allocator->BeginRun(kKey);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 50; ++i) {
          const size_t size = 64 * (1 + (i + t) % 5);
          auto* block = static_cast<char*>(allocator->AllocateBytes(size, 64));
          std::memset(block, t, size);
          for (size_t j = 0; j < size; ++j) ASSERT_EQ(block[j], t);
          allocator->DeallocateBytes(block, size);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    allocator->EndRun();
  }
}

}  // namespace
}  // namespace tfrt
