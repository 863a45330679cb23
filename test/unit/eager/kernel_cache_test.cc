// What the context remembers of calls: keys, bounds, counters.

#include <thread>

#include "test/unit/eager/eager_fixture.h"

namespace tfrt::eager {
namespace {

using EagerKernelCacheTest = EagerModesTest;

TEST_P(EagerKernelCacheTest, CountsHitsAndMisses) {
  Scope scope(*context_, On("cpu:0"));
  Tensor x = Make({1}, {1.0f});
  ASSERT_TRUE(x.status().ok());
  uint64_t misses = 0, hits = 0;
  auto expect = [&](bool hit) {
    (hit ? hits : misses) += 1;
    CacheStatistics now = context_->cache_statistics();
    EXPECT_EQ(now.hits, hits);
    EXPECT_EQ(now.misses, misses);
    EXPECT_EQ(now.entries, misses);
  };
  Add(x, x);
  expect(false);
  Add(x, x);
  expect(true);
  // Another shape is the same call; another type, op, attribute or device is not.
  Tensor wide = Make({2}, {1.0f, 2.0f});
  Add(wide, wide);
  expect(true);
  Tensor integer = Make({1}, {1});
  Add(integer, integer);
  expect(false);
  CallOp("test.Same", {x});
  expect(false);
  Tensor matrix = Make({1, 1}, {1.0f});
  MatMul(matrix, matrix);
  expect(false);
  MatMul(matrix, matrix, {.transpose_a = true});
  expect(false);
  MatMul(matrix, matrix, {.transpose_a = true});
  expect(true);
  {
    Scope elsewhere(*context_, On("cpu:1"));
    Add(x, x);  // copied there
    expect(false);
    Add(x, x);
    expect(true);
    Tensor there = x.CopyTo("cpu:1");
    Add(there, there);
    expect(false);
    Add(there, x);
    expect(false);
  }
  // Counted beyond the scope.
  Add(x, x);
  expect(true);
  EXPECT_EQ(context_->cache_statistics().capacity, 4096u);
}

TEST_P(EagerKernelCacheTest, IsBounded) {
  auto context =
      MakeContext({.devices = {"cpu:0"}, .order = GetParam().order, .kernel_cache_capacity = 2});
  Scope scope(*context, {.mode = mode()});
  for (int round = 0; round < 2; ++round) {
    for (int64_t i = 0; i < 5; ++i) {
      OpAttrs attrs;
      attrs.Set("b", true);
      attrs.Set("i", i);
      EXPECT_EQ(CallOp("test.Attributes", {}, attrs).Item<int64_t>().value(), i);
    }
  }
  CacheStatistics statistics = context->cache_statistics();
  EXPECT_EQ(statistics.entries, 2u);
  EXPECT_EQ(statistics.capacity, 2u);
  EXPECT_EQ(statistics.hits, 2u);
  EXPECT_EQ(statistics.misses, 8u);
}

TEST_P(EagerKernelCacheTest, DoesNotKeepLargeConstants) {
  Scope scope(*context_, {.mode = mode()});
  std::vector<uint8_t> bytes(8192);
  const int64_t dims[] = {8192};
  for (int i = 0; i < 2; ++i) {
    OpAttrs attrs;
    attrs.SetDense("c", DType::kUI8, dims, bytes);
    EXPECT_EQ(CallOp("test.Large", {}, attrs).Item<int64_t>().value(), 8192);
  }
  EXPECT_EQ(context_->cache_statistics().entries, 0u);
  EXPECT_EQ(context_->cache_statistics().misses, 2u);
}

TEST_P(EagerKernelCacheTest, InvalidCallsAreNotKept) {
  Scope scope(*context_, {.mode = mode()});
  Tensor x = Make({1}, {1.0f});
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(CallOp("tf.Relu", {x, x}).status().ok());
  EXPECT_EQ(context_->cache_statistics().entries, 0u);
}

TEST_P(EagerKernelCacheTest, IsSharedByThreads) {
  constexpr int kThreads = 4;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      Scope scope(*context_, {.mode = mode()});
      for (int64_t i = 0; i < 50; ++i) {
        OpAttrs attrs;
        attrs.Set("b", i % 2 == 0);
        attrs.Set("i", i % 10);
        EXPECT_EQ(CallOp("test.Attributes", {}, attrs).Item<int64_t>().value(), i % 10);
        (void)context_->cache_statistics();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CacheStatistics statistics = context_->cache_statistics();
  EXPECT_EQ(statistics.entries, 10u);
  EXPECT_EQ(statistics.hits + statistics.misses, 50u * kThreads);
  EXPECT_GE(statistics.misses, 10u);
}

INSTANTIATE_TEST_SUITE_P(Modes, EagerKernelCacheTest, testing::ValuesIn(kAllModes), ModeName);

}  // namespace
}  // namespace tfrt::eager
