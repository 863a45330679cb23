// KernelCache: what has been found out about calls of one op with the same attributes, types and
// devices: that they are valid, and where they run.
#ifndef TFRT_EAGER_KERNEL_CACHE_H_
#define TFRT_EAGER_KERNEL_CACHE_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "tfrt/core_runtime/op_attrs.h"
#include "tfrt/core_runtime/op_registry.h"

namespace tfrt::eager {

// Why an op runs where it does.
enum class PlacementReason : uint8_t {
  kResource,      // an input is a resource of that device
  kSmallIntegers,  // a few integers in host memory
  kScope,         // the scope says so
  kSoft,          // the scope's device does not have the op
  kPriority,      // the first device in the list that has it
};

// Where an op runs.
struct Placement {
  uint8_t device = 0;
  PlacementReason reason = PlacementReason::kPriority;
};

// What a call is known by. A view: it borrows the arguments and attributes.
struct CallKey {
  const OpDefinition* op = nullptr;
  const OpAttrsRef* attrs = nullptr;
  // One word per argument: its dtype, and its device times 256; kAbsent if it is left out.
  std::span<const uint16_t> arguments;
  uint16_t scope_device = 0;
  bool small_integers = false;  // all arguments are, and lie in host memory

  static constexpr uint16_t kAbsent = 0xFFFF;

  uint64_t Hash() const {
    uint64_t hash = op->id * 2 + small_integers + (uint64_t{scope_device} << 32);
    for (uint16_t argument : arguments) hash = (hash ^ argument) * 0x9E3779B97F4A7C15u;
    if (attrs->size() > 0) [[unlikely]] hash ^= attrs->Hash();
    return hash ^ hash >> 32;
  }
};

struct KernelCacheEntry {
  const OpDefinition* op;
  OpAttrsRef attrs;  // frozen
  std::vector<uint16_t> arguments;
  uint16_t scope_device;
  bool small_integers;
  uint64_t hash;

  Placement placement;

  KernelCacheEntry* next = nullptr;

  bool Matches(const CallKey& key) const {
    if (op != key.op || scope_device != key.scope_device || small_integers != key.small_integers ||
        arguments.size() != key.arguments.size()) {
      return false;
    }
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i] != key.arguments[i]) return false;
    }
    return attrs.size() == key.attrs->size() && (attrs.empty() || attrs == *key.attrs);
  }
};

// A hash table of chains that only grow, up to a number of entries: looking up takes no lock.
// Thread-safe. Entries live as long as the cache.
class KernelCache {
 public:
  explicit KernelCache(size_t capacity) : capacity_(capacity) {}
  ~KernelCache();
  KernelCache(const KernelCache&) = delete;
  KernelCache& operator=(const KernelCache&) = delete;

  // Null if there is none. `hash` is key.Hash().
  const KernelCacheEntry* Find(const CallKey& key, uint64_t hash) const {
    // acquire: sees what the entry's maker wrote.
    for (auto* entry = buckets_[hash % kBuckets].load(std::memory_order_acquire); entry;
         entry = entry->next) {
      if (entry->hash == hash && entry->Matches(key)) return entry;
    }
    return nullptr;
  }

  // Remembers where the call runs, unless another thread has done so, the cache is full, or the
  // attributes take more than kMaxAttrBytes: constants, each of which would stay in memory.
  void Add(const CallKey& key, uint64_t hash, Placement placement);
  static constexpr size_t kMaxAttrBytes = 4096;

  size_t size() const { return size_.load(std::memory_order_relaxed); }
  size_t capacity() const { return capacity_; }

 private:
  static constexpr size_t kBuckets = 1024;

  const size_t capacity_;
  std::array<std::atomic<KernelCacheEntry*>, kBuckets> buckets_ = {};
  std::mutex mutex_;
  std::atomic<size_t> size_{0};  // changed under mutex_
};

}  // namespace tfrt::eager

#endif  // TFRT_EAGER_KERNEL_CACHE_H_
