// Host, request, resource and shared contexts, devices, enqueueing, parallel-for.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "lib/runtime/host/parallel_for.h"
#include "lib/runtime/host/resource_context.h"
#include "test/support/deadline.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/request_context.h"

namespace tfrt {
namespace {

using std::chrono::steady_clock;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

std::unique_ptr<HostContext> MakeHost(std::string_view queue, DiagnosticHandler handler = nullptr) {
  return std::make_unique<HostContext>(std::move(handler), CreateMallocAllocator(),
                                       *CreateWorkQueue(queue));
}
ExecutionContext MakeExecution(HostContext* host, ResourceContext* resources = nullptr) {
  return ExecutionContext(RequestContextBuilder(host, resources).Build());
}

class OnEveryQueue : public testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<HostContext> host_ = MakeHost(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Queues, OnEveryQueue, testing::Values("s", "mstd:2", "mstd:4,4"));

TEST(RequestContextTest, CancelPublishesOneError) {
  auto host = MakeHost("s");
  auto request = RequestContextBuilder(host.get(), nullptr, 42).Build();
  EXPECT_EQ(request->id(), 42u);
  EXPECT_EQ(request->max_call_depth(), 100000u);
  EXPECT_FALSE(request->IsCancelled());
  EXPECT_EQ(request->GetCancelAsyncValue(), nullptr);
  request->Cancel();
  AsyncValue* error = request->GetCancelAsyncValue();
  ASSERT_NE(error, nullptr);
  EXPECT_EQ(error->GetError().code(), StatusCode::kCancelled);
  EXPECT_EQ(error->GetError().message(), "Cancelled");
  request->Cancel(InternalError("later"));
  EXPECT_EQ(request->GetCancelAsyncValue(), error);
}

TEST(RequestContextTest, ThreadsThatCancelAgreeOnOneError) {
  auto host = MakeHost("s");
  for (int round = 0; round < 100; ++round) {
    auto request = RequestContextBuilder(host.get(), nullptr).Build();
    std::vector<AsyncValue*> seen(4);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        request->Cancel(InternalError(std::to_string(t)));
        seen[t] = request->GetCancelAsyncValue();
        EXPECT_EQ(seen[t]->GetError().code(), StatusCode::kInternal);
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (AsyncValue* value : seen) EXPECT_EQ(value, seen[0]);
  }
}

TEST(RequestContextTest, CarriesDataByTypeAndOptions) {
  auto host = MakeHost("s");
  RequestContextBuilder builder(host.get(), nullptr);
  builder.set_options({.priority = 3, .enable_cost_measurement = true})
      .set_max_call_depth(7)
      .AddData<int32_t>(5)
      .AddData(std::string("text"));
  auto request = std::move(builder).Build();
  EXPECT_EQ(request->options().priority, 3);
  EXPECT_TRUE(request->options().enable_cost_measurement);
  EXPECT_EQ(request->max_call_depth(), 7u);
  EXPECT_EQ(request->GetData<int32_t>(), 5);
  EXPECT_EQ(*request->GetDataIfExists<std::string>(), "text");
  EXPECT_EQ(request->GetDataIfExists<double>(), nullptr);
}

template <int kNumber>
struct LogsItsEndAsData {
  explicit LogsItsEndAsData(std::vector<int>* log) : log(log) {}
  LogsItsEndAsData(LogsItsEndAsData&& other) : log(std::exchange(other.log, nullptr)) {}
  ~LogsItsEndAsData() {
    if (log) log->push_back(kNumber);
  }
  std::vector<int>* log;
};

TEST(RequestContextTest, EndsBeforeItsDeadline) {
  auto host = MakeHost("s");
  RequestDeadlineTracker tracker(host.get());
  auto data = std::make_shared<int>(1);
  RequestContextBuilder builder(host.get(), nullptr);
  builder.AddData(data);
  auto request = std::move(builder).Build();
  const auto now = std::chrono::steady_clock::now();
  for (int hours : {1, 2}) {
    tracker.CancelRequestOnDeadline(now + std::chrono::hours(hours), request);
  }
  EXPECT_FALSE(request->IsCancelled());
  request.reset();
  EXPECT_EQ(data.use_count(), 1);
}

TEST(RequestContextTest, MayEndWhileItsDeadlinePasses) {
  auto host = MakeHost("s");
  RequestDeadlineTracker tracker(host.get());
  int num_cancelled = 0;
  for (int i = 0; i < 2000; ++i) {
    auto request = RequestContextBuilder(host.get(), nullptr).Build();
    const auto now = std::chrono::steady_clock::now();
    tracker.CancelRequestOnDeadline(now + std::chrono::microseconds(i % 100), request);
    tracker.CancelRequestOnDeadline(now + std::chrono::microseconds(50), request);
    while (std::chrono::steady_clock::now() < now + std::chrono::microseconds(i % 120)) {
    }
    num_cancelled += request->IsCancelled();
  }
  EXPECT_LT(num_cancelled, 2000);
}

TEST(RequestContextTest, DestroysDataInReverseOrderOfAddition) {
  auto host = MakeHost("s");
  std::vector<int> log;
  auto add = [&]<int... kNumbers>(std::integer_sequence<int, kNumbers...>) {
    RequestContextBuilder builder(host.get(), nullptr);
    (builder.AddData(LogsItsEndAsData<kNumbers>(&log)), ...);
    std::move(builder).Build().reset();
  };
  add(std::integer_sequence<int, 1, 2, 3>());
  EXPECT_THAT(log, ElementsAre(3, 2, 1));
  log.clear();
  add(std::integer_sequence<int, 3, 1, 2>());
  EXPECT_THAT(log, ElementsAre(2, 1, 3));
  log.clear();
  // The second of a type takes the place of the first, as if that had not been.
  add(std::integer_sequence<int, 1, 2, 1>());
  EXPECT_THAT(log, ElementsAre(1, 1, 2));
}

// A deadline that has passed already, so no time needs to.
TEST(RequestDeadlineTest, PassedDeadlineCancels) {
  auto host = MakeHost("s");
  auto request = RequestContextBuilder(host.get(), nullptr).Build();
  RequestDeadlineTracker(host.get())
      .CancelRequestOnDeadline(steady_clock::now() - std::chrono::seconds(1), request);
  // Timers fire in order: once this one has, the first one has too.
  std::promise<void> fired;
  host->timer_queue().ScheduleTimer(steady_clock::now(), [&] { fired.set_value(); });
  fired.get_future().wait();
  ASSERT_TRUE(request->IsCancelled());
  const Status& error = request->GetCancelAsyncValue()->GetError();
  EXPECT_EQ(error.code(), StatusCode::kDeadlineExceeded);
  EXPECT_EQ(error.message(), "deadline exceeded");
}

TEST(RequestDeadlineTest, FarDeadlineDoesNotKeepTheHost) {
  auto host = MakeHost("s");
  auto request = RequestContextBuilder(host.get(), nullptr).Build();
  RequestDeadlineTracker(host.get())
      .CancelRequestOnDeadline(steady_clock::now() + std::chrono::hours(100), request);
  host.reset();
  EXPECT_FALSE(request->IsCancelled());
}

struct Counted {
  static inline std::atomic<int> made{0};
  Counted() { made.fetch_add(1); }
};

TEST(ResourceContextTest, ConcurrentGetOrCreateMakesOne) {
  ResourceContext resources;
  Counted::made = 0;
  std::vector<Counted*> seen(8);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] { seen[t] = *resources.GetOrCreate<Counted>("one"); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Counted::made.load(), 1);
  for (Counted* resource : seen) EXPECT_EQ(resource, seen[0]);
}

TEST(ResourceContextTest, FindsByNameAndChecksTheType) {
  ResourceContext resources;
  EXPECT_EQ(*resources.Get<int32_t>("x"), nullptr);
  EXPECT_EQ(**resources.Create<int32_t>("x", 5), 5);
  EXPECT_EQ(**resources.Get<int32_t>("x"), 5);
  EXPECT_EQ(**resources.GetOrCreate<int32_t>("x", 6), 5);

  auto again = resources.Create<int32_t>("x", 7);
  EXPECT_EQ(again.status().code(), StatusCode::kAlreadyExists);
  EXPECT_EQ(again.status().message(), "resource 'x' exists already");
  auto wrong = resources.Get<std::string>("x");
  EXPECT_EQ(wrong.status().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(wrong.status().message()),
              testing::StartsWith("resource 'x' has type '"));

  resources.Delete("x");
  resources.Delete("x");
  EXPECT_EQ(*resources.Get<int32_t>("x"), nullptr);
}

struct LogsItsEnd {
  LogsItsEnd(std::vector<int>* log, int number) : log(log), number(number) {}
  ~LogsItsEnd() { log->push_back(number); }
  std::vector<int>* log;
  int number;
};

TEST(ResourceContextTest, DestroysInReverseOrderOfCreation) {
  std::vector<int> log;
  {
    ResourceContext resources;
    ASSERT_TRUE(resources.Create<LogsItsEnd>("b", &log, 1).ok());
    ASSERT_TRUE(resources.Create<LogsItsEnd>("a", &log, 2).ok());
    ASSERT_TRUE(resources.Create<LogsItsEnd>("c", &log, 3).ok());
    resources.Delete("a");
  }
  EXPECT_THAT(log, ElementsAre(2, 3, 1));
}

struct Inner : SharedContext {
  explicit Inner(HostContext*) { Counted(); }
};
struct Outer : SharedContext {
  explicit Outer(HostContext* host) : inner(&host->GetOrCreateSharedContext<Inner>()) {}
  Inner* inner;
};

TEST(SharedContextTest, OnePerHostAndType) {
  auto host = MakeHost("s");
  auto other = MakeHost("s");
  Counted::made = 0;
  std::vector<Outer*> seen(8);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] { seen[t] = &host->GetOrCreateSharedContext<Outer>(); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Counted::made.load(), 1);
  for (Outer* shared : seen) EXPECT_EQ(shared, seen[0]);
  EXPECT_EQ(seen[0]->inner, &host->GetOrCreateSharedContext<Inner>());
  EXPECT_NE(seen[0], &other->GetOrCreateSharedContext<Outer>());
}

// The contexts of one test and what they have to say, by number.
struct ContextLog {
  std::vector<int> ended;
  static inline ContextLog* current = nullptr;
  ContextLog() { current = this; }
  ~ContextLog() { current = nullptr; }
};

template <int kNumber>
struct Numbered : SharedContext {
  explicit Numbered(HostContext*) {}
  ~Numbered() override { ContextLog::current->ended.push_back(kNumber); }
};
template <int... kNumbers>
void MakeNumbered(HostContext* host, std::integer_sequence<int, kNumbers...>) {
  (host->GetOrCreateSharedContext<Numbered<kNumbers>>(), ...);
}

// More contexts than the host's table has chains, made in two orders.
TEST(SharedContextTest, DestroyedInReverseOrderOfCreation) {
  ContextLog log;
  auto host = MakeHost("s");
  MakeNumbered(host.get(), std::make_integer_sequence<int, 20>());
  host.reset();
  EXPECT_THAT(log.ended,
              ElementsAre(19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
  log.ended.clear();
  host = MakeHost("s");
  MakeNumbered(host.get(), std::integer_sequence<int, 7, 3, 19, 0, 12, 5>());
  host.reset();
  EXPECT_THAT(log.ended, ElementsAre(5, 12, 0, 19, 3, 7));
}

// Gets the context of the next number when it is made, and needs it when it ends.
template <int kNumber>
struct Linked : SharedContext {
  explicit Linked(HostContext* host) {
    host->GetOrCreateSharedContext<Linked<kNumber + 1>>();
    alive = true;
  }
  ~Linked() override {
    EXPECT_TRUE(Linked<kNumber + 1>::alive);
    alive = false;
  }
  static inline bool alive = false;
};
template <>
struct Linked<20> : SharedContext {
  explicit Linked(HostContext*) { alive = true; }
  ~Linked() override { alive = false; }
  static inline bool alive = false;
};
template <int... kNumbers>
void MakeLinked(HostContext* host, std::integer_sequence<int, kNumbers...>) {
  std::vector<std::thread> threads;
  (threads.emplace_back([host] { host->GetOrCreateSharedContext<Linked<kNumbers>>(); }), ...);
  for (std::thread& thread : threads) thread.join();
}

// The constructor of one runs inside of that of another.
TEST(SharedContextTest, ContextsOutliveThoseThatAskForThemInTheirConstructors) {
  auto host = MakeHost("s");
  host->GetOrCreateSharedContext<Linked<0>>();
  host.reset();
  // Several threads, each with a part of the same chain.
  for (int round = 0; round < 50; ++round) {
    host = MakeHost("s");
    MakeLinked(host.get(), std::integer_sequence<int, 15, 0, 7, 3>());
    host.reset();
  }
}

// Waits in its constructor for a task that asks for a context that does not exist yet.
template <int kNumber>
struct AskedForByATask : SharedContext {
  explicit AskedForByATask(HostContext*) {}
};
struct WaitsForATask : SharedContext {
  explicit WaitsForATask(HostContext* host) {
    Counted();
    auto value = EnqueueWork(MakeExecution(host), [host] {
      host->GetOrCreateSharedContext<AskedForByATask<0>>();
      return 1;
    });
    AsyncValue* awaited = value.GetAsyncValue();
    host->Await({&awaited, 1});
    host->GetOrCreateSharedContext<AskedForByATask<1>>();
    number = *value;
  }
  int number = 0;
};

TEST_P(OnEveryQueue, ConstructorsOfContextsMayWaitForTasksThatAskForOthers) {
  const Deadline deadline("a shared context's constructor that waits for a task",
                          std::chrono::seconds(20));
  EXPECT_EQ(host_->GetOrCreateSharedContext<WaitsForATask>().number, 1);
}

// Threads and tasks that ask for it meanwhile get it when it is made.
TEST_P(OnEveryQueue, ManyAskForAContextWhoseConstructorWaits) {
  const Deadline deadline("a shared context's constructor that many wait for",
                          std::chrono::seconds(40));
  for (int round = 0; round < 20; ++round) {
    host_ = MakeHost(GetParam());
    Counted::made = 0;
    std::atomic<int> sum{0};
    auto ask = [&] { sum.fetch_add(host_->GetOrCreateSharedContext<WaitsForATask>().number); };
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) threads.emplace_back(ask);
    // Under the single-threaded queue the constructor's thread might run a task that asks for it.
    if (!host_->work_queue().IsSingleThreaded()) {
      for (int t = 0; t < 4; ++t) threads.emplace_back(ask);
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(sum.load(), static_cast<int>(threads.size()));
    EXPECT_EQ(Counted::made.load(), 1);
  }
}

struct AsksForItself : SharedContext {
  explicit AsksForItself(HostContext* host) { host->GetOrCreateSharedContext<AsksForItself>(); }
};

TEST(SharedContextDeathTest, AContextAsksForItselfInItsConstructor) {
  auto host = MakeHost("s");
  EXPECT_DEATH(host->GetOrCreateSharedContext<AsksForItself>(),
               "the constructor of a shared context asks for that context");
}

struct Device1 : SharedContext {
  explicit Device1(HostContext*) {}
  ~Device1() override { alive = false; }
  std::atomic<bool> alive{true};
  std::atomic<int> uses{0};
  void Use() {
    EXPECT_TRUE(alive.load());
    uses.fetch_add(1);
  }
};
// Leaves work for its device.
struct Stream1 : SharedContext {
  explicit Stream1(HostContext* host)
      : host(host), device(host->GetOrCreateSharedContext<Device1>()) {}
  ~Stream1() override {
    for (int i = 0; i < 10; ++i) {
      host->work_queue().AddTask([host = host, device = &device] {
        device->Use();
        host->work_queue().AddTask([device] { device->Use(); });
      });
    }
    host->timer_queue().ScheduleTimer(steady_clock::now(), [] { FAIL(); });  // timers are over
  }
  HostContext* const host;
  Device1& device;
};

// Work that is queued when the host goes finds its contexts, makes them if need be, and adds more;
// so does the destructor of one.
TEST_P(OnEveryQueue, ContextsOutliveQueuedWork) {
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> ran{0};
    for (int i = 0; i < 20; ++i) {
      EnqueueWork(MakeExecution(host_.get()), [&ran, host = host_.get()] {
        host->GetOrCreateSharedContext<Stream1>().device.Use();
        host->work_queue().AddTask([&ran, host] {
          auto value = EnqueueWork(MakeExecution(host), [host] {
            host->GetOrCreateSharedContext<Device1>().Use();
            return 1;
          });
          AsyncValue* awaited = value.GetAsyncValue();
          host->Await({&awaited, 1});
          ran.fetch_add(*value);
        });
      });
    }
    host_ = MakeHost(GetParam());  // the old one goes
    EXPECT_EQ(ran.load(), 20);
  }
}

#ifndef NDEBUG
struct AsksTooLate : SharedContext {
  explicit AsksTooLate(HostContext* host) : host(host) {}
  ~AsksTooLate() override { host->GetOrCreateSharedContext<Inner>(); }
  HostContext* const host;
};
TEST(SharedContextDeathTest, DestructorMayNotAskForANewerContext) {
  EXPECT_DEATH(
      {
        auto host = MakeHost("s");
        host->GetOrCreateSharedContext<AsksTooLate>();
        host->GetOrCreateSharedContext<Inner>();
        host.reset();
      },
      "asks for one that is gone or was never made");
}
#endif

struct FakeLocations : LocationHandler {
  DecodedLocation DecodeLocation(uint64_t data) const override {
    return {.file = "f.mlir", .line = static_cast<uint32_t>(data), .column = 2, .name = {}};
  }
};

TEST(DiagnosticTest, EmitErrorDecodesTheLocationAndReturnsTheError) {
  std::vector<DecodedDiagnostic> seen;
  auto host = MakeHost("s", [&](const DecodedDiagnostic& d) { seen.push_back(d); });
  FakeLocations locations;
  ExecutionContext exec_ctx = MakeExecution(host.get());
  exec_ctx.set_location(Location(&locations, 7));
  Status error = EmitError(exec_ctx, std::string("it broke"));
  EXPECT_EQ(error.code(), StatusCode::kInternal);
  EXPECT_EQ(error.message(), "it broke");
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].location.ToString(), "f.mlir:7:2");
  EXPECT_EQ(seen[0].status.message(), "it broke");
}

// The work queue is still there for a timer that fires while the host goes.
TEST(HostContextTest, TimerMayAddWorkWhileTheHostIsDestroyed) {
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> ran{0};
    auto host = MakeHost("mstd:2");
    std::promise<void> started;
    host->timer_queue().ScheduleTimer(steady_clock::now(), [&, host = host.get()] {
      started.set_value();
      host->work_queue().AddTask([&] { ran.fetch_add(1); });
    });
    started.get_future().wait();
    host.reset();
    EXPECT_EQ(ran.load(), 1);
  }
}

// A device: its thread ends the work, and the device goes with the host.
class OutsideWork : public SharedContext {
 public:
  explicit OutsideWork(HostContext*) {}
  ~OutsideWork() override { thread_.join(); }
  void Start(TaskTicket ticket, std::atomic<int>* ran) {
    thread_ = std::thread([ticket = std::move(ticket), ran]() mutable {
      ticket.AddTask([ran] { ran->fetch_add(1); });
    });
  }

 private:
  std::thread thread_;
};

TEST_P(OnEveryQueue, DestructionWaitsForTickets) {
  std::atomic<int> ran{0};
  EnqueueWork(MakeExecution(host_.get()), [host = host_.get(), &ran] {
    host->GetOrCreateSharedContext<OutsideWork>().Start(host->work_queue().MakeTicket(), &ran);
  });
  host_.reset();
  EXPECT_EQ(ran.load(), 1);
}

TEST_P(OnEveryQueue, EnqueueWorkReturnsTheValue) {
  ExecutionContext exec_ctx = MakeExecution(host_.get());
  AsyncValueRef<int> value = EnqueueWork(exec_ctx, [] { return 3; });
  AsyncValueRef<int> error =
      EnqueueWork(exec_ctx, []() -> StatusOr<int> { return InternalError("no"); });
  AsyncValue* values[] = {value.GetAsyncValue(), error.GetAsyncValue()};
  host_->Await(values);
  EXPECT_EQ(value.get(), 3);
  EXPECT_EQ(error.GetError().message(), "no");
  bool ran = false;
  EXPECT_TRUE(EnqueueBlockingWork(exec_ctx, [&] { ran = true; }));
  host_->Quiesce();
  EXPECT_TRUE(ran);
  EXPECT_EQ(RunBlockingWork(exec_ctx, [] {}), !host_->work_queue().IsSingleThreaded());
}

TEST(ExecutionContextTest, QueueCanBeReplaced) {
  auto host = MakeHost("mstd:2");
  auto other = CreateSingleThreadedWorkQueue();
  ExecutionContext exec_ctx = MakeExecution(host.get());
  EXPECT_EQ(&exec_ctx.work_queue(), &host->work_queue());
  exec_ctx.set_work_queue(other.get());
  bool ran = false;
  EnqueueWork(exec_ctx, [&] { ran = true; });
  host->Quiesce();
  EXPECT_FALSE(ran);
  other->Quiesce();
  EXPECT_TRUE(ran);
}

TEST(ParallelForTest, BlocksRunInTheOrderOfBinarySplitting) {
  auto host = MakeHost("s");
  std::vector<size_t> order;
  bool done = false;
  ParallelFor(
      MakeExecution(host.get()), 100, 10,
      [&](size_t begin, size_t) { order.push_back(begin / 10); }, [&] { done = true; });
  EXPECT_THAT(order, ElementsAre(0));
  EXPECT_FALSE(done);
  host->Quiesce();
  EXPECT_TRUE(done);
  EXPECT_THAT(order, ElementsAre(0, 5, 2, 1, 7, 6, 3, 8, 4, 9));
}

TEST(ParallelForTest, AThreadGoesOnWhereItWasInTheLoopBefore) {
  auto host = MakeHost("mstd:1");
  ExecutionContext exec_ctx = MakeExecution(host.get());
  std::vector<size_t> first, second;
  auto done = MakeUnconstructedAsyncValueRef<Chain>();
  EnqueueWork(exec_ctx, [&] {
    ParallelFor(
        exec_ctx, 8, 1, [&](size_t begin, size_t) { first.push_back(begin); },
        [&] {
          ParallelFor(
              exec_ctx, 4, 1, [&](size_t begin, size_t) { second.push_back(begin); },
              [&] { done.emplace(); });
        });
  });
  AsyncValue* values[] = {done.GetAsyncValue()};
  host->Await(values);
  EXPECT_THAT(first, UnorderedElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  ASSERT_THAT(second, UnorderedElementsAre(0, 1, 2, 3));
  EXPECT_EQ(second[0], first.back() / 2);
  EXPECT_NE(second[0], 0u);
}

TEST(ParallelForTest, OneBlockRunsHereAndEmptyRangesNever) {
  auto host = MakeHost("s");
  ExecutionContext exec_ctx = MakeExecution(host.get());
  int calls = 0, done = 0;
  ParallelFor(exec_ctx, 0, 10, [&](size_t, size_t) { ++calls; }, [&] { ++done; });
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(done, 1);
  ParallelFor(
      exec_ctx, 5, 10,
      [&](size_t begin, size_t end) {
        EXPECT_EQ(begin, 0u);
        EXPECT_EQ(end, 5u);
        ++calls;
      },
      [&] { ++done; });
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(done, 2);
  EXPECT_TRUE(
      ParallelFor(exec_ctx, 0, 1, [](size_t, size_t) { return GetReadyChain(); }).IsConcrete());
}

TEST_P(OnEveryQueue, ParallelForVisitsEachIndexOnce) {
  for (size_t block_size : {0, 1, 7, 64, 1000}) {
    std::vector<std::atomic<int>> visits(1000);
    auto done = MakeUnconstructedAsyncValueRef<Chain>();
    ParallelFor(
        MakeExecution(host_.get()), visits.size(), block_size,
        [&](size_t begin, size_t end) {
          for (size_t i = begin; i < end; ++i) visits[i].fetch_add(1, std::memory_order_relaxed);
        },
        [done = done.CopyRef()] { done.emplace(); });
    AsyncValue* values[] = {done.GetAsyncValue()};
    host_->Await(values);
    for (const auto& count : visits) EXPECT_EQ(count.load(std::memory_order_relaxed), 1);
  }
}

TEST_P(OnEveryQueue, ParallelForWaitsForChainsAndIgnoresTheirErrors) {
  ExecutionContext exec_ctx = MakeExecution(host_.get());
  std::atomic<int> finished{0};
  AsyncValueRef<Chain> result =
      ParallelFor(exec_ctx, 20, 1, [&](size_t begin, size_t) -> AsyncValueRef<Chain> {
        return EnqueueWork(exec_ctx, [&finished, begin]() -> StatusOr<Chain> {
          finished.fetch_add(1);
          if (begin == 3) return InternalError("no");
          return Chain();
        });
      });
  AsyncValue* values[] = {result.GetAsyncValue()};
  host_->Await(values);
  EXPECT_TRUE(result.IsConcrete());
  EXPECT_EQ(finished.load(), 20);
}

}  // namespace
}  // namespace tfrt
