// PlanCache: prepared plans by problem. Finding one takes no lock.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_PLAN_CACHE_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_PLAN_CACHE_H_

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <utility>

#include "backend.h"

namespace tfrt::contraction {

template <typename Problem>
struct PlanCacheEntry {
  Problem problem;
  std::unique_ptr<Plan> plan;
  PlanCacheEntry* next = nullptr;
  // False once splitting the problem has turned out not to pay. relaxed: it guards nothing.
  std::atomic<bool> splits{true};
  // The same of splitting it by the outputs of its packed filter.
  std::atomic<bool> splits_outputs{true};
};

// A hash table of chains that only grow: entries are added under a lock, read without, and live as
// long as the cache. Thread-safe. Holds at most kMaxPlans, so that programs of data-dependent
// shapes do not fill the memory.
template <typename Problem, size_t kBuckets, size_t kMaxPlans>
class PlanCache {
 public:
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

  using Entry = PlanCacheEntry<Problem>;

  // The entry of `problem`, made by `prepare()` (-> std::unique_ptr<Plan>) at first; null if that
  // fails. When the cache is full, `uncached` owns the entry instead.
  template <typename Prepare>
  Entry* FindOrPrepare(const Problem& problem, Prepare prepare, std::unique_ptr<Entry>* uncached) {
    auto& bucket = buckets_[Hash(problem) % kBuckets];
    if (Entry* entry = Find(bucket, problem)) return entry;
    std::unique_ptr<Plan> plan = prepare();  // outside of the lock: this takes a while
    if (!plan) return nullptr;
    std::unique_ptr<Entry> made(new Entry{problem, std::move(plan)});
    std::lock_guard lock(mutex_);
    if (Entry* entry = Find(bucket, problem)) return entry;  // another thread's
    if (size_ == kMaxPlans) {
      *uncached = std::move(made);
      return uncached->get();
    }
    ++size_;
    made->next = bucket.load(std::memory_order_relaxed);
    // release: whoever finds the entry sees the plan whole.
    bucket.store(made.get(), std::memory_order_release);
    return made.release();
  }

 private:
  static Entry* Find(const std::atomic<Entry*>& bucket, const Problem& problem) {
    for (Entry* e = bucket.load(std::memory_order_acquire); e; e = e->next) {
      if (e->problem == problem) return e;
    }
    return nullptr;
  }

  std::array<std::atomic<Entry*>, kBuckets> buckets_ = {};
  std::mutex mutex_;
  size_t size_ = 0;  // under mutex_
};

}  // namespace tfrt::contraction

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_PLAN_CACHE_H_
