// Scheduler: decides when, and on which thread, commands run.
#ifndef TFRT_TEST_GPU_VENDOR_DRIVER_SCHEDULER_H_
#define TFRT_TEST_GPU_VENDOR_DRIVER_SCHEDULER_H_

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "command.h"
#include "random.h"
#include "settings.h"

namespace tfrt::gpu::cuda_double {

// All functions need the driver's lock, which they give up while a command runs or they wait.
class Scheduler {
 public:
  using Lock = std::unique_lock<std::mutex>;

  // Calls `finished`, with the lock, for each command that has ended, before any thread that waits
  // for it continues. It passes the result of Execute, or success for commands that were dropped.
  Scheduler(const Settings& settings, std::mutex* mutex,
            std::function<void(Command&, CUresult)> finished);

  // The lanes, clocks and waits of the commands are set. All are in their lanes before one runs, as
  // other threads may enqueue more meanwhile.
  void Enqueue(Lock& lock, std::span<const std::shared_ptr<Command>> commands);
  // Blocks the calling host thread until the command is done. A wait that can never end is a defect
  // of the program. Then the process is aborted with a list of all waits, in which `what` names
  // this one.
  void Wait(Lock& lock, const std::shared_ptr<Command>& command, std::string_view what);
  // The host asks whether something is done. A lazy device takes a step then, so that a program
  // which asks again and again comes to an end.
  void Poll(Lock& lock);

  // Host threads that have ever called the driver. Only if all of them wait can a wait be hopeless.
  void AddHostThread() { ++num_host_threads_; }
  void RemoveHostThread();
  // A context has failed, or is no more: its commands can go.
  void ContextFailed() { changed_.notify_all(); }

 private:
  bool IsRunnable(const Lane& lane) const;
  // Runs one command that can run; false if there is none.
  bool RunOne(Lock& lock);
  void Run(Lock& lock, const std::shared_ptr<Lane>& lane);
  void Work();
  [[noreturn]] void AbortDeadlocked(std::string_view what) const;

  const Mode mode_;
  std::mutex* const mutex_;
  const std::function<void(Command&, CUresult)> finished_;
  Random random_;
  std::condition_variable changed_;
  std::vector<std::shared_ptr<Lane>> active_;  // with pending commands
  int num_running_ = 0;
  int num_host_threads_ = 0;
  std::vector<const Command*> awaited_;  // one for each host thread that waits
};

}  // namespace tfrt::gpu::cuda_double

#endif  // TFRT_TEST_GPU_VENDOR_DRIVER_SCHEDULER_H_
