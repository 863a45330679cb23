#include "tfrt/async/chain.h"

#include <gtest/gtest.h>

#include <latch>
#include <thread>
#include <vector>

namespace tfrt {
namespace {

TEST(ChainTest, ReadyChainIsImmortal) {
  auto chain = GetReadyChain();
  AsyncValue* raw = chain.GetAsyncValue();
  chain.reset();
  EXPECT_EQ(GetReadyChain().GetAsyncValue(), raw);
  EXPECT_TRUE(GetReadyChain().IsConcrete());
  EXPECT_FALSE(GetReadyChain().IsUnique());
}

TEST(ChainTest, ReferencesAreNotCounted) {
  AsyncValue* raw = GetReadyChain().GetAsyncValue();
  // More are dropped than there can be.
  for (int i = 0; i < 100'000; ++i) raw->DropRef();
  raw->DropRef(1'000'000);
  EXPECT_EQ(GetReadyChain().GetAsyncValue(), raw);
  EXPECT_TRUE(raw->IsConcrete());
}

TEST(ChainTest, ReadyChainIsNoLiveValue) {
  GetReadyChain();
  int64_t before = NumLiveAsyncValues();
  std::vector<AsyncValueRef<Chain>> chains;
  for (int i = 0; i < 100; ++i) chains.push_back(GetReadyChain());
  EXPECT_EQ(NumLiveAsyncValues(), before);
}

TEST(ChainTest, WaitersRunAtOnce) {
  int calls = 0;
  GetReadyChain().AndThen([&] { ++calls; });
  EXPECT_EQ(calls, 1);
}

TEST(ChainTest, ThreadsThatComeFirstAgree) {
  constexpr int kThreads = 4;
  std::latch start(kThreads);
  AsyncValue* made[kThreads];
  std::vector<std::thread> threads;
  for (AsyncValue*& chain : made) {
    threads.emplace_back([&start, &chain] {
      start.arrive_and_wait();
      // As GetReadyChain does for who finds none.
      chain = internal::MakeReadyChain();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (AsyncValue* chain : made) EXPECT_EQ(chain, GetReadyChain().GetAsyncValue());
}

}  // namespace
}  // namespace tfrt
