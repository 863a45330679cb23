#include "lib/serve/rpc/slow_clients.h"

#include <vector>

namespace tfrt::serve::rpc {

SlowClients::SlowClients() : thread_([this] { Run(); }) {}

SlowClients::~SlowClients() {
  {
    std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void SlowClients::Join(WatchedCall* call) {
  std::lock_guard lock(mutex_);
  calls_.insert(call);
}

void SlowClients::Leave(WatchedCall* call) {
  std::lock_guard lock(mutex_);
  calls_.erase(call);
}

void SlowClients::Run() {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, std::chrono::milliseconds(500), [this] { return ends_; })) {
    const int64_t now = WatchedCall::Clock::now().time_since_epoch().count();
    std::vector<WatchedCall*> late;
    for (WatchedCall* call : calls_) {
      if (call->late_at_.load(std::memory_order_relaxed) < now) late.push_back(call);
    }
    for (WatchedCall* call : late) {
      // The end of one may be that of others.
      if (!calls_.contains(call)) continue;
      call->EndSending();
      call->Cancel();
    }
  }
}

}  // namespace tfrt::serve::rpc
