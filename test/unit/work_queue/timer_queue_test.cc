// Timers: their order, and those that are cancelled.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <vector>

#include "tfrt/work_queue/timer_queue.h"

namespace tfrt {
namespace {

using std::chrono::steady_clock;
using testing::ElementsAre;

TEST(TimerQueueTest, FiresInOrderOfDeadlines) {
  TimerQueue timers;
  std::promise<void> go, done;
  std::vector<int> order;
  auto base = steady_clock::now() - std::chrono::hours(1);
  timers.ScheduleTimer(base, [&] { go.get_future().wait(); });  // holds the thread
  timers.ScheduleTimer(base + std::chrono::seconds(3), [&] {
    order.push_back(3);
    done.set_value();
  });
  timers.ScheduleTimer(base + std::chrono::seconds(1), [&] { order.push_back(1); });
  timers.ScheduleTimer(base + std::chrono::seconds(2), [&] { order.push_back(2); });
  go.set_value();
  done.get_future().wait();
  EXPECT_THAT(order, ElementsAre(1, 2, 3));
}

TEST(TimerQueueTest, CancelledTimersDoNotFire) {
  TimerQueue timers;
  bool ran = false;
  auto far =
      timers.ScheduleTimer(steady_clock::now() + std::chrono::hours(100), [&] { ran = true; });
  EXPECT_TRUE(timers.CancelTimer(far));
  EXPECT_FALSE(timers.CancelTimer(far));
  std::promise<void> fired;
  auto near = timers.ScheduleTimer(steady_clock::now(), [&] { fired.set_value(); });
  fired.get_future().wait();
  EXPECT_FALSE(timers.CancelTimer(near));
  timers.Stop();
  timers.ScheduleTimer(steady_clock::now(), [&] { ran = true; });
  EXPECT_FALSE(ran);
}

}  // namespace
}  // namespace tfrt
