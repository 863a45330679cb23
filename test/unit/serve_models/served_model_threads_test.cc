// Many threads submit, cancel and miss deadlines: each request is answered once, with its own rows.

#include <atomic>
#include <future>
#include <random>
#include <thread>

#include "test/support/deadline.h"
#include "test/unit/serve_models/serving.h"

namespace tfrt::serve {
namespace {

constexpr int kThreads = 4;
constexpr int kRequests = 300;

// How the requests of a test ended.
struct Outcomes {
  std::atomic<int> answers{0};
  std::atomic<int> successes{0};
  std::atomic<int> wrong{0};

  // relaxed: the counts are read when all threads are joined and the host is idle.
  void Count(const StatusOr<InferResult>& result, float value, int64_t num_rows) {
    answers.fetch_add(1, std::memory_order_relaxed);
    if (!result.ok()) {
      const StatusCode code = result.status().code();
      const bool is_expected = code == StatusCode::kCancelled ||
                               code == StatusCode::kDeadlineExceeded ||
                               code == StatusCode::kInvalidArgument;
      if (!is_expected || (code == StatusCode::kInvalidArgument) != (value > 900)) {
        if (code == StatusCode::kInvalidArgument || !is_expected) ++wrong;
      }
      return;
    }
    successes.fetch_add(1, std::memory_order_relaxed);
    const std::vector<float> floats = FloatsOf(result->outputs[0].tensor);
    bool is_right = floats.size() == static_cast<size_t>(num_rows) * 3 && value <= 900;
    for (size_t i = 0; is_right && i < floats.size(); ++i) {
      is_right = floats[i] == 2 * value + static_cast<float>(10 * (i % 3 + 1));
    }
    if (!is_right) ++wrong;
  }
};

class ServingThreadsTest : public ServingTest {
 protected:
  void RunClients(bool interferes) {
    Deadline deadline("requests of many threads");
    Outcomes outcomes;
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] { RunClient(t, interferes, outcomes); });
    }
    for (std::thread& thread : threads) thread.join();
    // A request may still wait for its batch.
    while (outcomes.answers.load(std::memory_order_relaxed) < kThreads * kRequests) {
      std::this_thread::yield();
    }
    host_->Quiesce();
    EXPECT_EQ(outcomes.answers.load(), kThreads * kRequests);
    EXPECT_EQ(outcomes.wrong.load(), 0);
    EXPECT_GT(outcomes.successes.load(), 0);
    const ModelStatistics statistics = model_->statistics();
    EXPECT_EQ(statistics.success.count, static_cast<uint64_t>(outcomes.successes.load()));
    EXPECT_EQ(statistics.success.count + statistics.failure.count,
              static_cast<uint64_t>(kThreads * kRequests));
    EXPECT_EQ(statistics.num_waiting, 0u);
    EXPECT_EQ(statistics.num_running, 0u);
    EXPECT_EQ(statistics.waiting_bytes, 0u);
  }

 private:
  void RunClient(int thread, bool interferes, Outcomes& outcomes) {
    std::minstd_rand random(static_cast<unsigned>(thread) + 1);
    std::vector<std::shared_ptr<InferCancel>> cancels;
    for (int i = 0; i < kRequests; ++i) {
      const int64_t num_rows = 1 + static_cast<int64_t>(random() % 5);
      // Above 980 the kernel fails.
      const auto value =
          interferes && random() % 16 == 0 ? 2000.0f : static_cast<float>(random() % 900);
      InferRequest request = Rows(num_rows, value, 1 + static_cast<int64_t>(random() % 2));
      request.cancel = std::make_shared<InferCancel>();
      cancels.push_back(request.cancel);
      if (interferes && random() % 4 == 0) {
        request.deadline = Clock::now() + std::chrono::microseconds(random() % 300);
      }
      model_->Submit(std::move(request), [&outcomes, value, num_rows](const auto& result) {
        outcomes.Count(result, value, num_rows);
      });
      if (interferes && random() % 4 == 0) cancels[random() % cancels.size()]->Cancel();
    }
  }
};

TEST_F(ServingThreadsTest, EachRequestGetsItsRows) {
  config_.num_sessions = 2;
  limits_.max_queue_size = kThreads * kRequests;
  Load("t.later");
  RunClients(/*interferes=*/false);
}

TEST_F(ServingThreadsTest, EachRequestIsAnsweredOnceWhateverEndsIt) {
  config_.num_sessions = 2;
  config_.max_queue_delay = std::chrono::microseconds(100);
  limits_.max_queue_size = kThreads * kRequests;
  Load("t.picky");
  RunClients(/*interferes=*/true);
}

// Where answers come from, with one client.
class QuickRunsTest : public ServingTest {
 protected:
  QuickRunsTest() {
    config_.max_batch_size.reset();
    limits_.max_run_on_caller = std::chrono::hours(1);  // every run is short
  }
  // Of ops whose time follows from shapes.
  static TestModelBuilder Builder() {
    TestModelBuilder builder("graph.identity");
    for (bef::KernelSpec& kernel : builder.main().kernels) {
      if (kernel.name == "t.add") kernel.name = "graph.add";
    }
    return builder;
  }
  // True if the request ran on this thread; waits for the answer.
  bool RunsHere(int64_t num_rows = 1) {
    std::promise<std::thread::id> answered;
    model_->Submit(Rows(num_rows, 1), [&](const StatusOr<InferResult>& result) {
      EXPECT_TRUE(result.ok()) << result.status().ToString();
      answered.set_value(std::this_thread::get_id());
    });
    const bool runs_here = answered.get_future().get() == std::this_thread::get_id();
    // The session is idle a moment after the answer.
    while (model_->statistics().num_running > 0) std::this_thread::yield();
    return runs_here;
  }
  void Learn() {
    for (int i = 0; i < 4; ++i) EXPECT_FALSE(RunsHere());
  }
  void ExpectTasks() {
    for (int i = 0; i < 10; ++i) EXPECT_FALSE(RunsHere());
  }
};

TEST_F(QuickRunsTest, ShortRunsNeedNoOtherThread) {
  LoadModel(Builder());
  Learn();
  EXPECT_TRUE(RunsHere());
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(RunsHere(3)) << "few runs of these shapes were seen";
  EXPECT_TRUE(RunsHere(3));
  EXPECT_FALSE(RunsHere(1));
}

TEST_F(QuickRunsTest, LongRunsAreTasks) {
  limits_.max_run_on_caller = {};
  LoadModel(Builder());
  ExpectTasks();
}

TEST_F(QuickRunsTest, ModelsWhoseTimeMayDependOnValuesAreTasks) {
  Load("t.same");
  ExpectTasks();
}

TEST_F(QuickRunsTest, RunsThatMayBeSharedAreTasks) {
  config_.max_batch_size = 4;
  LoadModel(Builder());
  ExpectTasks();
}

TEST_F(QuickRunsTest, WhatAnAnswerSubmitsIsATask) {
  LoadModel(Builder());
  Learn();
  std::promise<std::thread::id> answered;
  bool is_first_over = false;
  model_->Submit(Rows(1, 1), [&](const StatusOr<InferResult>&) {
    model_->Submit(Rows(1, 1), [&](const StatusOr<InferResult>&) {
      answered.set_value(std::this_thread::get_id());
    });
    is_first_over = true;
  });
  EXPECT_TRUE(is_first_over);
  EXPECT_NE(answered.get_future().get(), std::this_thread::get_id());
}

}  // namespace
}  // namespace tfrt::serve
