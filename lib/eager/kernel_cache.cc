#include "kernel_cache.h"

#include <memory>

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

void KernelCache::Add(const CallKey& key, uint64_t hash, Placement placement) {
  if (size() >= capacity_) return;
  size_t attr_bytes = 0;
  for (const OpAttr& attr : key.attrs().attrs()) attr_bytes += attr.size_bytes();
  if (attr_bytes > kMaxAttrBytes) return;
  std::unique_ptr<KernelCacheEntry> made(
      new KernelCacheEntry{&key.op(),
                           key.attrs().Freeze(),
                           key.packed(),
                           key.call(),
                           {key.rest().begin(), key.rest().end()},
                           placement});
  std::lock_guard lock(mutex_);
  if (size() >= capacity_ || Find(key, hash)) return;
  size_.fetch_add(1, std::memory_order_relaxed);
  auto& bucket = buckets_[hash % kBuckets];
  made->next = bucket.load(std::memory_order_relaxed);
  // release: whoever finds the entry sees it whole.
  bucket.store(made.release(), std::memory_order_release);
}

}  // namespace tfrt::eager
