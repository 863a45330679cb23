// The host waits for the device: by a thread of its own, which hands on by tickets.
#include <atomic>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include "test/gpu/unit/runtime/gpu_test_base.h"
#include "test/support/deadline.h"

namespace tfrt::gpu {
namespace {

// With each kind of queue.
class CompletionTest : public GpuTest, public testing::WithParamInterface<const char*> {
 protected:
  CompletionTest() : GpuTest(FakeGpu::Mode::kReleased, {}, GetParam()) {}
  ~CompletionTest() override { gpu_.Release(); }
};

INSTANTIATE_TEST_SUITE_P(Queues, CompletionTest, testing::Values("s", "mstd:1", "mstd:4"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, ':');
                           return name;
                         });

TEST_P(CompletionTest, NothingToWaitForCostsNothing) {
  auto stream = MakeStream();
  gpu_.ForgetCalls();
  EXPECT_TRUE(stream->Synchronize().IsConcrete());
  EXPECT_EQ(gpu_.NumCalls(), 0u);
}

TEST_P(CompletionTest, QuiesceWaitsForTheDevice) {
  auto stream = MakeStream();
  ASSERT_TRUE(Idle(*stream).ok());
  AsyncValueRef<Chain> done = stream->Synchronize();
  EXPECT_FALSE(done.IsAvailable());
  std::atomic<bool> is_released{false};
  std::thread releaser([&] {
    is_released = true;
    gpu_.Release();
  });
  // Nobody but the ticket holds anything.
  bool was_released_first = false;
  done.AndThen([&] { was_released_first = is_released; });
  queue_->Quiesce();
  EXPECT_TRUE(done.IsConcrete());
  EXPECT_TRUE(was_released_first);
  releaser.join();
}

TEST_P(CompletionTest, NoWorkerIsBlocked) {
  auto stream = MakeStream();
  ASSERT_TRUE(Idle(*stream).ok());
  std::vector<AsyncValueRef<Chain>> chains;
  // More waits than there are workers, and then tasks that run nevertheless.
  for (int i = 0; i < 16; ++i) chains.push_back(stream->Synchronize());
  auto ran = MakeUnconstructedAsyncValueRef<Chain>();
  queue_->AddTask([ran = ran.CopyRef()] { ran.emplace(); });
  Await(ran);
  for (const auto& chain : chains) EXPECT_FALSE(chain.IsAvailable());
  gpu_.Release();
  for (const auto& chain : chains) Await(chain);
  for (const auto& chain : chains) EXPECT_TRUE(chain.IsConcrete());
}

TEST_P(CompletionTest, WaitersRunOnTheQueueAndMayWaitAgain) {
  auto stream = MakeStream();
  ASSERT_TRUE(Idle(*stream).ok());
  gpu_.Release();
  std::atomic<int> rounds{0};
  std::function<void()> again = [&] {
    if (++rounds == 100) return;
    ASSERT_TRUE(Idle(*stream).ok());
    stream->Synchronize().AndThen(again);
  };
  again();
  queue_->Quiesce();
  EXPECT_EQ(rounds, 100);
}

TEST_P(CompletionTest, OneEventServesAllWhoWaitForOneCommand) {
  auto stream = MakeStream();
  ASSERT_TRUE(Idle(*stream).ok());
  gpu_.ForgetCalls();
  AsyncValueRef<Chain> first = stream->Synchronize(), second = stream->Synchronize();
  gpu_.Release();
  Await(first);
  Await(second);
  EXPECT_EQ(gpu_.NumCalls("cuEventRecord"), 1u);
  EXPECT_EQ(gpu_.NumCalls("cuEventSynchronize"), 1u);
  EXPECT_EQ(gpu_.NumCalls("cuEventCreate"), 1u);
}

TEST_P(CompletionTest, EventsAreUsedAgain) {
  auto stream = MakeStream();
  gpu_.Release();
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(Idle(*stream).ok());
    gpu_.Release();
    Await(stream->Synchronize());
  }
  EXPECT_LE(gpu_.NumCalls("cuEventCreate"), 3u);
}

TEST_P(CompletionTest, StreamAndContextMayGoWhileSomebodyWaits) {
  AsyncValueRef<Chain> done;
  {
    auto context = Context::Create(gpu_.table(), 0, {.queue = queue_.get()}).value();
    auto stream = context->CreateStream().value();
    const Function* idle = context->LoadModule(std::string_view(".version 7.0\0", 13))
                               .value()
                               ->GetFunction("idle")
                               .value();
    ASSERT_TRUE(stream->Launch(*idle, {}, {}).ok());
    done = stream->Synchronize();
  }
  gpu_.Release();
  queue_->Quiesce();
  EXPECT_TRUE(done.IsConcrete());
}

TEST_P(CompletionTest, EarlierPointsAreThereFirst) {
  auto stream = MakeStream();
  std::vector<AsyncValueRef<Chain>> chains;
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(Idle(*stream).ok());
    chains.push_back(stream->Synchronize());
  }
  // Commands and records take turns.
  gpu_.Release(stream->handle(), 4);
  Await(chains[1]);
  EXPECT_TRUE(chains[0].IsConcrete());
  EXPECT_FALSE(chains[2].IsAvailable());
  gpu_.Release();
  Await(chains[3]);
}

// What each stream waits for may follow from what the other brings about, in any order of asking.
TEST_P(CompletionTest, NoStreamKeepsAnotherWaiting) {
  std::vector<RCReference<Stream>> streams;
  for (int i = 0; i < 4; ++i) streams.push_back(MakeStream());
  for (size_t last = 0; last < streams.size(); ++last) {
    std::vector<AsyncValueRef<Chain>> chains;
    for (const auto& stream : streams) {
      ASSERT_TRUE(Idle(*stream).ok());
      chains.push_back(stream->Synchronize());
    }
    // All but one, from the last that was asked for on.
    for (size_t i = streams.size(); i-- > 0;) {
      if (i == last) continue;
      gpu_.Release(streams[i]->handle(), 2);  // with the record
      Await(chains[i]);
    }
    EXPECT_FALSE(chains[last].IsAvailable());
    gpu_.Release(streams[last]->handle(), 2);
    Await(chains[last]);
  }
}

TEST_P(CompletionTest, AFailedWaitIsAnErrorOfThatWaitOnly) {
  auto stream = MakeStream();
  for (const char* function : {"cuEventRecord", "cuEventSynchronize", "cuEventCreate"}) {
    ASSERT_TRUE(Idle(*stream).ok());
    gpu_.Fail(function, cuda::CUDA_ERROR_INVALID_HANDLE);
    auto spare = function == std::string("cuEventCreate") ? MakeStream() : stream;
    ASSERT_TRUE(Idle(*spare).ok());
    gpu_.Release();
    AsyncValueRef<Chain> first = spare->Synchronize();
    Await(first);
    if (function != std::string("cuEventCreate")) {
      ASSERT_TRUE(first.IsError()) << function;
      EXPECT_THAT(std::string(first.GetError().message()),
                  testing::AllOf(testing::HasSubstr(function),
                                 testing::HasSubstr("CUDA_ERROR_INVALID_HANDLE")));
    }
    AsyncValueRef<Chain> second = spare->Synchronize();
    Await(second);
    EXPECT_TRUE(second.IsConcrete()) << function;
  }
}

TEST_P(CompletionTest, ThreadsThatBlockSpinAndSleep) {
  auto stream = MakeStream();
  ASSERT_TRUE(Idle(*stream).ok());
  std::latch waits(1);
  std::thread waiter([&] {
    waits.count_down();
    EXPECT_TRUE(stream->Wait().ok());
    EXPECT_TRUE(IsKnownDone(stream->tail()));
  });
  waits.wait();
  gpu_.Release();
  waiter.join();
}

// The device goes on when what has queued up behind the waiter has run.
TEST_P(CompletionTest, AWaiterDeepInAChainMayBlock) {
  const Deadline deadline("a wait for a stream deep in a chain", std::chrono::seconds(20));
  auto stream = MakeStream();
  ASSERT_TRUE(Idle(*stream).ok());
  auto first = MakeUnconstructedAsyncValueRef<int>();
  auto last = first.CopyRef();
  for (int i = 1; i < 400; ++i) last = last.Map([](int x) { return x + 1; });
  bool waited = false;
  last.AndThen([&] {
    auto releases = MakeUnconstructedAsyncValueRef<int>();
    releases.AndThen([&] { gpu_.Release(); });
    releases.emplace(1);
    waited = stream->Wait().ok();
  });
  first.emplace(0);
  EXPECT_TRUE(waited);
}

TEST_P(CompletionTest, ManyThreadsWaitForManyStreams) {
  gpu_.set_mode(FakeGpu::Mode::kWhenAsked);
  std::vector<std::thread> threads;
  std::atomic<int> done{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      auto own = context_->CreateStream().value();
      auto other = context_->CreateStream().value();
      for (int i = 0; i < 200; ++i) {
        ASSERT_TRUE(Idle(*own).ok());
        ASSERT_TRUE(other->WaitFor(own->tail()).ok());
        other->Synchronize().AndThen([&] { ++done; });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  queue_->Quiesce();
  EXPECT_EQ(done, 800);
}

}  // namespace
}  // namespace tfrt::gpu
