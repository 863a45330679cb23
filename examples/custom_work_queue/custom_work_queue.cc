// A work queue of one's own: one that runs on the threads a program has already. Usage:
// custom_work_queue program.bef
//
// LoopQueue has no threads. The program's event loop calls RunOne() when it has time; here that is main().
// Blocking tasks get a thread each.

#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "tfrt/executor/bef_file.h"
#include "tfrt/host_context/concurrent_work_queue.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/function.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/kernels/kernels.h"

namespace {

using namespace tfrt;

class LoopQueue : public ConcurrentWorkQueue {
 public:
  ~LoopQueue() override { Quiesce(); }
  std::string name() const override { return "event loop"; }

  void AddTask(TaskFunction task) override {
    std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    ++num_tasks_;
    changed_.notify_all();
  }
  std::optional<TaskFunction> AddBlockingTask(TaskFunction task, bool) override {
    std::lock_guard lock(mutex_);
    ++num_tasks_;
    threads_.emplace_back([this, task = std::move(task)]() mutable {
      task.CallAndReset();
      Done();
    });
    return std::nullopt;
  }
  void Await(std::span<AsyncValue* const> values) override {
    bool ready = false;
    RunWhenReady(values, [&] {
      std::lock_guard lock(mutex_);
      ready = true;
      changed_.notify_all();
    });
    RunUntil([&] { return ready; });
  }
  void Quiesce() override {
    RunUntil([&] { return num_tasks_ == 0; });
    std::vector<std::thread> threads;
    {
      std::lock_guard lock(mutex_);
      threads.swap(threads_);
    }
    for (std::thread& thread : threads) thread.join();
  }
  int GetParallelismLevel() const override { return 1; }
  bool IsInWorkerThread() const override { return false; }

  // What the event loop calls. False if there is nothing to do now.
  bool RunOne() {
    TaskFunction task;
    {
      std::lock_guard lock(mutex_);
      if (tasks_.empty()) return false;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    task.CallAndReset();
    ++num_run_;
    Done();
    return true;
  }
  int num_run() const { return num_run_; }

 private:
  // `done` is called under the lock.
  template <typename Done>
  void RunUntil(Done&& done) {
    while (true) {
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return done() || !tasks_.empty(); });
        if (done()) return;
      }
      RunOne();
    }
  }
  void Done() {
    std::lock_guard lock(mutex_);
    --num_tasks_;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<TaskFunction> tasks_;
  std::vector<std::thread> threads_;
  int num_tasks_ = 0;  // waiting or running
  int num_run_ = 0;    // by the loop
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s program.bef\n", argv[0]);
    return 2;
  }
  auto queue = std::make_unique<LoopQueue>();
  LoopQueue& loop = *queue;
  HostContext host([](const DecodedDiagnostic&) {}, CreateMallocAllocator(), std::move(queue));
  RegisterAllKernels(&host.kernel_registry());
  auto image = BefImage::FromFile(argv[1]);
  if (!image.ok()) {
    std::fprintf(stderr, "%s\n", image.status().ToString().c_str());
    return 1;
  }
  auto file = BefFile::Open(*std::move(image), &host);
  auto function = (*file)->FindFunction("add_and_divide");

  ExecutionContext request(RequestContextBuilder(&host, nullptr).Build());
  auto a = MakeAvailableAsyncValueRef<int32_t>(29), b = MakeAvailableAsyncValueRef<int32_t>(4);
  AsyncValue* arguments[] = {a.GetAsyncValue(), b.GetAsyncValue()};
  RCReference<AsyncValue> results[3];
  (*function)->ExecuteAsync(request, arguments, results);
  std::printf("before the loop: %s\n", results[0]->IsAvailable() ? "available" : "not available");
  while (loop.RunOne()) {
  }
  std::printf("after %d task: %d\n", loop.num_run(), results[0]->get<int32_t>());
}
