// Answers of a served model: results, shared runs, limits, deadlines and cancellation.

#include "lib/serve/models/served_model.h"

#include "test/unit/serve_models/serving.h"

namespace tfrt::serve {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

TEST_F(ServingTest, AnswersWithTheResultsAskedFor) {
  Load("t.same");
  InferRequest request = Rows(1, 1);
  request.outputs = {"same", "y"};
  Reply reply = Submit(std::move(request));
  EXPECT_THAT(reply.Floats(0), ElementsAre(11, 21, 31));
  EXPECT_THAT(reply.Floats(1), ElementsAre(12, 22, 32));
  EXPECT_EQ(reply.Await()->outputs[0].name, "same");

  request = Rows(1, 1);
  request.outputs.clear();
  EXPECT_EQ(Submit(std::move(request)).Await()->outputs.size(), 2u);
}

TEST_F(ServingTest, RefusesWhatIsNotTheModels) {
  Load("t.same");
  InferRequest request = Rows(1, 1);
  request.outputs = {"nothing"};
  EXPECT_EQ(Submit(std::move(request)).status(),
            InvalidArgumentError("the model has no output nothing"));
  request = Rows(1, 1);
  request.outputs = {"y", "y"};
  EXPECT_EQ(Submit(std::move(request)).status(),
            InvalidArgumentError("output y is asked for twice"));
  request = Rows(1, 1);
  request.inputs.pop_back();
  EXPECT_EQ(Submit(std::move(request)).status().code(), StatusCode::kInvalidArgument);
  request = Rows(1, 1);
  request.inputs[0].tensor = MakeFloats(*host_, TensorShape{1, 2}, {1, 2});
  EXPECT_THAT(std::string(Submit(std::move(request)).status().message()),
              HasSubstr("input x: expected f32 [batch,3], but got f32 [1,2]"));
  const ModelStatistics statistics = model_->statistics();
  EXPECT_EQ(statistics.failure.count, 4u);
  EXPECT_EQ(statistics.answers_by_code[3], 4u);
}

TEST_F(ServingTest, RequestsThatWaitMeetInOneRun) {
  Load("t.wait");
  Reply first = Submit(Rows(1, 1));
  Reply second = Submit(Rows(1, 2));
  Reply third = Submit(Rows(2, 3));
  Reply fourth = Submit(Rows(1, 4));
  EXPECT_EQ(model_->statistics().num_waiting, 3u);
  OpenGate();
  EXPECT_THAT(first.Floats(), ElementsAre(12, 22, 32));
  EXPECT_THAT(second.Floats(), ElementsAre(14, 24, 34));
  EXPECT_THAT(third.Floats(), ElementsAre(16, 26, 36, 16, 26, 36));
  EXPECT_THAT(fourth.Floats(), ElementsAre(18, 28, 38));
  EXPECT_THAT(Runs(), ElementsAre(Pair(1, 1), Pair(4, 1)));
  const ModelStatistics statistics = model_->statistics();
  EXPECT_EQ(statistics.success.count, 4u);
  EXPECT_EQ(statistics.num_rows, 5u);
  EXPECT_EQ(statistics.queue.count, 4u);
  EXPECT_EQ(statistics.waiting_bytes, 0u);
  EXPECT_EQ(statistics.num_running, 0u);
}

TEST_F(ServingTest, WhatDoesNotFitRunsApart) {
  Load("t.wait");
  Reply first = Submit(Rows(1, 0));
  Reply three = Submit(Rows(3, 1));
  Reply two = Submit(Rows(2, 2));      // 5 rows with the one before
  Reply wide = Submit(Rows(1, 3, 2));  // another width of z
  Reply one = Submit(Rows(1, 4));      // fits with the three
  Reply large = Submit(Rows(7, 5));    // above the maximum
  Reply empty = Submit(Rows(0, 6));
  OpenGate();
  for (Reply* reply : {&first, &three, &two, &wide, &one, &large, &empty}) {
    EXPECT_TRUE(reply->status().ok()) << reply->status().ToString();
  }
  EXPECT_EQ(large.Floats().size(), 21u);
  EXPECT_EQ(empty.Floats().size(), 0u);
  EXPECT_THAT(one.Floats(), ElementsAre(18, 28, 38));
  EXPECT_THAT(Runs(), ElementsAre(Pair(0, 1), Pair(1, 2), Pair(2, 1), Pair(4, 1), Pair(7, 1)));
}

TEST_F(ServingTest, FewOfTheNumbersOfRowsThatClientsChooseAreCounted) {
  config_.max_batch_size = 1000;
  Load("t.same");
  for (int64_t rows : {256, 257, 512, 513, 999, 1000, 1500, 3000}) {
    EXPECT_TRUE(Submit(Rows(rows, 0)).status().ok());
  }
  EXPECT_THAT(Runs(),
              ElementsAre(Pair(256, 1), Pair(512, 2), Pair(1000, 3), Pair(2048, 1), Pair(4096, 1)));
  const ModelStatistics statistics = model_->statistics();
  EXPECT_EQ(statistics.num_rows, 8037u);
  uint64_t infer = 0, output = 0;
  for (const auto& [rows, counts] : statistics.runs) {
    infer += counts.compute_infer.nanoseconds;
    output += counts.compute_output.nanoseconds;
  }
  EXPECT_EQ(infer, statistics.compute_infer.nanoseconds);  // each of one request
  EXPECT_EQ(output, statistics.compute_output.nanoseconds);
}

TEST_F(ServingTest, WithoutBatchesEachRunsAlone) {
  config_.max_batch_size = 0;
  Load("t.wait");
  Reply first = Submit(Rows(1, 1));
  Reply second = Submit(Rows(1, 2));
  Reply third = Submit(Rows(1, 3));
  OpenGate();
  EXPECT_THAT(third.Floats(), ElementsAre(16, 26, 36));
  EXPECT_TRUE(first.status().ok() && second.status().ok());
  EXPECT_THAT(Runs(), ElementsAre(Pair(1, 3)));
}

TEST_F(ServingTest, NamedBatchesMeetIfTheServerSaysSo) {
  config_.max_batch_size.reset();
  Load("t.same");
  EXPECT_EQ(model_->max_batch_size(), 0);
  limits_.max_batch_size = 8;
  Load("t.same");
  EXPECT_EQ(model_->max_batch_size(), 8);
}

TEST_F(ServingTest, ADelayNeedsBatches) {
  config_.max_batch_size.reset();
  config_.max_queue_delay = std::chrono::microseconds(5);
  StatusOr<Model> model = Model::FromBytes(TestModelBuilder("t.same").Build(), host_.get());
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(ServedModel::Create(*model, config_, limits_).status(),
            InvalidArgumentError("max_queue_delay_microseconds needs max_batch_size above 0"));
}

TEST_F(ServingTest, WarmingUpEnds) {
  StatusOr<Model> model = Model::FromBytes(TestModelBuilder("t.endless").Build(), host_.get());
  ASSERT_TRUE(model.ok());
  limits_.max_warm_up = std::chrono::milliseconds(10);
  auto served = ServedModel::Create(*model, config_, limits_);
  ASSERT_TRUE(served.ok()) << served.status().ToString();
  EXPECT_EQ((*served)->statistics().num_runs, 0u);
}

TEST_F(ServingTest, ErrorsStayWithTheirRequest) {
  config_.max_queue_delay = hours(1);  // until the batch is full
  Load("t.picky");
  Reply good = Submit(Rows(1, 1));
  Reply bad = Submit(Rows(1, 2000));
  Reply fine = Submit(Rows(2, 3));
  EXPECT_THAT(good.Floats(), ElementsAre(12, 22, 32));
  EXPECT_EQ(bad.status().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(fine.Floats(), ElementsAre(16, 26, 36, 16, 26, 36));
  EXPECT_THAT(Runs(), ElementsAre(Pair(1, 1), Pair(2, 1)));
  const ModelStatistics statistics = model_->statistics();
  EXPECT_EQ(statistics.success.count, 2u);
  EXPECT_EQ(statistics.failure.count, 1u);
}

TEST_F(ServingTest, RowsThatDependOnEachOtherAreNotShared) {
  config_.max_queue_delay = hours(1);
  Load("t.first_row");
  Reply a = Submit(Rows(1, 1));
  Reply b = Submit(Rows(3, 2));
  EXPECT_THAT(a.Floats(), ElementsAre(12, 22, 32));
  EXPECT_THAT(b.Floats(), ElementsAre(14, 24, 34));
  // From now on none waits for others.
  EXPECT_THAT(Submit(Rows(1, 3)).Floats(), ElementsAre(16, 26, 36));
}

TEST_F(ServingTest, ABatchBeginsWhenItIsFullOrLate) {
  config_.max_queue_delay = hours(1);
  Load("t.same");
  Reply a = Submit(Rows(2, 1));
  Reply b = Submit(Rows(1, 2));
  EXPECT_EQ(model_->statistics().num_waiting, 2u);
  Reply c = Submit(Rows(1, 3));
  EXPECT_TRUE(a.status().ok() && b.status().ok() && c.status().ok());
  EXPECT_THAT(Runs(), ElementsAre(Pair(4, 1)));

  config_.max_queue_delay = milliseconds(1);
  Load("t.same");
  EXPECT_THAT(Submit(Rows(1, 1)).Floats(), ElementsAre(12, 22, 32));
}

TEST_F(ServingTest, ABatchBeginsBeforeADeadlineIsMissed) {
  config_.max_queue_delay = hours(1);
  Load("t.same");
  Reply patient = Submit(Rows(1, 1));
  InferRequest request = Rows(1, 2);
  request.deadline = Clock::now() + hours(2);
  Reply urgent = Submit(std::move(request));  // at once: nothing is known of how long runs take
  EXPECT_TRUE(patient.status().ok() && urgent.status().ok());

  auto cancel = std::make_shared<InferCancel>();
  request = Rows(1, 3);
  request.cancel = cancel;
  Reply also_patient = Submit(std::move(request));
  request = Rows(1, 4);
  request.deadline = Clock::now() + milliseconds(50);
  Reply in_time = Submit(std::move(request));
  // A machine that is busy for that long misses the deadline, and the other one may wait.
  if (!in_time.status().ok()) return cancel->Cancel();
  EXPECT_THAT(also_patient.Floats(), ElementsAre(16, 26, 36));
}

TEST_F(ServingTest, DeadlinesEndRequestsThatWaitAndThatRun) {
  Load("t.wait");
  InferRequest request = Rows(1, 1);
  request.deadline = Clock::now() + milliseconds(5);
  Reply running = Submit(std::move(request));
  request = Rows(1, 2);
  request.deadline = Clock::now() + milliseconds(5);
  Reply waiting = Submit(std::move(request));
  request = Rows(1, 3);
  request.deadline = Clock::now();
  Reply late = Submit(std::move(request));
  // The gate is closed.
  for (Reply* reply : {&running, &waiting, &late}) {
    EXPECT_EQ(reply->status(), DeadlineExceededError("deadline exceeded"));
  }
  OpenGate();
  EXPECT_THAT(Submit(Rows(1, 4)).Floats(), ElementsAre(18, 28, 38));
}

TEST_F(ServingTest, TheOptionsDeadlineIsForRequestsWithoutOne) {
  config_.default_timeout = std::chrono::microseconds(1000);
  Load("t.wait");
  EXPECT_EQ(Submit(Rows(1, 1)).status().code(), StatusCode::kDeadlineExceeded);
}

TEST_F(ServingTest, CancelledRequestsAreAnsweredAtOnce) {
  Load("t.wait");
  std::vector<std::shared_ptr<InferCancel>> cancels;
  const auto submit = [&](float value) {
    InferRequest request = Rows(1, value);
    cancels.push_back(std::make_shared<InferCancel>());
    request.cancel = cancels.back();
    return Submit(std::move(request));
  };
  Reply running = submit(1);
  Reply waiting = submit(2);
  Reply kept = submit(3);
  cancels[1]->Cancel();
  cancels[0]->Cancel();
  EXPECT_EQ(running.status(), CancelledError("cancelled"));
  EXPECT_EQ(waiting.status(), CancelledError("cancelled"));
  InferRequest request = Rows(1, 4);
  request.cancel = std::make_shared<InferCancel>();
  request.cancel->Cancel();
  EXPECT_EQ(Submit(std::move(request)).status(), CancelledError("cancelled"));
  OpenGate();
  EXPECT_THAT(kept.Floats(), ElementsAre(16, 26, 36));
  cancels[2]->Cancel();  // after the answer
}

// Calls a function once, before it allocates.
class CallingAllocator final : public HostAllocator {
 public:
  explicit CallingAllocator(std::function<void()>* call) : call_(call) {}
  void* AllocateBytes(size_t size_bytes, size_t alignment) override {
    if (const auto call = std::exchange(*call_, nullptr)) call();
    return malloc_->AllocateBytes(size_bytes, alignment);
  }
  void DeallocateBytes(void* block, size_t size_bytes) override {
    malloc_->DeallocateBytes(block, size_bytes);
  }

 private:
  const std::unique_ptr<HostAllocator> malloc_ = CreateMallocAllocator();
  std::function<void()>* const call_;
};

TEST_F(ServingTest, ARunEndsThoughItIsCancelledBeforeItBegins) {
  std::function<void()> call;
  host_ = MakeTestHost("mstd:2", std::make_unique<CallingAllocator>(&call));
  host_->kernel_registry().AddKernel("t.endless", TFRT_KERNEL(TestEndless));
  config_.max_queue_delay = hours(1);
  Load("t.endless");
  InferRequest a = Rows(2, 1), b = Rows(2, 2);
  const auto cancel_a = a.cancel = std::make_shared<InferCancel>();
  const auto cancel_b = b.cancel = std::make_shared<InferCancel>();
  Reply reply_a = Submit(std::move(a));
  // While the inputs of the full batch are being joined, nobody waits for it any more.
  std::promise<void> is_submitted;
  call = [&] {
    is_submitted.get_future().wait();
    cancel_a->Cancel();
    cancel_b->Cancel();
  };
  Reply reply_b = Submit(std::move(b));
  is_submitted.set_value();
  EXPECT_EQ(reply_a.status().code(), StatusCode::kCancelled);
  EXPECT_EQ(reply_b.status().code(), StatusCode::kCancelled);
  while (model_->statistics().num_running > 0) std::this_thread::yield();
  EXPECT_FALSE(call);
}

TEST_F(ServingTest, TheQueueIsBounded) {
  config_.max_queue_size = 2;
  Load("t.wait");
  Reply running = Submit(Rows(1, 1));
  Reply a = Submit(Rows(1, 2));
  Reply b = Submit(Rows(1, 3));
  EXPECT_EQ(Submit(Rows(1, 4)).status(),
            ResourceExhaustedError("the queue of the model is full: 2 requests wait"));
  OpenGate();
  EXPECT_TRUE(running.status().ok() && a.status().ok() && b.status().ok());
}

TEST_F(ServingTest, TheBytesThatWaitAreBounded) {
  limits_.max_waiting_bytes = 40;  // a row of x and z has 16
  Load("t.wait");
  Reply large = Submit(Rows(5, 1));  // alone, any size may run
  EXPECT_THAT(std::string(Submit(Rows(1, 2)).status().message()),
              HasSubstr("hold 80 bytes, and 16 more are above the limit 40"));
  OpenGate();
  EXPECT_TRUE(large.status().ok());
}

TEST_F(ServingTest, TheMemoryOfARunIsBounded) {
  limits_.max_run_bytes = 100'000;
  Load("t.picky");
  EXPECT_EQ(Submit(Rows(10'000, 1)).status(),
            OutOfRangeError("the run of the model needs more memory than 100000 bytes "
                            "(--max_run_mb)"));
  EXPECT_THAT(Submit(Rows(1, 1)).Floats(), ElementsAre(12, 22, 32));
  // With results that were not received yet it is no fault of the request alone.
  Reply held = Submit(Rows(1000, 1));
  EXPECT_TRUE(held.status().ok());
  EXPECT_EQ(Submit(Rows(10'000, 1)).status(),
            ResourceExhaustedError("the run of the model needs more memory than 100000 bytes "
                                   "(--max_run_mb), while results that were not received yet have "
                                   "12000"));
}

TEST_F(ServingTest, ResultsCountUntilTheyAreReceived) {
  limits_.max_waiting_bytes = 20'000;
  Load("t.picky");
  {
    Reply small = Submit(Rows(10, 1));
    EXPECT_TRUE(small.status().ok());
    EXPECT_EQ(model_->statistics().result_bytes, 0u);  // too small to be counted
    Reply held = Submit(Rows(1000, 1));
    ASSERT_TRUE(held.status().ok());
    EXPECT_EQ(model_->statistics().result_bytes, 12000u);
    held.Await()->bytes->Add(500);
    EXPECT_EQ(model_->statistics().result_bytes, 12500u);
    EXPECT_THAT(std::string(Submit(Rows(1000, 1)).status().message()),
                HasSubstr("hold 12500 bytes, and 16000 more are above the limit 20000"));
  }
  EXPECT_EQ(model_->statistics().result_bytes, 0u);
  Reply last = Submit(Rows(1000, 1));
  EXPECT_TRUE(last.status().ok());
  model_ = nullptr;  // before its result
}

TEST_F(ServingTest, SessionsRunSideBySide) {
  config_.num_sessions = 2;
  Load("t.wait");
  Reply a = Submit(Rows(1, 1));
  Reply b = Submit(Rows(1, 2));
  EXPECT_EQ(model_->statistics().num_waiting, 0u);
  OpenGate();
  EXPECT_THAT(a.Floats(), ElementsAre(12, 22, 32));
  EXPECT_THAT(b.Floats(), ElementsAre(14, 24, 34));
  EXPECT_EQ(model_->statistics().num_sessions, 2u);
}

TEST_F(ServingTest, ARequestKeepsItsModel) {
  Load("t.wait");
  Reply a = Submit(Rows(1, 1));
  Reply b = Submit(Rows(1, 2));
  model_ = nullptr;
  OpenGate();
  EXPECT_THAT(a.Floats(), ElementsAre(12, 22, 32));
  EXPECT_THAT(b.Floats(), ElementsAre(14, 24, 34));
}

}  // namespace
}  // namespace tfrt::serve
