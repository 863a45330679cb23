// PlanCache: prepared plans by problem. Finding one takes no lock.
#ifndef TFRT_KERNELS_CONTRACTION_PLAN_CACHE_H_
#define TFRT_KERNELS_CONTRACTION_PLAN_CACHE_H_

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <utility>

#include "backend.h"

namespace tfrt::contraction {

// A hash table of chains that only grow: entries are added under a lock, read without, and live as long
// as the cache. Thread-safe.
template <typename Problem, size_t kBuckets>
class PlanCache {
 public:
  // Programs of data-dependent shapes must not fill the memory.
  static constexpr size_t kMaxPlans = 4096;

  PlanCache() = default;
  PlanCache(const PlanCache&) = delete;
  PlanCache& operator=(const PlanCache&) = delete;
  ~PlanCache() {
    for (auto& bucket : buckets_) {
      Entry* next = nullptr;
      for (Entry* e = bucket.load(std::memory_order_relaxed); e; e = next) {
        next = e->next;
        delete e;
      }
    }
  }

  // The plan of `problem`, by `prepare()` (-> std::unique_ptr<Plan>) at first; null if that fails. When
  // the cache is full, `uncached` owns the plan instead.
  template <typename Prepare>
  const Plan* FindOrPrepare(const Problem& problem, Prepare prepare,
                            std::unique_ptr<Plan>* uncached) {
    auto& bucket = buckets_[Hash(problem) % kBuckets];
    if (const Plan* plan = Find(bucket, problem)) return plan;
    std::unique_ptr<Plan> made = prepare();  // outside of the lock: this takes a while
    if (!made) return nullptr;
    std::lock_guard lock(mutex_);
    if (const Plan* plan = Find(bucket, problem)) return plan;  // another thread's
    if (size_ == kMaxPlans) {
      *uncached = std::move(made);
      return uncached->get();
    }
    ++size_;
    auto* entry =
        new Entry{problem, std::move(made), bucket.load(std::memory_order_relaxed)};
    // release: whoever finds the entry sees the plan whole.
    bucket.store(entry, std::memory_order_release);
    return entry->plan.get();
  }

 private:
  struct Entry {
    Problem problem;
    std::unique_ptr<Plan> plan;
    Entry* next;
  };

  static const Plan* Find(const std::atomic<Entry*>& bucket, const Problem& problem) {
    for (Entry* e = bucket.load(std::memory_order_acquire); e; e = e->next) {
      if (e->problem == problem) return e->plan.get();
    }
    return nullptr;
  }

  std::array<std::atomic<Entry*>, kBuckets> buckets_ = {};
  std::mutex mutex_;
  size_t size_ = 0;  // under mutex_
};

}  // namespace tfrt::contraction

#endif  // TFRT_KERNELS_CONTRACTION_PLAN_CACHE_H_
