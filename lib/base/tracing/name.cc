// A hash table of chains that only grow, so that looking up needs no lock.

#include "tfrt/tracing/name.h"

#include <atomic>
#include <cstring>
#include <mutex>
#include <new>

namespace tfrt::tracing {
namespace {

using internal::NameEntry;

constexpr size_t kBuckets = 4096;
constinit std::atomic<NameEntry*> buckets[kBuckets];
constinit std::mutex mutex;
constinit uint32_t num_names = 0;  // under the mutex
constinit NameEntry too_many_names{kTooManyNames, 0, nullptr};

// Eight bytes at a time, multiplicative.
uint64_t Hash(std::string_view text) {
  constexpr uint64_t kFactor = 0x9E3779B97F4A7C15u;
  uint64_t hash = text.size() * kFactor;
  const char* data = text.data();
  size_t left = text.size();
  for (; left >= 8; data += 8, left -= 8) {
    uint64_t word;
    std::memcpy(&word, data, 8);
    hash = (hash ^ word) * kFactor;
    hash ^= hash >> 32;
  }
  uint64_t word = 0;
  if (left > 0) std::memcpy(&word, data, left);
  hash = (hash ^ word) * kFactor;
  return hash ^ hash >> 29;
}

const NameEntry* Find(const NameEntry* entry, std::string_view text, uint64_t hash) {
  while (entry && (entry->hash != hash || entry->text != text)) entry = entry->next;
  return entry;
}

[[gnu::noinline]] const NameEntry* Add(std::string_view text, uint64_t hash) {
  std::lock_guard lock(mutex);
  std::atomic<NameEntry*>& bucket = buckets[hash % kBuckets];
  NameEntry* first = bucket.load(std::memory_order_relaxed);  // changes under the mutex only
  if (const NameEntry* found = Find(first, text, hash)) return found;
  if (num_names == kMaxNames) return &too_many_names;
  ++num_names;
  // Never freed: records may hold it.
  char* copy = static_cast<char*>(::operator new(text.size()));
  std::memcpy(copy, text.data(), text.size());
  auto* entry = new NameEntry{{copy, text.size()}, hash, first};
  // release: whoever finds the entry sees it whole.
  bucket.store(entry, std::memory_order_release);
  return entry;
}

}  // namespace

Name InternName(std::string_view text) {
  if (text.empty()) return Name();
  uint64_t hash = Hash(text);
  // acquire: pairs with the release of Add.
  const NameEntry* first = buckets[hash % kBuckets].load(std::memory_order_acquire);
  if (const NameEntry* entry = Find(first, text, hash)) [[likely]]
    return Name(entry);
  return Name(Add(text, hash));
}

}  // namespace tfrt::tracing
