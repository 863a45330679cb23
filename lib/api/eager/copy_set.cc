#include "copy_set.h"

#include <algorithm>

#include "context_core.h"

namespace tfrt::eager {

CopySet::Entry* CopySet::FindEntry(uint8_t device) {
  for (Entry& entry : entries_) {
    if (entry.copy->device() == device && !entry.copy->value()->IsError()) return &entry;
  }
  return nullptr;
}

RCReference<TensorState> CopySet::Find(uint8_t device, bool pin) {
  std::lock_guard lock(mutex_);
  Entry* entry = FindEntry(device);
  if (!entry) return nullptr;
  entry->pinned |= pin;
  return entry->copy;
}

RCReference<TensorState> CopySet::FindOrAdd(RCReference<TensorState> copy, bool pin) {
  std::lock_guard lock(mutex_);
  if (Entry* entry = FindEntry(copy->device())) {
    entry->pinned |= pin;
    return entry->copy;
  }
  entries_.push_back({copy, pin});
  return copy;
}

RCReference<TensorState> CopySet::Owner() const {
  std::lock_guard lock(mutex_);
  if (!owner_ || !owner_->TryAddRef()) return nullptr;
  return TakeRef(const_cast<TensorState*>(owner_));
}

bool CopySet::CutIfUnique() {
  std::lock_guard lock(mutex_);
  // Owner() adds references under the lock, all others are made of references.
  if (owner_ && !owner_->ReferenceCounted::IsUnique()) return false;
  owner_ = nullptr;
  return true;
}

void CopySet::EndOwner() {
  std::vector<Entry> entries;
  std::lock_guard lock(mutex_);
  owner_ = nullptr;
  entries.swap(entries_);
}

void CopySet::Drop(const ContextCore* core, const DeviceMemory* memory, bool available,
                   std::vector<RCReference<TensorState>>* dropped) {
  std::lock_guard lock(mutex_);
  std::erase_if(entries_, [&](Entry& entry) {
    const TensorState& copy = *entry.copy;
    if (entry.pinned || (core && copy.core() != core)) return false;
    if (memory && copy.core()->devices[copy.device()].memory.get() != memory) return false;
    if (available && !copy.value()->IsAvailable()) return false;
    dropped->push_back(std::move(entry.copy));
    return true;
  });
}

void CopyRegistry::Add(CopySet* set) {
  std::lock_guard lock(mutex_);
  set->next_ = first_;
  if (first_) first_->previous_ = set;
  first_ = set;
}

void CopyRegistry::Remove(CopySet* set) {
  std::lock_guard lock(mutex_);
  (set->previous_ ? set->previous_->next_ : first_) = set->next_;
  if (set->next_) set->next_->previous_ = set->previous_;
}

size_t CopyRegistry::DropCopies(const ContextCore* core, const DeviceMemory* memory,
                                bool available) {
  std::vector<RCReference<TensorState>> dropped;
  {
    std::lock_guard lock(mutex_);
    for (CopySet* set = first_; set; set = set->next_) set->Drop(core, memory, available, &dropped);
  }
  return dropped.size();
}

}  // namespace tfrt::eager
