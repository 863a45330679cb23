// Whether a server notices that its threads are stuck, and does not take load for that.

#include "lib/serve/models/queue_watch.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "test/unit/model/test_model.h"
#include "tfrt/host_context/enqueue.h"

namespace tfrt::serve {
namespace {

using std::chrono::milliseconds;

// One thread, which a task keeps busy until Release.
class QueueWatchTest : public testing::Test {
 protected:
  ~QueueWatchTest() override {
    Release();
    host_->Quiesce();
  }
  void Block() {
    std::promise<void> began;
    internal::AddTaskTo(host_->work_queue(), [&] {
      began.set_value();
      released_.wait();
    });
    began.get_future().wait();
  }
  void Release() {
    if (!std::exchange(is_released_, true)) release_.set_value();
  }
  QueueWatch Watch(milliseconds limit) {
    return {host_.get(), limit, [this] { return progress_.load(); }};
  }

  std::unique_ptr<HostContext> host_ = MakeTestHost("mstd:1");
  std::promise<void> release_;
  std::shared_future<void> released_ = release_.get_future().share();
  bool is_released_ = false;
  std::atomic<uint64_t> progress_{0};
};

TEST_F(QueueWatchTest, TasksThatAreTakenAreASignOfLife) {
  QueueWatch watch = Watch(milliseconds(1));
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(watch.IsAlive());
    host_->Quiesce();
    std::this_thread::sleep_for(milliseconds(2));
  }
}

TEST_F(QueueWatchTest, AThreadThatIsStuckIsNoticed) {
  Block();
  QueueWatch watch = Watch(milliseconds(1));
  EXPECT_TRUE(watch.IsAlive());
  std::this_thread::sleep_for(milliseconds(2));
  EXPECT_FALSE(watch.IsAlive());
  EXPECT_FALSE(watch.IsAlive());
  Release();
  host_->Quiesce();
  EXPECT_TRUE(watch.IsAlive());
}

TEST_F(QueueWatchTest, ProgressIsASignOfLife) {
  Block();
  QueueWatch watch = Watch(milliseconds(1));
  EXPECT_TRUE(watch.IsAlive());
  std::this_thread::sleep_for(milliseconds(2));
  ++progress_;
  EXPECT_TRUE(watch.IsAlive());
  std::this_thread::sleep_for(milliseconds(2));
  EXPECT_FALSE(watch.IsAlive());
}

TEST_F(QueueWatchTest, WithoutALimitAllIsWell) {
  Block();
  QueueWatch watch = Watch(milliseconds(0));
  EXPECT_TRUE(watch.IsAlive());
  std::this_thread::sleep_for(milliseconds(2));
  EXPECT_TRUE(watch.IsAlive());
}

}  // namespace
}  // namespace tfrt::serve
