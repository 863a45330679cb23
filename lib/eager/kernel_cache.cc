#include "kernel_cache.h"

namespace tfrt::eager {

KernelCache::~KernelCache() {
  for (auto& bucket : buckets_) {
    KernelCacheEntry* next = nullptr;
    for (auto* entry = bucket.load(std::memory_order_relaxed); entry; entry = next) {
      next = entry->next;
      delete entry;
    }
  }
}

const KernelCacheEntry* KernelCache::Add(const CallKey& key, uint64_t hash, uint8_t device,
                                         PlacementReason reason,
                                         std::unique_ptr<KernelCacheEntry>* uncached) {
  std::unique_ptr<KernelCacheEntry> made(
      new KernelCacheEntry{&key.op(),
                           key.attrs().Freeze(),
                           key.packed(),
                           key.call(),
                           {key.rest().begin(), key.rest().end()},
                           device,
                           reason});
  std::lock_guard lock(mutex_);
  if (const KernelCacheEntry* entry = Find(key, hash)) return entry;
  if (size() >= capacity_) {
    *uncached = std::move(made);
    return uncached->get();
  }
  size_.fetch_add(1, std::memory_order_relaxed);
  auto& bucket = buckets_[hash % kBuckets];
  made->next = bucket.load(std::memory_order_relaxed);
  // release: whoever finds the entry sees it whole.
  bucket.store(made.get(), std::memory_order_release);
  return made.release();
}

}  // namespace tfrt::eager
