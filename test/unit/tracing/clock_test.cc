#include "tfrt/tracing/clock.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <thread>

namespace tfrt::tracing {
namespace {

TEST(ClockTest, AgreesWithTheSystemsClock) {
  Ticks ticks = Now();
  auto system = static_cast<int64_t>(internal::SystemNanoseconds());
  // What the calibration may take besides its 2 ms on a busy machine does not matter.
  ClockMap map = CalibrateClock();
  EXPECT_LT(std::abs(map.ToNanoseconds(ticks) - system), 1'000'000'000);
  EXPECT_GT(map.nanoseconds_per_tick, 0);
  // A second of ticks is a second.
  auto second = static_cast<Ticks>(1e9 / map.nanoseconds_per_tick);
  EXPECT_NEAR(static_cast<double>(map.ToNanoseconds(ticks + second) - map.ToNanoseconds(ticks)),
              1e9, 10);
}

TEST(ClockTest, MapsTicksBeforeItsOwn) {
  ClockMap map{.tick = 1000, .nanoseconds = 500, .nanoseconds_per_tick = 0.5};
  EXPECT_EQ(map.ToNanoseconds(1100), 550);
  EXPECT_EQ(map.ToNanoseconds(900), 450);
}

TEST(ClockTest, LaterIsLater) {
  Ticks last = Now();
  for (int i = 0; i < 1000; ++i) {
    Ticks now = NowAfterLoads();
    ASSERT_GE(now, last);
    last = now;
  }
}

// What one thread stamps before a store is not later than what the reader of the store stamps.
TEST(ClockTest, OrdersWhatThreadsSee) {
  constexpr uint64_t kRounds = 200;
  std::atomic<uint64_t> turn{0};
  auto await = [&](uint64_t wanted) {
    uint64_t now;
    while ((now = turn.load(std::memory_order_acquire)) != wanted) turn.wait(now);
  };
  auto give = [&](uint64_t next) {
    turn.store(next, std::memory_order_release);
    turn.notify_one();
  };
  Ticks stamp = 0;
  std::thread other([&] {
    for (uint64_t i = 0; i < kRounds; ++i) {
      await(2 * i + 1);
      Ticks now = NowAfterLoads();
      EXPECT_GE(now, stamp);
      give(2 * i + 2);
    }
  });
  for (uint64_t i = 0; i < kRounds; ++i) {
    stamp = Now();
    give(2 * i + 1);
    await(2 * i + 2);
  }
  other.join();
}

TEST(ClockTest, WithoutACounterItIsTheSystems) {
  auto source = internal::Source();
  internal::clock_source = internal::ClockSource::kSystem;
  uint64_t before = internal::SystemNanoseconds();
  Ticks now = Now(), later = NowAfterLoads();
  uint64_t after = internal::SystemNanoseconds();
  ClockMap map = CalibrateClock();
  internal::clock_source = source;
  EXPECT_LE(before, now);
  EXPECT_LE(now, later);
  EXPECT_LE(later, after);
  EXPECT_EQ(map.ToNanoseconds(now), static_cast<int64_t>(now));
}

}  // namespace
}  // namespace tfrt::tracing
