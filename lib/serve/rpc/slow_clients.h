// SlowClients: ends calls whose clients do not read their answers.
#ifndef TFRT_LIB_SERVE_RPC_SLOW_CLIENTS_H_
#define TFRT_LIB_SERVE_RPC_SLOW_CLIENTS_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <unordered_set>

namespace tfrt::serve::rpc {

// A call that may be ended. It joins when it begins, and leaves before it is destroyed, without
// locks that Cancel takes.
class WatchedCall {
 public:
  // A message is given to gRPC. It must have been sent within `limit`.
  void BeginSending(std::chrono::milliseconds limit) {
    late_at_.store((Clock::now() + limit).time_since_epoch().count(), std::memory_order_relaxed);
  }
  void EndSending() { late_at_.store(kNever, std::memory_order_relaxed); }

 protected:
  ~WatchedCall() = default;

 private:
  friend class SlowClients;
  using Clock = std::chrono::steady_clock;
  static constexpr int64_t kNever = INT64_MAX;

  // Called at most once for each BeginSending. May call functions of the call and of SlowClients.
  virtual void Cancel() = 0;

  // relaxed: a time alone. A call that is looked at between two messages is not late.
  std::atomic<int64_t> late_at_{kNever};
};

// Thread-safe. Looks at all calls twice a second, on a thread of its own.
class SlowClients {
 public:
  SlowClients();
  ~SlowClients();

  void Join(WatchedCall* call);
  // The call is not touched after this.
  void Leave(WatchedCall* call);

 private:
  void Run();

  // Recursive: gRPC may end a call on the thread that cancels it.
  std::recursive_mutex mutex_;
  std::unordered_set<WatchedCall*> calls_;
  std::condition_variable_any changed_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace tfrt::serve::rpc

#endif  // TFRT_LIB_SERVE_RPC_SLOW_CLIENTS_H_
