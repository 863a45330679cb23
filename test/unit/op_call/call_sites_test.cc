// Places of a program and what is remembered of the calls there.

#include "lib/ops/op_call/call_sites.h"

#include <gtest/gtest.h>

#include <atomic>
#include <span>
#include <thread>
#include <vector>

namespace tfrt {
namespace {

TEST(CallSitesTest, APlaceIsRemembered) {
  CallSites sites(2);
  int a = 0, b = 0;
  {
    auto lease = sites.Take(&a);
    ASSERT_NE(lease.get(), nullptr);
    lease.get()->elements = {7};
    EXPECT_NE(sites.Take(&b).get(), lease.get());
  }
  EXPECT_EQ(sites.Take(&a).get()->elements, std::vector<int64_t>{7});
  EXPECT_TRUE(sites.Take(&b).get()->elements.empty());
}

TEST(CallSiteTest, RecallsCallsLikeTheLastOne) {
  const TensorMetadata a{DType::kF32, {2, 3}}, b{DType::kF32, {3}}, c{DType::kI32, {3}};
  const TensorMetadata* const arguments[] = {&a, &b, nullptr};
  CallSite site;
  TensorMetadata result;
  EXPECT_FALSE(site.Recall(arguments, {&result, 1}));
  site.Remember(arguments, {&c, 1});
  ASSERT_TRUE(site.Recall(arguments, {&result, 1}));
  EXPECT_EQ(result, c);
  const TensorMetadata *const others[] = {&a, &c, nullptr}, *const more[] = {&a, &b, &b};
  EXPECT_FALSE(site.Recall(others, {&result, 1}));
  EXPECT_FALSE(site.Recall(more, {&result, 1}));
  EXPECT_FALSE(site.Recall(std::span(arguments).first(2), {&result, 1}));
  EXPECT_FALSE(site.Recall(arguments, {}));
  site.elements = {1};  // the results followed from elements, too
  EXPECT_FALSE(site.Recall(arguments, {&result, 1}));
}

TEST(CallSitesTest, OneCallAtATimeHasAPlace) {
  CallSites sites(1);
  int a = 0;
  auto lease = sites.Take(&a);
  EXPECT_EQ(sites.Take(&a).get(), nullptr);
}

TEST(CallSitesTest, PlacesBeyondThoseExpectedAreNotRemembered) {
  CallSites sites(1);
  std::vector<int> keys(100);
  size_t remembered = 0;
  for (int& key : keys) remembered += sites.Take(&key).get() != nullptr;
  EXPECT_GE(remembered, 1u);
  EXPECT_LT(remembered, keys.size());
}

TEST(CallSitesTest, ThreadsShareThePlaces) {
  CallSites sites(64);
  std::vector<int> keys(64);
  constexpr int kThreads = 4, kRounds = 2000;
  std::atomic<int64_t> taken = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int round = 0; round < kRounds; ++round) {
        auto lease = sites.Take(&keys[round % keys.size()]);
        if (!lease.get()) continue;
        lease.get()->elements.push_back(round);
        ++taken;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  int64_t written = 0;
  for (int& key : keys) written += static_cast<int64_t>(sites.Take(&key).get()->elements.size());
  EXPECT_EQ(written, taken);
}

}  // namespace
}  // namespace tfrt
