// AsyncValues by themselves, and the work queues.
#include <chrono>
#include <memory>

#include "case.h"
#include "tfrt/async/async_value_ref.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::bench {
namespace {

constexpr int kCount = 1000;

void MakeAndDrop() {
  for (int i = 0; i < kCount; ++i) {
    auto value = MakeAvailableAsyncValueRef<int32_t>(i);
    Keep(value.get());
  }
}

// Values from a value.
void Map() {
  auto value = MakeAvailableAsyncValueRef<int32_t>(0);
  for (int i = 0; i < kCount; ++i) {
    Keep(value.Map([](int32_t n) { return n + 1; }).get());
  }
}

// The same with waiters: the value comes last.
void AndThenLater() {
  for (int i = 0; i < kCount; ++i) {
    auto value = MakeUnconstructedAsyncValueRef<int32_t>();
    auto next = MakeUnconstructedAsyncValueRef<int32_t>();
    value.AndThen([from = value.AsPtr(), to = next.CopyRef()] { to.emplace(from.get() + 1); });
    value.emplace(i);
    Keep(next.get());
  }
}

// Tasks are added and run, all on one thread.
std::function<void()> PrepareSingle() {
  auto queue = std::shared_ptr<ConcurrentWorkQueue>(CreateSingleThreadedWorkQueue());
  auto done = std::make_shared<int>(0);
  return [queue, done] {
    for (int i = 0; i < kCount; ++i) queue->AddTask([d = done.get()] { ++*d; });
    queue->Quiesce();
  };
}

// A worker adds tasks to its own deque and runs them; with one thread nobody is parked or steals.
std::function<void()> PrepareWorker() {
  auto queue = std::shared_ptr<ConcurrentWorkQueue>(CreateMultiThreadedWorkQueue(1, 1));
  return [queue] {
    auto done = MakeUnconstructedAsyncValueRef<int32_t>();
    queue->AddTask([&queue = *queue, done = done.CopyRef()] {
      auto left = std::make_shared<int>(100 * kCount);
      for (int batch = 0; batch < 100; ++batch) {
        auto joined = MakeUnconstructedAsyncValueRef<int32_t>();
        auto count = std::make_shared<int>(kCount);
        for (int i = 0; i < kCount; ++i) {
          queue.AddTask([count = count.get(), to = joined.AsPtr()] {
            if (--*count == 0) to.emplace(0);
          });
        }
        AsyncValue* value = joined.GetAsyncValue();
        queue.Await({&value, 1});
      }
      done.emplace(0);
    });
    AsyncValue* value = done.GetAsyncValue();
    queue->Await({&value, 1});
  };
}

// Adding alone. The tasks are run afterwards, which is not measured.
double SecondsToAdd(ConcurrentWorkQueue& queue, int* done) {
  auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < kCount; ++i) queue.AddTask([done] { ++*done; });
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::function<double()> PrepareEnqueueSingle() {
  auto queue = std::shared_ptr<ConcurrentWorkQueue>(CreateSingleThreadedWorkQueue());
  auto done = std::make_shared<int>(0);
  return [queue, done] {
    double seconds = SecondsToAdd(*queue, done.get());
    queue->Quiesce();
    return seconds;
  };
}

// The worker adds to its own deque, with nobody parked.
std::function<double()> PrepareEnqueueWorker() {
  auto queue = std::shared_ptr<ConcurrentWorkQueue>(CreateMultiThreadedWorkQueue(1, 1));
  return [queue] {
    double seconds = 0;
    int done = 0;
    queue->AddTask([&] { seconds = SecondsToAdd(*queue, &done); });
    queue->Quiesce();
    return seconds;
  };
}

// From a thread outside to a worker and back, one at a time.
std::function<void()> PrepareRoundTrip() {
  auto queue = std::shared_ptr<ConcurrentWorkQueue>(CreateMultiThreadedWorkQueue(1, 1));
  return [queue] {
    for (int i = 0; i < 100; ++i) {
      auto done = MakeUnconstructedAsyncValueRef<int32_t>();
      queue->AddTask([done = done.CopyRef()] { done.emplace(1); });
      AsyncValue* value = done.GetAsyncValue();
      queue->Await({&value, 1});
    }
  };
}

}  // namespace

void AddValueCases(Cases* cases) {
  auto add = [&](const char* name, void (*run)()) {
    cases->push_back({.name = name,
                      .unit = "value",
                      .units = kCount,
                      .floor = "floor/malloc_free",
                      .prepare = [run] { return std::function<void()>(run); }});
  };
  add("value/make_and_drop", MakeAndDrop);
  add("value/map", Map);
  add("value/and_then", AndThenLater);
  auto add_enqueue = [&](const char* name, std::function<double()> (*prepare)()) {
    cases->push_back({.name = name,
                      .unit = "task",
                      .units = kCount,
                      .floor = "floor/read_modify_write",
                      .deterministic = false,
                      .prepare = {},
                      .prepare_timed = prepare});
  };
  add_enqueue("queue/enqueue/single_threaded", PrepareEnqueueSingle);
  add_enqueue("queue/enqueue/own_worker", PrepareEnqueueWorker);
  cases->push_back({.name = "queue/single_threaded",
                    .unit = "task",
                    .units = kCount,
                    .floor = "floor/read_modify_write",
                    .prepare = PrepareSingle});
  cases->push_back({.name = "queue/own_worker",
                    .unit = "task",
                    .units = 100 * kCount,
                    .floor = "floor/read_modify_write",
                    .deterministic = false,
                    .prepare = PrepareWorker});
  cases->push_back({.name = "queue/round_trip",
                    .unit = "task",
                    .units = 100,
                    .deterministic = false,
                    .prepare = PrepareRoundTrip});
}

}  // namespace tfrt::bench
