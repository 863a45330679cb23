// Races between waiting, resolving, forwarding and dropping. Meant for the thread sanitizer.

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "tfrt/async/async_value_ref.h"

namespace tfrt {
namespace {

constexpr int kRounds = 2000;
constexpr int kPayload = 17;

TEST(AsyncValueThreadsTest, EveryWaiterRunsExactlyOnce) {
  for (int round = 0; round < kRounds; ++round) {
    auto value = MakeUnconstructedAsyncValueRef<int>();
    std::atomic<int> calls{0};
    std::thread producer([v = value.CopyRef()] { v.emplace(kPayload); });
    std::thread waiter([&, v = value.CopyRef()] {
      for (int i = 0; i < 4; ++i) {
        v.AndThen([&calls, p = v.AsPtr()] {
          if (p.get() == kPayload) calls.fetch_add(1);
        });
      }
    });
    value.AndThen([&] { calls.fetch_add(1); });
    producer.join();
    waiter.join();
    EXPECT_EQ(calls.load(), 5);
  }
}

TEST(AsyncValueThreadsTest, ForwardingRacesWithWaiting) {
  for (int round = 0; round < kRounds; ++round) {
    auto indirect = MakeIndirectAsyncValue();
    auto target = MakeUnconstructedAsyncValueRef<int>();
    std::atomic<int> calls{0};
    std::thread forwarder([&] { indirect->ForwardTo(target.CopyRCRef()); });
    std::thread producer([&] { target.emplace(3); });
    RCReference<AsyncValue> held = indirect;
    held->AndThen([&, raw = held.get()] { calls.fetch_add(raw->get<int>()); });
    forwarder.join();
    producer.join();
    EXPECT_EQ(calls.load(), 3);
  }
}

TEST(AsyncValueThreadsTest, KindAndTypeMayBeReadBeforeTheValueIsThere) {
  for (int round = 0; round < kRounds; ++round) {
    auto indirect = MakeIndirectAsyncValue();
    auto failing = MakeUnconstructedAsyncValueRef<int>();
    std::thread resolver([&] {
      indirect->ForwardTo(MakeAvailableAsyncValueRef<int>(kPayload).ReleaseRCRef());
      failing.SetError(InternalError("no"));
    });
    do {
      EXPECT_TRUE(indirect->IsIndirect());
      if (indirect->IsType<int>() && indirect->IsAvailable()) {
        EXPECT_EQ(indirect->get<int>(), kPayload);
      }
      // Otherwise a busy machine spends this thread's time slice on it, in each round.
      std::this_thread::yield();
    } while (!failing.GetAsyncValue()->IsError());
    EXPECT_TRUE(failing.GetAsyncValue()->IsType<int>());
    resolver.join();
  }
}

TEST(AsyncValueThreadsTest, LastReferenceMayBeDroppedAnywhere) {
  static std::atomic<int> live{0};
  struct Payload {
    Payload() { live.fetch_add(1); }
    ~Payload() { live.fetch_sub(1); }
  };
  for (int round = 0; round < kRounds; ++round) {
    auto value = MakeAvailableAsyncValueRef<Payload>();
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back([v = value.CopyRef()]() mutable {
        auto copy = v.CopyRef();
        v.reset();
      });
    }
    value.reset();
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(live.load(), 0);
}

TEST(AsyncValueThreadsTest, RunWhenReadyCountsDownAcrossThreads) {
  for (int round = 0; round < kRounds; ++round) {
    std::vector<AsyncValueRef<int>> values;
    std::vector<AsyncValue*> raw;
    for (int i = 0; i < 3; ++i) {
      values.push_back(MakeUnconstructedAsyncValueRef<int>());
      raw.push_back(values.back().GetAsyncValue());
    }
    std::atomic<int> sum{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back([v = values[i].CopyRef(), i] { v.emplace(i); });
    }
    RunWhenReady(raw, [&] {
      for (auto& v : values) sum.fetch_add(v.get() + 1);
    });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(sum.load(), 6);
  }
}

}  // namespace
}  // namespace tfrt
