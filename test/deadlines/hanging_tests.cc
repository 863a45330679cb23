// Tests that never end, and one that does: check_deadlines_test.py runs each.

#include <gtest/gtest.h>

#include <condition_variable>
#include <latch>
#include <mutex>
#include <thread>

namespace {

TEST(HangingTest, OnALatch) { std::latch(1).wait(); }

TEST(HangingTest, OnAConditionVariable) {
  std::mutex mutex;
  std::condition_variable changed;
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return false; });
}

TEST(HangingTest, OnAThread) {
  std::thread([] { std::latch(1).wait(); }).join();
}

TEST(HangingTest, InALoop) {
  volatile bool done = false;
  while (!done) {
  }
}

TEST(EndingTest, AtOnce) {}

}  // namespace
