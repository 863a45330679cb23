// SpinLock: for sections of a few instructions that make no calls.
#ifndef TFRT_GPU_RUNTIME_SPIN_LOCK_H_
#define TFRT_GPU_RUNTIME_SPIN_LOCK_H_

#include <atomic>
#include <thread>

namespace tfrt::gpu::internal {

// Takes one atomic exchange to lock and a store to unlock, half the cost of a mutex. Works with
// std::lock_guard.
class SpinLock {
 public:
  void lock() {
    // acquire: sees what the last holder wrote.
    for (int i = 0; taken_.exchange(true, std::memory_order_acquire); ++i) {
      // The holder may have lost its processor.
      if (i >= 16) std::this_thread::yield();
    }
  }
  // release: publishes what this holder wrote.
  void unlock() { taken_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> taken_{false};
};

}  // namespace tfrt::gpu::internal

#endif  // TFRT_GPU_RUNTIME_SPIN_LOCK_H_
