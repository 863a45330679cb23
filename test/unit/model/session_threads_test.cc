// Runs that go on beside others, and that end early.

#include <chrono>
#include <future>
#include <thread>

#include "test/unit/model/test_model.h"

namespace tfrt {
namespace {

using testing::ElementsAre;
using Results = StatusOr<std::vector<DenseHostTensor>>;

// A run waits in the kernel t.wait until the test opens the gate.
class WaitingRunTest : public testing::Test {
 protected:
  WaitingRunTest() {
    gate = gate_.GetAsyncValue();
    StatusOr<Model> model = Model::FromBytes(TestModelBuilder("t.wait").Build(), host_.get());
    EXPECT_TRUE(model.ok()) << model.status().ToString();
    session_.emplace(*Session::Create(*model));
  }
  ~WaitingRunTest() override {
    OpenGate();
    host_->Quiesce();
  }
  void OpenGate() {
    if (!std::exchange(is_open_, true)) gate_.emplace(Chain());
  }
  std::future<Results> Start(const RunOptions& options = {}) {
    auto promise = std::make_shared<std::promise<Results>>();
    session_->RunAsync(
        {{"x", x_}, {"z", z_}},
        [promise](Results results) { promise->set_value(std::move(results)); }, options);
    return promise->get_future();
  }

  std::unique_ptr<HostContext> host_ = MakeTestHost("mstd:2");
  AsyncValueRef<Chain> gate_ = MakeUnconstructedAsyncValueRef<Chain>();
  bool is_open_ = false;
  std::optional<Session> session_;
  DenseHostTensor x_ = MakeFloats(*host_, TensorShape{1, 3}, {1, 2, 3});
  DenseHostTensor z_ = MakeFloats(*host_, TensorShape{1, 1}, {0});
};

TEST_F(WaitingRunTest, GivesItsResultsLater) {
  std::future<Results> future = Start();
  EXPECT_EQ(session_->Run({{"x", x_}, {"z", z_}}).status(),
            FailedPreconditionError("the session is running: make another one for another run"));
  EXPECT_EQ(Start().get().status().code(), StatusCode::kFailedPrecondition);
  OpenGate();
  Results results = future.get();
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  EXPECT_THAT(FloatsOf((*results)[0]), ElementsAre(12, 24, 36));
  EXPECT_TRUE(session_->Run({{"x", x_}, {"z", z_}}).ok());
}

TEST_F(WaitingRunTest, ReportsWrongInputs) {
  Status status;
  session_->RunAsync({{"x", x_}}, [&](Results results) { status = results.status(); });
  EXPECT_EQ(status, InvalidArgumentError("input z is missing"));
  session_->RunAsync({{"x", x_}, {"z", x_}}, [&](Results results) { status = results.status(); },
                     {.outputs = {}});
  OpenGate();
  host_->Quiesce();
  EXPECT_TRUE(status.ok());  // any second size is right
}

TEST_F(WaitingRunTest, MayBeCancelled) {
  session_->Cancel();  // nothing runs
  std::future<Results> future = Start();
  session_->Cancel();
  OpenGate();
  EXPECT_EQ(future.get().status(), CancelledError("Cancelled"));
  // The next run is another one.
  EXPECT_TRUE(session_->Run({{"x", x_}, {"z", z_}}).ok());
}

TEST_F(WaitingRunTest, HasADeadline) {
  const auto soon = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
  std::future<Results> future = Start({.deadline = soon});
  // The timer fires while the kernel waits; the kernel behind it does not start.
  std::promise<void> fired;
  host_->timer_queue().ScheduleTimer(soon + std::chrono::nanoseconds(1),
                                     [&] { fired.set_value(); });
  fired.get_future().wait();
  OpenGate();
  EXPECT_EQ(future.get().status(), DeadlineExceededError("deadline exceeded"));
  Results later =
      Start({.deadline = std::chrono::steady_clock::now() + std::chrono::hours(1)}).get();
  EXPECT_TRUE(later.ok());
}

TEST_F(WaitingRunTest, DoesNotStartAfterItsDeadline) {
  // The gate is closed: a run that started would not end.
  Results results =
      session_->Run({{"x", x_}, {"z", z_}}, {.deadline = std::chrono::steady_clock::now()});
  EXPECT_EQ(results.status(), DeadlineExceededError("deadline exceeded"));
  EXPECT_EQ(Start({.deadline = std::chrono::steady_clock::now()}).get().status(),
            DeadlineExceededError("deadline exceeded"));
}

// The tensors for results may go when RunAsync has returned; their memory is still there.
TEST_F(WaitingRunTest, KeepsTheMemoryForItsResults) {
  std::future<Results> future;
  {
    DenseHostTensor y = MakeFloats(*host_, TensorShape{1, 3}, {0, 0, 0});
    DenseHostTensor* outputs[] = {&y, nullptr};
    future = Start({.outputs = outputs});
  }
  OpenGate();
  Results results = future.get();
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  EXPECT_THAT(FloatsOf((*results)[0]), ElementsAre(12, 24, 36));
}

// Inputs, session and model may go while the run goes on; only the host stays.
TEST_F(WaitingRunTest, OutlivesAllButTheHost) {
  DenseHostTensor* no_outputs[] = {nullptr, nullptr};
  std::future<Results> future = Start({.outputs = no_outputs});
  x_ = MakeFloats(*host_, TensorShape{1, 1}, {0});
  z_ = MakeFloats(*host_, TensorShape{1, 1}, {0});
  session_.reset();  // and with it the last handle of the model
  OpenGate();
  Results results = future.get();
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  EXPECT_THAT(FloatsOf((*results)[0]), ElementsAre(12, 24, 36));
}

// The host's end waits for runs in its queue; their callbacks get the results.
TEST(SessionThreadsTest, RunsEndBeforeTheirHost) {
  for (const char* queue : {"s", "mstd:2"}) {
    std::vector<float> values;
    {
      auto host = MakeTestHost(queue);
      StatusOr<Model> model = Model::FromBytes(TestModelBuilder("t.later").Build(), host.get());
      StatusOr<Session> session = Session::Create(*model);
      DenseHostTensor x = MakeFloats(*host, TensorShape{1, 3}, {1, 2, 3});
      DenseHostTensor z = MakeFloats(*host, TensorShape{1, 1}, {0});
      session->RunAsync({{"x", x}, {"z", z}}, [&](Results made) {
        ASSERT_TRUE(made.ok()) << made.status().ToString();
        values = FloatsOf((*made)[0]);
      });
      session = InternalError("");
      model = InternalError("");
    }
    EXPECT_THAT(values, ElementsAre(12, 24, 36));
  }
}

TEST_F(WaitingRunTest, GoesOnWithoutItsSession) {
  std::future<Results> future = Start();
  session_.reset();
  OpenGate();
  Results results = future.get();
  ASSERT_TRUE(results.ok());
  EXPECT_THAT(FloatsOf((*results)[1]), ElementsAre(11, 22, 33));
}

// Eight sessions of one model, each on a thread of its own; the first of them load it.
TEST(SessionThreadsTest, SessionsShareAModel) {
  num_loads = 0;
  auto host = MakeTestHost("mstd:2");
  StatusOr<Model> model = Model::FromBytes(TestModelBuilder().Build(), host.get());
  ASSERT_TRUE(model.ok());
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      StatusOr<Session> session = Session::Create(*model);
      ASSERT_TRUE(session.ok());
      for (int i = 0; i < 50; ++i) {
        const int64_t batch = 1 + (t + i) % 3;
        std::vector<float> values(static_cast<size_t>(3 * batch), static_cast<float>(t));
        DenseHostTensor x = MakeFloats(*host, TensorShape{batch, 3}, values);
        DenseHostTensor z = MakeFloats(*host, TensorShape{batch, 3}, values);
        Results results = session->Run({{"x", x}, {"z", z}});
        ASSERT_TRUE(results.ok());
        EXPECT_EQ(FloatsOf((*results)[0])[2], static_cast<float>(2 * t + 30));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(num_loads, 1);
}

// Counts its blocks, and those that come back when it should be gone.
class WatchedAllocator final : public HostAllocator {
 public:
  void* AllocateBytes(size_t size, size_t alignment) override {
    num_live.fetch_add(1);
    return malloc_->AllocateBytes(size, alignment);
  }
  void DeallocateBytes(void* block, size_t size) override {
    EXPECT_FALSE(is_over.load()) << "a block comes back late";
    malloc_->DeallocateBytes(block, size);
    num_live.fetch_sub(1);
  }

  std::atomic<int> num_live{0};
  std::atomic<bool> is_over{false};

 private:
  std::unique_ptr<HostAllocator> malloc_ = CreateMallocAllocator();
};

// When a run has given its results, whoever made the memory of its inputs and of what lives within
// it may end: no task of the run still holds any.
TEST(SessionThreadsTest, NothingOfARunIsHeldWhenItIsOver) {
  for (const bool is_async : {false, true}) {
    std::vector<std::unique_ptr<WatchedAllocator>> allocators;  // late blocks have somewhere to go
    auto host = MakeTestHost("mstd:2");
    for (int round = 0; round < 300; ++round) {
      auto& inputs = *allocators.emplace_back(std::make_unique<WatchedAllocator>());
      auto& inner = *allocators.emplace_back(std::make_unique<WatchedAllocator>());
      {
        StatusOr<Model> model = Model::FromBytes(TestModelBuilder("t.later").Build(), host.get());
        StatusOr<Session> session = Session::Create(*model, {.allocator = &inner});
        auto floats = [&](const TensorShape& shape, std::initializer_list<float> values) {
          StatusOr<DenseHostTensor> tensor =
              DenseHostTensor::CreateUninitialized({DType::kF32, shape}, &inputs);
          std::copy(values.begin(), values.end(), static_cast<float*>(tensor->buffer()->data()));
          return *std::move(tensor);
        };
        DenseHostTensor x = floats(TensorShape{1, 3}, {1, 2, 3}),
                        z = floats(TensorShape{1, 1}, {0});
        if (is_async) {
          auto promise = std::make_shared<std::promise<Results>>();
          session->RunAsync({{"x", x}, {"z", z}},
                            [promise](Results made) { promise->set_value(std::move(made)); });
          EXPECT_TRUE(promise->get_future().get().ok());
        } else {
          EXPECT_TRUE(session->Run({{"x", x}, {"z", z}}).ok());
        }
      }
      EXPECT_EQ(inputs.num_live.load(), 0) << "round " << round;
      EXPECT_EQ(inner.num_live.load(), 0) << "round " << round;
      inputs.is_over = inner.is_over = true;
      if (HasFailure()) return;
    }
  }
}

// Results are read while the session and the model that made them end, and sessions end while their
// runs go on.
TEST(SessionThreadsTest, SessionsAndModelsMayEndWhileOthersRead) {
  constexpr int kReaders = 3;
  for (const char* queue : {"mstd:1", "mstd:2"}) {
    auto host = MakeTestHost(queue);
    for (int round = 0; round < 60; ++round) {
      StatusOr<Model> model = Model::FromBytes(TestModelBuilder("t.later").Build(), host.get());
      StatusOr<Session> session = Session::Create(*model);
      auto promise = std::make_shared<std::promise<Results>>();
      std::shared_future<Results> future = promise->get_future().share();
      std::vector<std::thread> readers;
      for (int i = 0; i < kReaders; ++i) {
        readers.emplace_back([future] {
          const Results& results = future.get();
          ASSERT_TRUE(results.ok()) << results.status().ToString();
          EXPECT_THAT(FloatsOf((*results)[0]), ElementsAre(12, 24, 36));
          EXPECT_THAT(FloatsOf((*results)[1]), ElementsAre(11, 22, 33));
        });
      }
      {
        DenseHostTensor x = MakeFloats(*host, TensorShape{1, 3}, {1, 2, 3});
        DenseHostTensor z = MakeFloats(*host, TensorShape{1, 1}, {0});
        session->RunAsync({{"x", x}, {"z", z}},
                          [promise](Results made) { promise->set_value(std::move(made)); });
      }
      if (round % 3 == 0) future.wait();
      session = InternalError("");
      if (round % 3 == 1) future.wait();
      model = InternalError("");
      for (std::thread& reader : readers) reader.join();
    }
  }
}

TEST(SessionThreadsTest, CancelAtAnyTime) {
  auto host = MakeTestHost("mstd:2");
  StatusOr<Model> model = Model::FromBytes(TestModelBuilder().Build(), host.get());
  ASSERT_TRUE(model.ok());
  StatusOr<Session> session = Session::Create(*model);
  DenseHostTensor x = MakeFloats(*host, TensorShape{1, 3}, {1, 2, 3});
  DenseHostTensor z = MakeFloats(*host, TensorShape{1, 1}, {0});
  std::atomic<bool> is_over{false};
  std::thread canceller([&] {
    while (!is_over) session->Cancel();
  });
  for (int i = 0; i < 200; ++i) {
    Results results = session->Run({{"x", x}, {"z", z}});
    if (!results.ok()) {
      EXPECT_EQ(results.status(), CancelledError("Cancelled"));
    }
  }
  is_over = true;
  canceller.join();
}

}  // namespace
}  // namespace tfrt
