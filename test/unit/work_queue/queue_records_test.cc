// What queues record, and that the record a thread is in goes with the tasks it adds.

#include "tfrt/work_queue/queue_records.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <set>
#include <thread>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/tracing/session.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt {
namespace {

using tracing::Profile;
using tracing::Span;

constexpr tracing::RecordType kOuter = {.name = "test.outer", .level = tracing::StackLevel::kOp};
constexpr tracing::RecordType kInner = {.name = "test.inner",
                                        .level = tracing::StackLevel::kKernel};

class QueueRecordsTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!tracing::kRecordsExist) GTEST_SKIP() << "built without tracing";
    queue_ = *CreateWorkQueue(GetParam());
    session_ = *tracing::Session::Start({.buffer_bytes = 4 << 20});
  }
  void Inner(std::string_view name) { tracing::RecordScope inner(kInner, name); }

  std::unique_ptr<ConcurrentWorkQueue> queue_;
  std::unique_ptr<tracing::Session> session_;
};

TEST_P(QueueRecordsTest, TasksTakeTheRecordAlong) {
  {
    tracing::RecordScope outer(kOuter, "caller", {.op_id = 11});
    queue_->AddTask([this] {
      Inner("task");
      queue_->AddTask([this] { Inner("task of a task"); });
    });
    TaskTicket ticket = queue_->MakeTicket();
    ticket.AddTask([this] { Inner("task of a ticket"); });
    (void)queue_->AddBlockingTask([this] { Inner("blocking task"); }, true);
  }
  queue_->AddTask([this] { Inner("other task"); });
  queue_->Quiesce();
  Profile profile = session_->Read();
  uint64_t caller = profile.OfType("test.outer").at(0)->id;
  auto inner = profile.OfType("test.inner");
  ASSERT_EQ(inner.size(), 5u);
  for (const Span* span : inner) {
    bool is_other = span->name == "other task";
    EXPECT_EQ(span->parent_id, is_other ? 0 : caller) << span->name;
    EXPECT_EQ(span->op_id, is_other ? 0u : 11u) << span->name;
  }
}

TEST_P(QueueRecordsTest, EachTaskIsAddedOnceAndTakenOnceLater) {
  constexpr int kTasks = 100;
  for (int i = 0; i < kTasks; ++i) queue_->AddTask([] {});
  queue_->Quiesce();
  Profile profile = session_->Read();
  std::map<uint64_t, const Span*> added;
  for (const Span* span : profile.OfType("queue.enqueue")) added[span->correlation_id] = span;
  ASSERT_EQ(added.size(), size_t{kTasks});
  std::set<uint64_t> taken;
  for (const Span* span : profile.OfType("queue.dequeue")) {
    ASSERT_TRUE(added.contains(span->correlation_id));
    const Span& enqueue = *added[span->correlation_id];
    EXPECT_GE(span->begin_ns, enqueue.begin_ns);
    EXPECT_EQ(span->name, queue_->name());
    EXPECT_EQ(enqueue.name, queue_->name());
    EXPECT_GE(enqueue.Integer("depth"), 1);
    EXPECT_GE(span->Integer("depth"), 0);
    taken.insert(span->correlation_id);
  }
  EXPECT_EQ(taken.size(), size_t{kTasks});
}

struct SelfRecordingTask {
  static constexpr bool kRecordsItself = true;
  std::atomic<int>* ran;
  void operator()() const {
    EXPECT_EQ(tracing::CurrentContext().record_id, 0u) << "it takes along what it needs itself";
    ran->fetch_add(1);
  }
};

TEST_P(QueueRecordsTest, TasksThatRecordThemselvesAreLeftAlone) {
  std::atomic<int> ran{0};
  {
    tracing::RecordScope outer(kOuter, "caller");
    queue_->AddTask(SelfRecordingTask{&ran});
    queue_->AddForkedTask(SelfRecordingTask{&ran});
    queue_->MakeTicket().AddTask(SelfRecordingTask{&ran});
  }
  queue_->Quiesce();
  EXPECT_EQ(ran.load(), 3);
  Profile profile = session_->Read();
  EXPECT_TRUE(profile.OfType("queue.enqueue").empty());
  EXPECT_TRUE(profile.OfType("queue.dequeue").empty());
}

TEST_P(QueueRecordsTest, TasksThatOutliveTheSessionRun) {
  std::atomic<int> ran{0};
  {
    tracing::RecordScope outer(kOuter, "caller");
    queue_->AddTask([&] {
      ran.fetch_add(1);
      while (tracing::IsRecording()) std::this_thread::yield();
      queue_->AddTask([&] {
        ran.fetch_add(1);
        EXPECT_EQ(tracing::CurrentContext().record_id, 0u);
      });
    });
  }
  session_.reset();
  queue_->Quiesce();
  EXPECT_EQ(ran.load(), 2);
}

TEST_P(QueueRecordsTest, NothingIsRecordedOnceItIsOver) {
  session_->Stop();
  queue_->AddTask([] {});
  queue_->Quiesce();
  EXPECT_TRUE(session_->Read().spans.empty());
}

TEST_P(QueueRecordsTest, WaitingIsRecorded) {
  auto value = MakeUnconstructedAsyncValueRef<int32_t>();
  AsyncValue* values[] = {value.GetAsyncValue()};
  std::thread other([&] {
    // Until this thread sleeps: that is recorded when it is over, so only time could tell.
    std::this_thread::yield();
    value.emplace(1);
  });
  queue_->Await(values);
  other.join();
  queue_->AddTask([] {});
  queue_->Quiesce();
  for (const Span& span : session_->Read().spans) {
    if (span.type == &kIdleRecord || span.type == &kAwaitRecord) {
      EXPECT_EQ(span.name, queue_->name());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Queues, QueueRecordsTest, testing::Values("s", "mstd:1", "mstd:2"));

TEST(QueueRecordsOfTest, DepthCountsWhatWaits) {
  if (!tracing::kRecordsExist) GTEST_SKIP() << "built without tracing";
  auto queue = CreateSingleThreadedWorkQueue();
  queue->AddTask([] {});  // before there are records: not counted
  auto session = *tracing::Session::Start({.buffer_bytes = 1 << 20});
  for (int i = 0; i < 3; ++i) queue->AddTask([] {});
  queue->Quiesce();
  std::vector<int64_t> depths;
  tracing::Profile profile = session->Read();
  for (const Span& span : profile.spans) depths.push_back(span.Integer("depth"));
  EXPECT_EQ(depths, (std::vector<int64_t>{1, 2, 3, 2, 1, 0}));
}

TEST(QueueRecordsOfTest, StealsAndIdleWorkersAreRecorded) {
  if (!tracing::kRecordsExist) GTEST_SKIP() << "built without tracing";
  auto queue = CreateMultiThreadedWorkQueue(2, 1);
  auto session = *tracing::Session::Start({.buffer_bytes = 16 << 20});
  std::atomic<int> stolen{0};
  queue->AddTask([&] {
    // Two tasks in this worker's deque, which the worker leaves alone: the other one must take
    // them.
    for (int i = 0; i < 2; ++i) queue->AddTask([&] { stolen.fetch_add(1); });
    while (stolen.load() < 2) std::this_thread::yield();
  });
  queue->Quiesce();
  EXPECT_GE(session->Read().OfType("queue.steal").size(), 2u);
  // The workers park when they have looked around for a while; the records come when they wake up.
  while (session->Read().OfType("queue.idle").empty()) {
    for (int i = 0; i < 1000; ++i) std::this_thread::yield();
    queue->AddTask([] {});
    queue->Quiesce();
  }
}

}  // namespace
}  // namespace tfrt
