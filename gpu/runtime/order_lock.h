// OrderLock: the lock under which a stream numbers and enqueues its commands.
#ifndef TFRT_GPU_RUNTIME_ORDER_LOCK_H_
#define TFRT_GPU_RUNTIME_ORDER_LOCK_H_

#include <atomic>
#include <cstdint>

namespace tfrt::gpu::internal {

// A mutex of one word. Without contention, locking and unlocking are one atomic operation each, in
// the caller's code; std::mutex takes 60 instructions more for a launch. A thread that does not get
// the lock sleeps: its holder calls the driver. Works with std::lock_guard and
// std::condition_variable_any.
class OrderLock {
 public:
  void lock() {
    uint32_t free = kFree;
    // acquire: sees what the last holder wrote.
    if (!state_.compare_exchange_strong(free, kTaken, std::memory_order_acquire,
                                        std::memory_order_relaxed)) [[unlikely]] {
      LockSlow();
    }
  }
  void unlock() {
    // release: publishes what this holder wrote.
    if (state_.exchange(kFree, std::memory_order_release) == kAwaited) [[unlikely]]
      state_.notify_one();
  }

 private:
  static constexpr uint32_t kFree = 0, kTaken = 1, kAwaited = 2;

  // A thread that has slept does not know whether others still sleep, so it leaves the lock
  // awaited.
  [[gnu::noinline]] void LockSlow() {
    // acquire: as above.
    while (state_.exchange(kAwaited, std::memory_order_acquire) != kFree) {
      state_.wait(kAwaited, std::memory_order_relaxed);
    }
  }

  std::atomic<uint32_t> state_{kFree};
};

}  // namespace tfrt::gpu::internal

#endif  // TFRT_GPU_RUNTIME_ORDER_LOCK_H_
