// TaskDeque: the bounded work-stealing deque of Chase and Lev, with one owner and many thieves.
#ifndef TFRT_LIB_BASE_WORK_QUEUE_TASK_DEQUE_H_
#define TFRT_LIB_BASE_WORK_QUEUE_TASK_DEQUE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tfrt::internal {

// Holds pointers; owns nothing. The sequentially consistent accesses to `bottom_` and `top_` stand
// where the paper has full fences: GCC's thread sanitizer does not model stand-alone fences.
template <typename T, size_t kCapacity = 1024>
class TaskDeque {
 public:
  // Owner only. False if full.
  bool Push(T* item) {
    int64_t bottom = bottom_.load(std::memory_order_relaxed);  // only the owner writes it
    // acquire: a slot freed by a thief may be overwritten only after the thief has read it.
    int64_t top = top_.load(std::memory_order_acquire);
    if (bottom - top >= static_cast<int64_t>(kCapacity)) return false;
    Slot(bottom).store(item, std::memory_order_relaxed);  // published by the store below
    // seq_cst: also orders the push before the caller's look at the parked workers.
    bottom_.store(bottom + 1, std::memory_order_seq_cst);
    return true;
  }

  // Owner only: the newest item, or null.
  T* Pop() {
    int64_t bottom = bottom_.load(std::memory_order_relaxed) - 1;
    // seq_cst on both: owner and thief must not both miss the other's claim to the last item.
    bottom_.store(bottom, std::memory_order_seq_cst);
    int64_t top = top_.load(std::memory_order_seq_cst);
    if (top > bottom) {
      bottom_.store(bottom + 1, std::memory_order_relaxed);
      return nullptr;
    }
    T* item = Slot(bottom).load(std::memory_order_relaxed);
    if (top == bottom) {
      if (!top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst,
                                        std::memory_order_relaxed)) {
        item = nullptr;  // a thief was faster
      }
      bottom_.store(bottom + 1, std::memory_order_relaxed);
    }
    return item;
  }

  // Owner only: where the next item will be; `top` of a view in which it is the oldest.
  int64_t next_place() const { return bottom_.load(std::memory_order_relaxed); }

  // Any thread: the oldest item, or null if there is none or another thread was faster.
  T* Steal() {
    int64_t top = top_.load(std::memory_order_seq_cst);
    // Reads the item that Push published before it stored `bottom_`.
    int64_t bottom = bottom_.load(std::memory_order_seq_cst);
    if (top >= bottom) return nullptr;
    T* item = Slot(top).load(std::memory_order_relaxed);
    if (!top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst,
                                      std::memory_order_relaxed)) {
      return nullptr;
    }
    return item;
  }

  // Any thread: a snapshot. `top` changes whenever the oldest item does.
  struct View {
    int64_t top;
    int64_t size;  // may be negative for a moment
  };
  View Look() const {
    int64_t top = top_.load(std::memory_order_seq_cst);
    return {top, bottom_.load(std::memory_order_seq_cst) - top};
  }

 private:
  static_assert((kCapacity & (kCapacity - 1)) == 0);
  std::atomic<T*>& Slot(int64_t index) {
    return slots_[static_cast<size_t>(index) & (kCapacity - 1)];
  }

  alignas(64) std::atomic<int64_t> top_{0};
  alignas(64) std::atomic<int64_t> bottom_{0};
  alignas(64) std::atomic<T*> slots_[kCapacity];
};

}  // namespace tfrt::internal

#endif  // TFRT_LIB_BASE_WORK_QUEUE_TASK_DEQUE_H_
