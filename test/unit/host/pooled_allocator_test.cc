#include "lib/runtime/host/pooled_allocator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

namespace tfrt {
namespace {

// Counts blocks, and finds those that do not come back or come back with another size.
class CountingAllocator : public HostAllocator {
 public:
  explicit CountingAllocator(size_t capacity = SIZE_MAX) : capacity_(capacity) {}
  ~CountingAllocator() override { EXPECT_EQ(bytes, 0u); }
  void* AllocateBytes(size_t size, size_t alignment) override {
    if (size > capacity_ - bytes) return nullptr;
    ++requests;
    bytes += size;
    return malloc_->AllocateBytes(size, alignment);
  }
  void DeallocateBytes(void* block, size_t size) override {
    bytes -= size;
    malloc_->DeallocateBytes(block, size);
  }
  std::atomic<size_t> requests = 0, bytes = 0;

 private:
  const size_t capacity_;
  std::unique_ptr<HostAllocator> malloc_ = CreateMallocAllocator();
};

TEST(PooledAllocatorTest, BlocksAreUsedAgain) {
  CountingAllocator upstream;
  auto pool = PooledAllocator::Create(&upstream);
  void* first = pool->AllocateBytes(1000, 64);
  void* second = pool->AllocateBytes(1000, 64);
  EXPECT_NE(first, second);
  pool->DeallocateBytes(first, 1000);
  EXPECT_EQ(pool->AllocateBytes(990, 8), first);  // about the same size
  pool->DeallocateBytes(first, 990);
  pool->DeallocateBytes(second, 1000);
  PooledAllocator::Statistics statistics = pool->statistics();
  EXPECT_EQ(statistics.blocks, 2u);
  EXPECT_EQ(statistics.requests, 3u);
  EXPECT_EQ(statistics.upstream_requests, 2u);
  EXPECT_EQ(statistics.bytes, 2048u);
  EXPECT_EQ(statistics.peak_bytes, 2048u);
  pool->Trim();
  EXPECT_EQ(pool->statistics().blocks, 0u);
  EXPECT_EQ(upstream.bytes, 0u);
}

// Little is lost, and a size finds the place of its own blocks.
TEST(PooledAllocatorTest, AllSizes) {
  CountingAllocator upstream;
  auto pool = PooledAllocator::Create(&upstream);
  for (size_t size = 0; size < (size_t{1} << 36); size = std::max(size + 1, size + size / 7)) {
    if (size > (1 << 22)) break;
    void* block = pool->AllocateBytes(size, 64);
    const size_t bytes = pool->statistics().bytes;
    EXPECT_GE(bytes, size);
    EXPECT_LE(bytes, std::max<size_t>(size + 64, size + size / 8 + 1));
    pool->DeallocateBytes(block, size);
    pool->Trim();
    ASSERT_EQ(upstream.bytes, 0u);
  }
}

TEST(PooledAllocatorTest, SizesThatNobodyAsksForAnyMoreGo) {
  CountingAllocator upstream;
  auto pool = PooledAllocator::Create(&upstream);
  for (size_t size = 1 << 16; size < (1 << 20); size += 1 << 14) {
    pool->DeallocateBytes(pool->AllocateBytes(size, 64), size);
  }
  EXPECT_LE(upstream.bytes, 2 * pool->statistics().peak_bytes);
}

TEST(PooledAllocatorTest, KeptBlocksMakeRoom) {
  CountingAllocator upstream(10000);
  auto pool = PooledAllocator::Create(&upstream);
  pool->DeallocateBytes(pool->AllocateBytes(8192, 64), 8192);
  void* block = pool->AllocateBytes(9216, 64);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(pool->AllocateBytes(9216, 64), nullptr);
  pool->DeallocateBytes(block, 9216);
}

TEST(PooledAllocatorTest, BlocksMayOutliveTheOwner) {
  CountingAllocator upstream;
  auto pool = PooledAllocator::Create(&upstream);
  PooledAllocator* allocator = pool.get();
  void* block = pool->AllocateBytes(100, 64);
  void* other = pool->AllocateBytes(100, 256);
  pool.reset();
  std::memset(block, 1, 100);
  allocator->DeallocateBytes(other, 100);
  allocator->DeallocateBytes(block, 100);
  EXPECT_EQ(upstream.bytes, 0u);
}

TEST(PooledAllocatorTest, ThreadsShareIt) {
  CountingAllocator upstream;
  auto pool = PooledAllocator::Create(&upstream);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(static_cast<uint32_t>(t));
      std::vector<std::pair<char*, size_t>> blocks;
      for (int i = 0; i < 2000; ++i) {
        const size_t size = 1 + random() % 3000;
        auto* block = static_cast<char*>(pool->AllocateBytes(size, 64));
        std::memset(block, t, size);
        blocks.push_back({block, size});
        if (blocks.size() < 10) continue;
        auto [old, old_size] = blocks.front();
        ASSERT_EQ(std::count(old, old + old_size, t), static_cast<std::ptrdiff_t>(old_size));
        pool->DeallocateBytes(old, old_size);
        blocks.erase(blocks.begin());
      }
      for (auto [block, size] : blocks) pool->DeallocateBytes(block, size);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace tfrt
