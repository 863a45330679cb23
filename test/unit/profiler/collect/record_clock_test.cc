// Times of records: near the system's clock for as long as a session is, and never backwards.
#include "lib/profiler/collect/record_clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

namespace tfrt::profiler {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// The counter runs at 3 ticks a nanosecond; the first comparison was wrong by 50 in a million,
// later ones by ever less.
TEST(RecordClockTest, FollowsTheSystemsClock) {
  constexpr double kTrueRate = 1.0 / 3;
  RecordClock clock({.tick = 0, .nanoseconds = 0, .nanoseconds_per_tick = kTrueRate * 1.00005});
  const tracing::Ticks ticks_of_a_second = 3 * kSecond;
  int64_t worst = 0, last = -1;
  for (uint64_t second = 1; second < 3600; ++second) {
    const tracing::Ticks now = second * ticks_of_a_second;
    const auto is = static_cast<int64_t>(second) * kSecond;
    if (second > 3) worst = std::max(worst, std::abs(clock.ToNanoseconds(now) - is));
    EXPECT_GT(clock.ToNanoseconds(now), last);
    last = clock.ToNanoseconds(now);
    clock.Bend(now, is, kTrueRate * (1 + 0.00005 / static_cast<double>(second)));
    EXPECT_EQ(clock.ToNanoseconds(now), last) << "a time is the same before and behind a bend";
  }
  EXPECT_LT(worst, 25'000);
  EXPECT_LT(std::abs(clock.ToNanoseconds(3600 * ticks_of_a_second) - 3600 * kSecond), 100);
}

TEST(RecordClockTest, NeverGoesBack) {
  std::minstd_rand random(1);
  RecordClock clock({.tick = 0, .nanoseconds = 0, .nanoseconds_per_tick = 1});
  tracing::Ticks now = 0;
  for (int i = 0; i < 1000; ++i) {
    now += random() % kSecond;
    // The system's clock is set to anything.
    clock.Bend(now, static_cast<int64_t>(random()) * 100 - kSecond, 1);
    int64_t last = clock.ToNanoseconds(now > 1000 ? now - 1000 : 0);
    for (tracing::Ticks tick = now > 1000 ? now - 1000 : 0; tick < now + 1000; tick += 100) {
      ASSERT_GE(clock.ToNanoseconds(tick), last);
      last = clock.ToNanoseconds(tick);
    }
  }
}

}  // namespace
}  // namespace tfrt::profiler
