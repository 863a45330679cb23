// Ops from many threads, and contexts on hosts with every kind of work queue. Meant for the thread
// sanitizer, too.

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include "test/unit/eager/eager_fixture.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::eager {
namespace {

using testing::ElementsAre;

// A limit of the user, which does not hold for root.
TEST(EagerThreadsDeathTest, AFifoContextWithoutAThreadIsAnError) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        constexpr uid_t kNobody = 65534;
        if (getuid() == 0 && setuid(kNobody) != 0) _exit(1);
        rlimit one;
        one.rlim_cur = one.rlim_max = 1;
        if (setrlimit(RLIMIT_NPROC, &one) != 0) _exit(2);
        auto context = Context::Create({.work_queue = "s", .order = ExecutionOrder::kFifo});
        fprintf(stderr, "%s", context.status().ToString().c_str());
        _exit(Context::Create({.work_queue = "s"}).ok() ? 0 : 3);
      },
      testing::ExitedWithCode(0),
      "RESOURCE_EXHAUSTED: the system has no thread for the ops of a context in FIFO order");
}

struct Setup {
  const char* queue;
  ExecutionMode mode;
  ExecutionOrder order;
  const char* device = "cpu:1";  // the second one
};

std::string SetupName(const testing::TestParamInfo<Setup>& info) {
  std::string queue = info.param.queue;
  std::erase(queue, ':');
  return queue + ModeName({{info.param.mode, info.param.order, info.param.device}, 0});
}

std::vector<Setup> AllSetups() {
  std::vector<Setup> setups;
  for (const char* queue : {"s", "mstd:1", "mstd:2", "mstd:4"}) {
    for (const ModeAndOrder& mode : kAllModes) setups.push_back({queue, mode.mode, mode.order});
  }
  for (const char* queue : {"s", "mstd:2"}) {
    for (const ModeAndOrder& mode : kAllModes) {
      setups.push_back({queue, mode.mode, mode.order, "sim:0"});
    }
  }
  return setups;
}

// On a borrowed host.
class EagerThreadsTest : public testing::TestWithParam<Setup> {
 protected:
  EagerThreadsTest() {
    host_ = std::make_unique<HostContext>([](const DecodedDiagnostic&) {}, CreateMallocAllocator(),
                                          *CreateWorkQueue(GetParam().queue));
    EXPECT_TRUE(devices_.Register(*host_).ok());
    context_ = MakeContext(Options());
  }
  ContextOptions Options() {
    return {.host = host_.get(),
            .devices = {devices.begin(), devices.end()},
            .order = GetParam().order};
  }
  ScopeOptions On(std::string_view device) const {
    return {.mode = GetParam().mode, .device = device};
  }
  template <typename Body>
  void InThreads(int count, Body body) {
    std::vector<std::thread> threads;
    for (int t = 0; t < count; ++t) threads.emplace_back([&body, t] { body(t); });
    for (std::thread& thread : threads) thread.join();
  }
  const std::vector<const char*> devices = {"cpu:0", GetParam().device, "cpu:2"};
  CheckedDevices devices_;
  std::unique_ptr<HostContext> host_;
  std::unique_ptr<Context> context_;
};

TEST_P(EagerThreadsTest, SharedTensorsOnManyDevices) {
  Tensor shared;
  {
    Scope scope(*context_, On("cpu:0"));
    shared = Add(Make({4}, {1.0f, 2.0f, 3.0f, 4.0f}), Make({4}, {1.0f, 1.0f, 1.0f, 1.0f}));
  }
  InThreads(4, [&](int t) {
    Scope scope(*context_, On(devices[t % 3]));
    Tensor sum = Make({4}, {0.0f, 0.0f, 0.0f, 0.0f});
    for (int i = 0; i < 40; ++i) {
      sum = Add(std::move(sum), shared);
      if (i % 10 == 0) {
        EXPECT_EQ((*sum.Values<float>())[1], 3.0f * (i + 1));
      }
    }
    EXPECT_THAT(ValuesOf<float>(sum), ElementsAre(80, 120, 160, 200));
  });
}

TEST_P(EagerThreadsTest, ResultsOfOneThreadAreArgumentsOfAnother) {
  constexpr int kThreads = 4, kRounds = 20;
  std::vector<Tensor> tensors(kThreads);
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Tensor> next(kThreads);
    InThreads(kThreads, [&](int t) {
      Scope scope(*context_, On(devices[(t + round) % 3]));
      if (round == 0) {
        next[t] = Make({1}, {float(t)});
      } else {
        next[t] = Add(tensors[t], tensors[(t + 1) % kThreads]);
      }
    });
    tensors = std::move(next);
  }
  Scope scope(*context_);
  for (const Tensor& tensor : tensors) {
    // The sum of all doubles each time, from 0 + 1 + 2 + 3.
    EXPECT_TRUE(tensor.Item<float>().ok());
  }
  float sum = 0;
  for (const Tensor& tensor : tensors) sum += *tensor.Item<float>();
  EXPECT_EQ(sum, 6 * float(1 << (kRounds - 1)));
}

TEST_P(EagerThreadsTest, SideEffectsNeverOverlap) {
  constexpr int kThreads = 4, kEffects = 25;
  InThreads(kThreads, [&](int t) {
    // Some of them in SYNC mode, whatever the others do.
    ScopeOptions options = On(devices[t % 2]);
    if (t == 0) options.mode = ExecutionMode::kSync;
    Scope scope(*context_, options);
    for (int i = 0; i < kEffects; ++i) {
      Tensor x = Make({1}, {100 * t + i});
      EXPECT_TRUE(CallEffect("test.Effect", x).ok());
    }
  });
  context_->Wait();
  TestOpState& state = TestOps(*context_);
  EXPECT_FALSE(state.effects_overlapped);
  std::vector<int> log;
  for (const std::string& text : state.TakeLog()) log.push_back(std::stoi(text));
  ASSERT_EQ(log.size(), size_t{kThreads * kEffects});
  // Those of one thread in their order.
  std::stable_sort(log.begin(), log.end(), [](int a, int b) { return a / 100 < b / 100; });
  EXPECT_TRUE(std::is_sorted(log.begin(), log.end()));
}

TEST_P(EagerThreadsTest, OneThreadWaitsWhileAnotherCalls) {
  std::atomic<bool> done = false;
  std::thread waiting([&] {
    while (!done) context_->Wait();
  });
  InThreads(2, [&](int t) {
    Scope scope(*context_, On(devices[t]));
    Tensor x = Make({1}, {1.0f});
    for (int i = 0; i < 100; ++i) x = Relu(std::move(x));
    EXPECT_EQ(x.Item<float>().value(), 1);
  });
  done = true;
  waiting.join();
}

// A relay: each op runs until the next one has been called, so that there is always one.
struct Relay final : SharedContext {
  explicit Relay(HostContext*) {}
  std::atomic<int> called = 0;
  std::atomic<int> over = 0;
  std::atomic<bool> stop = false;
};

Status RunUntilNextIsCalled(const DenseHostTensor& number, OpCall& call) {
  auto& relay = call.exec_ctx().host()->GetOrCreateSharedContext<Relay>();
  int mine = *static_cast<const int32_t*>(number.data());
  while (relay.called <= mine && !relay.stop) std::this_thread::yield();
  ++relay.over;
  return OkStatus();
}

TEST_P(EagerThreadsTest, WaitReturnsHoweverBusyOthersAre) {
  constexpr int kEnough = 20000;
  if (GetParam().mode == ExecutionMode::kSync) GTEST_SKIP() << "no calls to wait for";
  ASSERT_TRUE(context_
                  ->RegisterOp({.name = "test.Relay",
                                .summary = "",
                                .arguments = {{"number"}},
                                .function = TFRT_OP(RunUntilNextIsCalled)})
                  .ok());
  auto& relay = host_->GetOrCreateSharedContext<Relay>();
  std::atomic<bool> busy = false;
  std::thread caller([&] {
    Scope scope(*context_, On("cpu:0"));
    for (int i = 0; i < kEnough && !relay.stop; ++i) {
      EXPECT_TRUE(CallEffect("test.Relay", Make({1}, {i})).ok());
      relay.called = i + 1;
      busy = true;
      while (relay.over < i - 2 && !relay.stop) std::this_thread::yield();
    }
  });
  while (!busy) std::this_thread::yield();
  Tensor before;
  {
    Scope scope(*context_, On(devices[1]));
    before = Relu(Make({1}, {1.0f}));
  }
  context_->Wait();
  EXPECT_TRUE(before.IsAvailable());
  relay.stop = true;
  caller.join();
  EXPECT_LT(relay.called, kEnough);
}

TEST_P(EagerThreadsTest, CallsWaitForRoom) {
  auto context = MakeContext({.host = host_.get(),
                              .devices = {"cpu:0", "cpu:1"},
                              .order = GetParam().order,
                              .max_pending = 3});
  Tensor x;
  {
    Scope scope(*context);
    x = Make({1}, {1.0f});
  }
  if (GetParam().mode == ExecutionMode::kSync) {
    Scope scope(*context, On("cpu:0"));
    for (int i = 0; i < 10; ++i) x = Relu(x);
    EXPECT_TRUE(x.status().ok());
    return;
  }
  TestOps(*context).CloseGate();
  Tensor last;
  {
    Scope scope(*context, On("cpu:0"));
    last = Relu(Relu(CallOp("test.Gate", {x})));
  }
  std::atomic<bool> calls = false, opened = false;
  std::thread caller([&] {
    Scope scope(*context, On("cpu:0"));
    calls = true;
    Tensor y = Relu(x);
    EXPECT_TRUE(opened);
    EXPECT_TRUE(y.status().ok());
  });
  while (!calls) std::this_thread::yield();
  for (int i = 0; i < 20; ++i) std::this_thread::yield();  // time to do it wrong
  opened = true;
  TestOps(*context).OpenGate();
  caller.join();
  EXPECT_EQ(last.Item<float>().value(), 1);
}

// An op that ends just when a call begins to wait for room: the other pending one does not end
// before the call returns.
TEST_P(EagerThreadsTest, RoomIsSeenBesideAnOpThatGoesOn) {
  if (GetParam().mode == ExecutionMode::kSync) GTEST_SKIP() << "nothing waits";
  if (GetParam().order == ExecutionOrder::kFifo) GTEST_SKIP() << "all wait for the first";
  if (std::string_view(GetParam().queue) == "s") GTEST_SKIP() << "no other thread";
  auto context = MakeContext({.host = host_.get(), .devices = {"cpu:0"}, .max_pending = 2});
  Scope scope(*context, On("cpu:0"));
  Tensor x = Make({1}, {1.0f});
  for (int i = 0; i < 300; ++i) {
    TestOps(*context).CloseGate();
    Tensor gate = CallOp("test.Gate", {x});
    for (int k = 0; k < 20; ++k) Relu(x);
    TestOps(*context).OpenGate();
    EXPECT_TRUE(gate.status().ok());
  }
}

TEST(EagerOptionsTest, MaxPending) {
  EXPECT_EQ(Context::Create({.max_pending = 0}).status().message(),
            "a context has 1 to 2147483647 pending ops at most, but max_pending is 0");
}

TEST_P(EagerThreadsTest, OneAtATime) {
  ContextOptions options = Options();
  options.max_pending = 1;
  auto context = MakeContext(std::move(options));
  InThreads(3, [&](int t) {
    Scope scope(*context, On(devices[t]));
    Tensor x = Make({1}, {1.0f});
    for (int i = 0; i < 50; ++i) x = Relu(Add(x, x).CopyTo(devices[(t + i) % 3]));
    EXPECT_EQ(x.Item<float>().value(), std::ldexp(1.0f, 50));
  });
}

// An op that calls others.
struct Caller final : SharedContext {
  explicit Caller(HostContext*) {}
  Context* context = nullptr;
  ScopeOptions options;
  Tensor last;
};

Status CallOthers(OpCall& call) {
  auto& caller = call.exec_ctx().host()->GetOrCreateSharedContext<Caller>();
  Scope scope(*caller.context, caller.options);
  caller.last = Relu(Relu(Make({1}, {1.0f})));
  return OkStatus();
}

TEST_P(EagerThreadsTest, WhatAnOpCallsNeedsNoRoom) {
  auto context = MakeContext(
      {.host = host_.get(), .devices = {"cpu:0"}, .order = GetParam().order, .max_pending = 1});
  ASSERT_TRUE(
      context->RegisterOp({.name = "test.Caller", .summary = "", .function = TFRT_OP(CallOthers)})
          .ok());
  auto& caller = host_->GetOrCreateSharedContext<Caller>();
  caller.context = context.get();
  caller.options = On("");
  Scope scope(*context, On(""));
  EXPECT_TRUE(Execute("test.Caller", {}, {}, {}).ok());
  context->Wait();
  EXPECT_EQ(caller.last.Item<float>().value(), 1);
  caller.last = Tensor();
}

TEST_P(EagerThreadsTest, WorkersDoNotWaitForRoom) {
  if (GetParam().mode == ExecutionMode::kSync) GTEST_SKIP() << "nothing waits";
  if (std::string_view(GetParam().queue) == "s") GTEST_SKIP() << "no workers";
  auto context = MakeContext(
      {.host = host_.get(), .devices = {"cpu:0"}, .order = GetParam().order, .max_pending = 1});
  Tensor x;
  {
    Scope scope(*context);
    x = Make({1}, {1.0f});
  }
  TestOps(*context).CloseGate();
  Scope scope(*context, On(""));
  Tensor at_gate = CallOp("test.Gate", {x});
  Tensor next;
  std::atomic<bool> done = false;
  host_->work_queue().AddTask([&] {
    {
      Scope of_task(*context, On(""));
      next = Relu(x);
    }
    done = true;
  });
  while (!done) std::this_thread::yield();
  TestOps(*context).OpenGate();
  EXPECT_EQ(at_gate.Item<float>().value(), 1);
  EXPECT_EQ(next.status().code(), StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(next.status().message()),
              testing::HasSubstr("tf.Relu: the context has 1 pending ops, the most it may have"));
}

TEST_P(EagerThreadsTest, EndsWithCallsThatNobodyAwaits) {
  for (int round = 0; round < 20; ++round) {
    auto context = MakeContext(Options());
    {
      Scope scope(*context, On(devices[1]));
      std::vector<float> many(1000, 1);
      const int64_t dims[] = {1000};
      Tensor y = Tensor::FromArray(
          HostArray(std::span<const int64_t>(dims), std::span<const float>(many)));
      for (int i = 0; i < 5; ++i) y = Relu(y);
      Tensor z = y.CopyTo("cpu:0");
    }
    context.reset();
  }
}

TEST_P(EagerThreadsTest, ContextsShareAHost) {
  auto other = MakeContext(Options());
  InThreads(4, [&](int t) {
    Scope scope(t % 2 == 0 ? *context_ : *other, On(devices[1]));
    Tensor x = Make({2}, {1.0f, -1.0f});
    for (int i = 0; i < 20; ++i) x = Relu(Add(x, x));
    EXPECT_THAT(ValuesOf<float>(x), ElementsAre(float(1 << 20), 0));
  });
}

TEST_P(EagerThreadsTest, WaitOnAWorkerThread) {
  auto over = MakeUnconstructedAsyncValueRef<Chain>();
  host_->work_queue().AddTask([&, over = over.CopyRef()] {
    Scope scope(*context_, On("cpu:0"));
    Tensor x = Make({1}, {2.0f});
    for (int i = 0; i < 10; ++i) x = Relu(std::move(x));
    context_->Wait();
    EXPECT_TRUE(x.IsAvailable());
    over.AsPtr().emplace();
  });
  AsyncValue* value = over.GetAsyncValue();
  host_->Await({&value, 1});
  host_->Quiesce();
}

TEST_P(EagerThreadsTest, CancelAndRestartWhileOthersCall) {
  std::atomic<bool> done = false;
  std::thread cancelling([&] {
    while (!done) {
      context_->Cancel();
      std::this_thread::yield();
      context_->Restart();
    }
  });
  InThreads(3, [&](int t) {
    Scope scope(*context_, On(devices[t]));
    for (int i = 0; i < 60; ++i) {
      Tensor x = Relu(Make({1}, {3.0f}));
      auto value = x.Item<float>();
      if (value.ok()) {
        EXPECT_EQ(*value, 3);
      } else {
        EXPECT_EQ(value.status().code(), StatusCode::kCancelled);
      }
    }
  });
  done = true;
  cancelling.join();
  context_->Restart();
  Scope scope(*context_, On(devices[1]));
  EXPECT_EQ(Relu(Make({1}, {3.0f})).Item<float>().value(), 3);
}

INSTANTIATE_TEST_SUITE_P(Queues, EagerThreadsTest, testing::ValuesIn(AllSetups()), SetupName);

}  // namespace
}  // namespace tfrt::eager
