#include "kernel_cache.h"

#include <utility>

namespace tfrt::eager {

using Use = KernelCacheEntry::Use;

const std::shared_ptr<const PreparedOp>& KernelCacheEntry::Prepared(const OpPlace& place) const {
  std::call_once(prepare_once_, [&] {
    if (!place.runner->Has(*op)) return;  // a composite op runs itself
    const CallKey key(*op, attrs, packed, call, rest);
    std::vector<DType> dtypes(key.num_arguments());
    for (size_t i = 0; i < dtypes.size(); ++i) {
      const CallKey::Word word = key.argument(i);
      dtypes[i] = word == CallKey::kAbsent ? DType::kUnsupported : DType(word & 0xFF);
      // One whose dtype is not known yet.
      if (word != CallKey::kAbsent && dtypes[i] == DType::kUnsupported) return;
    }
    prepared_ = place.runner->Prepare(*op, *place.device, attrs, dtypes);
    // release: see IfPrepared.
    if_prepared_.store(prepared_.get(), std::memory_order_release);
  });
  return prepared_;
}

KernelCache::~KernelCache() = default;

size_t KernelCache::size() const {
  std::lock_guard lock(mutex_);
  return entries_.size();
}

KernelCacheEntry* KernelCache::FindLocked(const CallKey& key, uint64_t hash) {
  for (KernelCacheEntry* entry = buckets_[hash % kBuckets]; entry; entry = entry->next) {
    if (entry->hash == hash && entry->Matches(key)) return entry;
  }
  return nullptr;
}

RCReference<const KernelCacheEntry> KernelCache::Find(const CallKey& key, uint64_t hash) {
  std::lock_guard lock(mutex_);
  KernelCacheEntry* entry = FindLocked(key, hash);
  if (entry) entry->use.store(Use::kUsed, std::memory_order_relaxed);
  return FormRef<const KernelCacheEntry>(entry);
}

RCReference<const KernelCacheEntry> KernelCache::Add(const CallKey& key, uint64_t hash,
                                                     Placement placement) {
  if (capacity_ == 0) return nullptr;
  size_t attr_bytes = 0;
  for (const OpAttr& attr : key.attrs().attrs()) attr_bytes += attr.size_bytes();
  if (attr_bytes > kMaxAttrBytes) return nullptr;
  auto made = MakeRef<KernelCacheEntry>(key, hash, placement);
  RCReference<KernelCacheEntry> evicted;  // goes without the lock
  std::lock_guard lock(mutex_);
  if (KernelCacheEntry* found = FindLocked(key, hash)) return FormRef(found);
  if (entries_.size() < capacity_) {
    entries_.push_back(made);
  } else {
    evicted = std::exchange(entries_[EvictOne()], made);
  }
  made->next = std::exchange(buckets_[hash % kBuckets], made.get());
  return made;
}

size_t KernelCache::EvictOne() {
  // Threads that use entries while the hand comes by could keep it going round; after two rounds
  // any entry will do.
  for (size_t steps = 2 * entries_.size(); steps > 0; --steps) {
    const KernelCacheEntry& entry = *entries_[hand_];
    if (entry.use.load(std::memory_order_relaxed) == Use::kNone) break;
    entry.use.store(Use::kNone, std::memory_order_relaxed);
    hand_ = (hand_ + 1) % entries_.size();
  }
  KernelCacheEntry* out = entries_[hand_].get();
  KernelCacheEntry** link = &buckets_[out->hash % kBuckets];
  while (*link != out) link = &(*link)->next;
  *link = out->next;
  out->use.store(Use::kOut, std::memory_order_relaxed);
  num_evictions_.fetch_add(1, std::memory_order_relaxed);
  return std::exchange(hand_, (hand_ + 1) % entries_.size());
}

bool CallCache::MarkUsed(const KernelCacheEntry& entry) {
  auto none = Use::kNone;
  // Not over kOut, which another thread may write now.
  return entry.use.compare_exchange_strong(none, Use::kUsed, std::memory_order_relaxed) ||
         none == Use::kUsed;
}

void CallCache::DropEvicted(const KernelCache& shared) {
  const uint64_t num_evictions = shared.num_evictions();
  if (std::exchange(num_evictions_, num_evictions) == num_evictions) return;
  auto drop = [](RCReference<const KernelCacheEntry>& entry) {
    if (entry && entry->use.load(std::memory_order_relaxed) == Use::kOut) entry = nullptr;
  };
  for (auto& entry : slots_) drop(entry);
  for (auto& entry : last_) drop(entry);
  for (CallPlace& place : places_) drop(place.entry);
}

const KernelCacheEntry* CallCache::FindShared(KernelCache& shared, const CallKey& key,
                                              uint64_t hash) {
  RCReference<const KernelCacheEntry> found = shared.Find(key, hash);
  DropEvicted(shared);
  if (!found) return nullptr;
  return (slots_[hash % kSlots] = std::move(found)).get();
}

const KernelCacheEntry* CallCache::Add(KernelCache& shared, const CallKey& key, uint64_t hash,
                                       Placement placement) {
  RCReference<const KernelCacheEntry> entry = shared.Add(key, hash, placement);
  if (!entry) return nullptr;
  return (slots_[hash % kSlots] = std::move(entry)).get();
}

}  // namespace tfrt::eager
