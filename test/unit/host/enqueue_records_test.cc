// The record that a thread is in goes with work that is enqueued, into any queue, and with the
// blocks of ParallelFor.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <set>
#include <utility>

#include "lib/runtime/host/parallel_for.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/request_context.h"
#include "tfrt/tracing/session.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt {
namespace {

using tracing::Profile;
using tracing::Span;

constexpr tracing::RecordType kOuter = {.name = "test.outer", .level = tracing::StackLevel::kOp};
constexpr tracing::RecordType kInner = {.name = "test.inner",
                                        .level = tracing::StackLevel::kKernel};
void Inner(std::string_view name) { tracing::RecordScope inner(kInner, name); }

// A program's own queue: it knows nothing of records.
class OwnQueue : public ConcurrentWorkQueue {
 public:
  std::string name() const override { return "own"; }
  void AddTask(TaskFunction task) override { inner_->AddTask(std::move(task)); }
  std::optional<TaskFunction> AddBlockingTask(TaskFunction task, bool allow_queuing) override {
    return inner_->AddBlockingTask(std::move(task), allow_queuing);
  }
  void Await(std::span<AsyncValue* const> values) override { inner_->Await(values); }
  void Quiesce() override { inner_->Quiesce(); }
  void AddTicket() override { inner_->AddTicket(); }
  void EndTicket(TaskFunction task) override { inner_->EndTicket(std::move(task)); }
  int GetParallelismLevel() const override { return 1; }
  bool IsInWorkerThread() const override { return false; }

 private:
  std::unique_ptr<ConcurrentWorkQueue> inner_ = CreateSingleThreadedWorkQueue();
};

class EnqueueRecordsTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!tracing::kRecordsExist) GTEST_SKIP() << "built without tracing";
    std::string queue = GetParam();
    host_ = std::make_unique<HostContext>(
        [](const DecodedDiagnostic&) {}, CreateMallocAllocator(),
        queue == "own" ? std::make_unique<OwnQueue>() : *CreateWorkQueue(queue));
    exec_ctx_ =
        std::make_unique<ExecutionContext>(RequestContextBuilder(host_.get(), nullptr).Build());
    session_ = *tracing::Session::Start({.buffer_bytes = 1 << 20});
  }
  void TearDown() override {
    exec_ctx_.reset();
    host_.reset();
  }
  // Of all records "test.inner": within the caller, or within a block of its loops.
  void ExpectInside(const Profile& profile, size_t count) {
    uint64_t caller = profile.OfType("test.outer").at(0)->id;
    auto inner = profile.OfType("test.inner");
    EXPECT_EQ(inner.size(), count);
    for (const Span* span : inner) {
      const Span* parent = profile.Find(span->parent_id);
      ASSERT_TRUE(parent) << span->name;
      if (parent->type->name == "parallel_for.block") parent = profile.Find(parent->parent_id);
      EXPECT_EQ(parent->id, caller) << span->name;
      EXPECT_EQ(span->op_id, 3u) << span->name;
    }
  }

  std::unique_ptr<HostContext> host_;
  std::unique_ptr<ExecutionContext> exec_ctx_;
  std::unique_ptr<tracing::Session> session_;
};

TEST_P(EnqueueRecordsTest, WorkTakesTheRecordAlong) {
  {
    tracing::RecordScope outer(kOuter, "caller", {.op_id = 3});
    EnqueueWork(*exec_ctx_, [] { Inner("work"); });
    EnqueueWork(*exec_ctx_, [] {
      Inner("work with a result");
      return 1;
    });
    EXPECT_TRUE(EnqueueBlockingWork(*exec_ctx_, [] { Inner("blocking work"); }));
    host_->work_queue().MakeTicket().AddTask([] { Inner("outside work"); });
  }
  host_->work_queue().Quiesce();
  Profile profile = session_->Read();
  ExpectInside(profile, 4);
  size_t own = 0;
  for (const Span* span : profile.OfType("queue.enqueue")) own += span->name == "own";
  EXPECT_EQ(own, std::string(GetParam()) == "own" ? 4u : 0u);
  EXPECT_EQ(profile.OfType("queue.enqueue").size(), profile.OfType("queue.dequeue").size());
}

TEST_P(EnqueueRecordsTest, SoDoBlocksOfParallelFor) {
  std::atomic<bool> done{false};
  AsyncValueRef<Chain> all;
  {
    tracing::RecordScope outer(kOuter, "caller", {.op_id = 3});
    ParallelFor(
        *exec_ctx_, 16, 1, [](size_t, size_t) { Inner("block"); },
        [&] {
          Inner("done");
          done = true;
        });
    all = ParallelFor(*exec_ctx_, 8, 2, [](size_t, size_t) {
      Inner("block of a chain");
      return GetReadyChain();
    });
  }
  AsyncValue* value = all.GetAsyncValue();
  host_->Await({&value, 1});
  host_->work_queue().Quiesce();
  EXPECT_TRUE(done.load());
  Profile profile = session_->Read();
  ExpectInside(profile, 16 + 1 + 4);
  std::set<std::pair<int64_t, int64_t>> blocks;
  for (const Span* block : profile.OfType("parallel_for.block")) {
    blocks.emplace(block->Integer("begin"), block->Integer("end"));
  }
  EXPECT_EQ(blocks.size(), 16u + 4u);
  EXPECT_TRUE(blocks.contains({15, 16}));
  EXPECT_TRUE(blocks.contains({6, 8}));
}

INSTANTIATE_TEST_SUITE_P(Queues, EnqueueRecordsTest, testing::Values("s", "mstd:2", "own"));

}  // namespace
}  // namespace tfrt
