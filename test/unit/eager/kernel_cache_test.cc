// What the context remembers of calls: keys, bounds, counters.

#include <string>
#include <thread>
#include <vector>

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

// A call that is another one for each number.
void CallNumbered(int64_t number, std::source_location where = std::source_location::current()) {
  OpAttrs attrs;
  attrs.Set("b", true);
  attrs.Set("i", number);
  EXPECT_EQ(CallOp("test.Attributes", {}, attrs, where).Item<int64_t>().value(), number);
}

TEST_P(EagerKernelCacheTest, IsBounded) {
  constexpr size_t kCapacity = 16;
  auto context = MakeContext(
      {.devices = {"cpu:0"}, .order = GetParam().order, .kernel_cache_capacity = kCapacity});
  Scope scope(*context, {.mode = mode()});
  // Ten times as many calls as there is room for, twice: none is found again.
  for (int round = 0; round < 2; ++round) {
    for (size_t i = 0; i < 10 * kCapacity; ++i) {
      CallNumbered(static_cast<int64_t>(i));
      EXPECT_LE(context->cache_statistics().entries, kCapacity);
    }
  }
  CacheStatistics statistics = context->cache_statistics();
  EXPECT_EQ(statistics.entries, kCapacity);
  EXPECT_EQ(statistics.capacity, kCapacity);
  EXPECT_EQ(statistics.hits, 0u);
  EXPECT_EQ(statistics.misses, 20 * kCapacity);
  EXPECT_EQ(statistics.evictions, 19 * kCapacity);
  // The newest are there.
  CallNumbered(10 * kCapacity - 1);
  EXPECT_EQ(context->cache_statistics().hits, 1u);
}

TEST_P(EagerKernelCacheTest, WhatIsUsedStays) {
  constexpr int64_t kCapacity = 16;
  auto context = MakeContext(
      {.devices = {"cpu:0"}, .order = GetParam().order, .kernel_cache_capacity = kCapacity});
  Scope scope(*context, {.mode = mode()});
  Tensor x = Make({1}, {1.0f});
  for (int64_t i = 0; i < 10 * kCapacity; ++i) {
    CallNumbered(-1);
    EXPECT_EQ(AddV2(x, x).Item<float>().value(), 2);
    CallNumbered(i);
  }
  CacheStatistics statistics = context->cache_statistics();
  EXPECT_EQ(statistics.misses, 10 * kCapacity + 2u);
  EXPECT_EQ(statistics.hits, 2 * (10 * kCapacity - 1u));
}

TEST_P(EagerKernelCacheTest, ScopesInheritWhatOthersFound) {
  Tensor x;
  for (int i = 0; i < 3; ++i) {
    Scope scope(*context_, On("cpu:0"));
    if (i == 0) x = Make({1}, {1.0f});
    Add(x, x);
    Scope inner(*context_, On("cpu:0"));
    Add(x, x);
  }
  EXPECT_EQ(context_->cache_statistics().misses, 1u);
  EXPECT_EQ(context_->cache_statistics().hits, 5u);
}

TEST_P(EagerKernelCacheTest, MayHaveNoRoom) {
  auto context =
      MakeContext({.devices = {"cpu:0"}, .order = GetParam().order, .kernel_cache_capacity = 0});
  Scope scope(*context, {.mode = mode()});
  Tensor x = Make({1}, {1.0f});
  for (int i = 0; i < 3; ++i) {
    CallNumbered(7);
    EXPECT_EQ(AddV2(x, x).Item<float>().value(), 2);
  }
  CacheStatistics statistics = context->cache_statistics();
  EXPECT_EQ(statistics.entries, 0u);
  EXPECT_EQ(statistics.hits, 0u);
  EXPECT_EQ(statistics.misses, 6u);
  EXPECT_EQ(statistics.evictions, 0u);
}

// Threads find entries while others leave them out.
TEST_P(EagerKernelCacheTest, IsBoundedWhateverThreadsDo) {
  constexpr size_t kCapacity = 8;
  auto context = MakeContext(
      {.devices = {"cpu:0"}, .order = GetParam().order, .kernel_cache_capacity = kCapacity});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int64_t i = 0; i < 100; ++i) {
        Scope scope(*context, {.mode = mode()});
        CallNumbered(1000);
        CallNumbered(i % 10 + t);
        CallNumbered(i % 10 + t);
        EXPECT_LE(context->cache_statistics().entries, kCapacity);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CacheStatistics statistics = context->cache_statistics();
  EXPECT_EQ(statistics.hits + statistics.misses, 4u * 100 * 3);
  EXPECT_GT(statistics.evictions, 0u);
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

// A place of the program remembers its last call, which is no more than a guess about the next one.
TEST_P(EagerKernelCacheTest, CallsAtOnePlaceDiffer) {
  Scope scope(*context_, {.mode = mode()});
  const Tensor x = Make({6}, {1, 2, 3, 4, 5, 6});
  const std::vector<int64_t> sizes[] = {{2, 3}, {3, 2}, {3, 2}, {4, 2}, {6, 1}, {2, 3}};
  for (const std::vector<int64_t>& dims : sizes) {
    Tensor matrix = Reshape(x, Tensor::FromArray(HostArray({2}, dims)));
    const bool fits = dims[0] * dims[1] == 6;
    ASSERT_EQ(matrix.status().ok(), fits);
    if (!fits) continue;
    EXPECT_EQ(matrix.shape().value(), (TensorShape{dims[0], dims[1]}));
    for (bool first : {false, true, true, false}) {
      Tensor square = MatMul(matrix, matrix, {.transpose_a = first, .transpose_b = !first});
      const int64_t size = dims[first ? 1 : 0];
      EXPECT_EQ(square.shape().value(), (TensorShape{size, size}));
      EXPECT_EQ(square.status(), OkStatus());
    }
  }
}

TEST_P(EagerKernelCacheTest, CallsOfManyArgumentsAtOnePlace) {
  Scope scope(*context_, {.mode = mode()});
  const Tensor x = Make({1}, {1});
  for (size_t count : {64, 65, 65, 64, 66}) {
    const std::vector<Tensor> parts(count, x);
    Tensor all = ConcatV2(TensorList(parts), 0);
    EXPECT_EQ(all.shape().value(), TensorShape{static_cast<int64_t>(count)});
  }
}

TEST_P(EagerKernelCacheTest, WindowsAreThoseOfTheCall) {
  Scope scope(*context_, {.mode = mode()});
  std::vector<float> pixels(16);
  for (size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<float>(i);
  const Tensor image = Tensor::FromArray(HostArray({1, 4, 4, 1}, pixels));
  for (int64_t step : {2, 2, 4, 2}) {
    Tensor pooled = MaxPool(image, {1, step, step, 1}, "VALID", {.strides = {1, step, step, 1}});
    const auto expected = step == 2 ? std::vector<float>{5, 7, 13, 15} : std::vector<float>{15};
    EXPECT_EQ(ValuesOf<float>(pooled), expected);
  }
  // Attributes that no kernel takes fail each call in the same way.
  for (int i = 0; i < 3; ++i) {
    Tensor wrong =
        MaxPool(image, {1, 1, 2, 2}, "VALID", {.data_format = "NCHW", .strides = {1, 1, 2, 2}});
    EXPECT_THAT(std::string(wrong.status().message()),
                testing::HasSubstr("only channel last order is supported"));
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, EagerKernelCacheTest, testing::ValuesIn(kAllModes), ModeName);

}  // namespace
}  // namespace tfrt::eager
