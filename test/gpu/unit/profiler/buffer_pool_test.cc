#include "gpu/profiler/buffer_pool.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

namespace tfrt::gpu {
namespace {

TEST(BufferPoolTest, HasAHardCap) {
  BufferPool pool;
  pool.SetLimits(5000, 2);
  std::span<uint8_t> first = pool.Acquire(), second = pool.Acquire();
  EXPECT_EQ(first.size(), 8192u);  // whole pages
  EXPECT_EQ(reinterpret_cast<uintptr_t>(first.data()) % BufferPool::kAlignment, 0u);
  EXPECT_TRUE(pool.Acquire().empty());
  EXPECT_EQ(pool.num_refused(), 1u);
  std::memset(first.data(), 1, first.size());
  pool.PutFull(first.data(), 24);
  EXPECT_TRUE(pool.Acquire().empty());  // it waits for its reader
  auto full = pool.TakeFull();
  ASSERT_EQ(full.size(), 1u);
  EXPECT_EQ(full[0].data(), first.data());
  EXPECT_EQ(full[0].size(), 24u);
  EXPECT_TRUE(pool.TakeFull().empty());
  pool.GiveBack(full[0].data());
  EXPECT_EQ(pool.Acquire().data(), first.data());
  pool.PutFull(first.data(), 0);  // nothing in it: free at once
  EXPECT_EQ(pool.Acquire().data(), first.data());
  pool.GiveBack(first.data());
  pool.GiveBack(second.data());
}

TEST(BufferPoolTest, WhatIsNotItsOwnIsLeftAlone) {
  BufferPool pool;
  uint8_t other = 0;
  pool.PutFull(&other, 1);
  pool.GiveBack(&other);
  EXPECT_TRUE(pool.TakeFull().empty());
}

TEST(BufferPoolTest, NoMoreIsReadThanThereIs) {
  BufferPool pool;
  pool.SetLimits(4096, 1);
  std::span<uint8_t> buffer = pool.Acquire();
  pool.PutFull(buffer.data(), ~size_t{0});
  EXPECT_EQ(pool.TakeFull().at(0).size(), 4096u);
  pool.GiveBack(buffer.data());
}

// Buffers of other limits come back late, and go.
TEST(BufferPoolTest, LimitsChange) {
  BufferPool pool;
  pool.SetLimits(4096, 1);
  std::span<uint8_t> old = pool.Acquire();
  pool.SetLimits(8192, 2);
  pool.GiveBack(old.data());
  std::span<uint8_t> buffer = pool.Acquire();
  EXPECT_EQ(buffer.size(), 8192u);
  pool.GiveBack(buffer.data());
}

}  // namespace
}  // namespace tfrt::gpu
