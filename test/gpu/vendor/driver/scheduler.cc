#include "scheduler.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>

#include "context.h"

namespace tfrt::gpu::cuda_double {

Scheduler::Scheduler(const Settings& settings, std::mutex* mutex,
                     std::function<void(Command&, CUresult)> finished)
    : mode_(settings.mode), mutex_(mutex), finished_(std::move(finished)), random_(settings.seed) {
  if (mode_ != Mode::kThreads) return;
  // They live as long as the process does, as devices do.
  for (int i = 0; i < settings.num_workers; ++i) std::thread([this] { Work(); }).detach();
}

void Scheduler::Enqueue(Lock& lock, std::span<const std::shared_ptr<Command>> commands) {
  for (const auto& command : commands) {
    Lane& lane = *command->lane;
    lane.pending.push_back(command);
    lane.last = command;
    if (lane.pending.size() == 1) active_.push_back(command->lane);
  }
  if (mode_ == Mode::kThreads || !awaited_.empty()) changed_.notify_all();
  if (mode_ == Mode::kInline) {
    while (RunOne(lock)) {
    }
  }
}

void Scheduler::Wait(Lock& lock, const std::shared_ptr<Command>& command, std::string_view what) {
  awaited_.push_back(command.get());
  while (!command->done) {
    // A lazy device does one thing at a time, whoever waits, so that the seed decides the order.
    if (mode_ != Mode::kThreads && num_running_ == 0 && RunOne(lock)) continue;
    bool can_run =
        num_running_ > 0 || std::any_of(active_.begin(), active_.end(),
                                        [&](const auto& lane) { return IsRunnable(*lane); });
    // A thread whose command is done goes on as soon as it has the lock.
    bool all_wait = static_cast<int>(awaited_.size()) >= num_host_threads_ &&
                    std::none_of(awaited_.begin(), awaited_.end(),
                                 [](const Command* other) { return other->done; });
    if (!can_run && all_wait) AbortDeadlocked(what);
    changed_.wait(lock);
  }
  awaited_.erase(std::find(awaited_.begin(), awaited_.end(), command.get()));
}

void Scheduler::Poll(Lock& lock) {
  if (mode_ != Mode::kThreads && num_running_ == 0) RunOne(lock);
}

void Scheduler::RemoveHostThread() {
  --num_host_threads_;
  changed_.notify_all();
}

bool Scheduler::IsRunnable(const Lane& lane) const {
  if (lane.is_running || lane.pending.empty()) return false;
  const Command& first = *lane.pending.front();
  for (const auto& other : first.waits_for) {
    if (!other->done) return false;
  }
  return first.context->failure() != CUDA_SUCCESS || first.operation->IsReady(first);
}

bool Scheduler::RunOne(Lock& lock) {
  size_t num_runnable = 0;
  for (const auto& lane : active_) num_runnable += IsRunnable(*lane);
  if (num_runnable == 0) return false;
  size_t choice = random_.Below(num_runnable);
  for (const auto& lane : active_) {
    if (!IsRunnable(*lane) || choice-- > 0) continue;
    Run(lock, std::shared_ptr(lane));
    return true;
  }
  return false;
}

void Scheduler::Run(Lock& lock, const std::shared_ptr<Lane>& lane) {
  std::shared_ptr<Command> command = lane->pending.front();
  lane->is_running = true;
  ++num_running_;
  command->start_ns = std::max(lane->time_ns, command->enqueued_ns);
  for (const auto& other : command->waits_for) {
    command->start_ns = std::max(command->start_ns, other->end_ns);
  }
  CUresult result = CUDA_SUCCESS;
  // Nothing of a context that has failed runs any more.
  if (command->context->failure() == CUDA_SUCCESS) {
    if (command->injected != CUDA_SUCCESS) {
      result = command->injected;
    } else if (result = command->operation->CheckMemory(*command); result == CUDA_SUCCESS) {
      lock.unlock();
      result = command->operation->Execute(*command);
      lock.lock();
    }
  }
  command->end_ns = lane->time_ns = command->start_ns + command->operation->nanoseconds();
  --num_running_;
  lane->is_running = false;
  lane->pending.pop_front();
  if (lane->pending.empty()) std::erase(active_, lane);
  command->done = true;
  command->waits_for.clear();
  command->operation->End(*command);
  finished_(*command, result);
  // Events and pools keep what is done for its place in the order alone; and a lane keeps its last.
  command->operation = nullptr;
  command->lane = nullptr;
  changed_.notify_all();
}

void Scheduler::Work() {
  Lock lock(*mutex_);
  while (true) {
    if (!RunOne(lock)) changed_.wait(lock);
  }
}

void Scheduler::AbortDeadlocked(std::string_view what) const {
  std::fprintf(stderr, "tfrt test double: deadlock: %.*s waits for what can never run\n",
               static_cast<int>(what.size()), what.data());
  for (const auto& lane : active_) {
    const Command& first = *lane->pending.front();
    std::string name(first.operation->name());
    std::fprintf(stderr, "  %s: '%s' (command %llu)", lane->name.c_str(), name.c_str(),
                 static_cast<unsigned long long>(first.nth));
    bool waits = false;
    for (const auto& other : first.waits_for) {
      if (other->done) continue;
      std::string other_name(other->operation->name());
      std::fprintf(stderr, " waits for '%s' (%s, command %llu)", other_name.c_str(),
                   other->lane->name.c_str(), static_cast<unsigned long long>(other->nth));
      waits = true;
    }
    std::fprintf(stderr, waits ? "\n" : " waits for others to come to the same point\n");
  }
  std::abort();
}

}  // namespace tfrt::gpu::cuda_double
