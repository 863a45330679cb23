// KernelCache remembers that calls of one op with the same attributes, types and devices are valid,
// and where they run. CallCache is the part of it that a scope uses.
#ifndef TFRT_LIB_API_EAGER_KERNEL_CACHE_H_
#define TFRT_LIB_API_EAGER_KERNEL_CACHE_H_

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "lib/ops/op_call/call_sites.h"
#include "lib/ops/op_call/direct_call.h"
#include "lib/ops/op_call/op_runner.h"
#include "tfrt/core_runtime/op_attrs.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/location.h"
#include "tfrt/support/ref_count.h"

namespace tfrt::eager {

// Why an op runs where it does.
enum class PlacementReason : uint8_t {
  kResource,       // an input is a resource of that device
  kSmallIntegers,  // a few integers in host memory
  kHostResults,    // the host knows the results without the elements
  kScope,          // the scope says so
  kSoft,           // the context's options do not offer the op on the scope's device
  kSoftNoKernel,   // the scope's device has no kernel of the op
  kSoftNoDtype,    // ... of these dtypes
  kSoftByDesign,   // the scope's device leaves the op to the host
  kPriority,       // the first device in the list that has it
};

// Where an op runs.
struct Placement {
  static constexpr uint8_t kNotDirect = 0xFF;  // no device

  uint8_t device = 0;
  // The same if a call there is no more than one of the op's function (OpRunner::is_direct).
  uint8_t direct_device = 0;
  PlacementReason reason = PlacementReason::kPriority;
};

// The key of a call. A view: it borrows the arguments and attributes.
class CallKey {
 public:
  // An argument: its dtype, and its device times 256; kAbsent if it is left out.
  using Word = uint16_t;
  static constexpr Word kAbsent = 0xFFFF;
  static constexpr size_t kPacked = 4;  // so many arguments are one number

  static Word WordOf(DType dtype, uint8_t device) {
    return static_cast<Word>(static_cast<Word>(dtype) | device << 8);
  }

  // `packed`: the first kPacked arguments, 16 bits each; `rest`: the others. `call`: CallOf.
  CallKey(const OpDefinition& op, const OpAttrsRef& attrs, uint64_t packed, uint64_t call,
          std::span<const Word> rest = {})
      : op_(&op), attrs_(&attrs), packed_(packed), call_(call), rest_(rest) {}

  // `small_integers`: all arguments are, and lie in host memory.
  static uint64_t CallOf(size_t num_arguments, uint16_t scope_device, bool small_integers) {
    return num_arguments << 32 | uint64_t{scope_device} << 1 | small_integers;
  }

  const OpDefinition& op() const { return *op_; }
  const OpAttrsRef& attrs() const { return *attrs_; }
  uint64_t packed() const { return packed_; }
  std::span<const Word> rest() const { return rest_; }
  uint64_t call() const { return call_; }
  size_t num_arguments() const { return call_ >> 32; }
  Word argument(size_t index) const {
    return index < kPacked ? static_cast<Word>(packed_ >> 16 * index) : rest_[index - kPacked];
  }
  uint16_t scope_device() const { return static_cast<uint16_t>(call_ >> 1); }
  bool small_integers() const { return (call_ & 1) != 0; }

  uint64_t Hash() const {
    // Multiplicative, as in Fibonacci hashing.
    uint64_t hash = (packed_ ^ call_ << 48 ^ op_->id) * 0x9E3779B97F4A7C15u;
    for (Word word : rest_) hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    if (!attrs_->empty()) hash ^= attrs_->Hash();
    return hash ^ hash >> 32;
  }

 private:
  const OpDefinition* op_;
  const OpAttrsRef* attrs_;
  uint64_t packed_;
  uint64_t call_;  // the number of arguments, the scope's device, whether they are small integers
  std::span<const Word> rest_;
};

// A call that is known. Immutable but for its use.
struct KernelCacheEntry : ReferenceCounted<KernelCacheEntry> {
  KernelCacheEntry(const CallKey& key, uint64_t hash, Placement placement)
      : op(&key.op()),
        attrs(key.attrs().Freeze()),
        packed(key.packed()),
        call(key.call()),
        rest(key.rest().begin(), key.rest().end()),
        placement(placement),
        direct(DirectCallOf(key.op(), attrs)),  // shares them
        hash(hash) {}

  bool Matches(const CallKey& key) const {
    if (op != &key.op() || packed != key.packed() || call != key.call()) return false;
    if (!rest.empty() &&
        !std::equal(rest.begin(), rest.end(), key.rest().begin(), key.rest().end())) {
      return false;
    }
    return attrs.size() == key.attrs().size() && (attrs.empty() || attrs == key.attrs());
  }

  // Returns what the placement's device has prepared for such calls; null: nothing. The first call
  // makes it, and others wait for that.
  const std::shared_ptr<const PreparedOp>& Prepared(const OpPlace& place) const;

  const OpDefinition* const op;
  const OpAttrsRef attrs;  // frozen
  const uint64_t packed;
  const uint64_t call;
  const std::vector<CallKey::Word> rest;
  const Placement placement;
  const DirectCall direct;  // where the placement says that a call is no more than that

  // Tells whether it was used since the cache last looked for an entry to evict, or whether it was
  // evicted. All accesses are relaxed: it orders no other memory. An entry that is used once more
  // after its eviction is as true as before.
  enum class Use : uint8_t { kNone, kUsed, kOut };
  mutable std::atomic<Use> use{Use::kNone};

  // Used by the cache, under its mutex.
  const uint64_t hash;
  KernelCacheEntry* next = nullptr;

 private:
  mutable std::once_flag prepare_once_;
  mutable std::shared_ptr<const PreparedOp> prepared_;
};

// Holds what a context has found out about calls: at most `capacity` entries. When there are more,
// approximately the least recently used are evicted by the clock algorithm. A hand circulates and
// evicts the first entry that has not been used since its last visit. Thread-safe; takes a lock.
// Calls look into the CallCache of their scope first.
class KernelCache {
 public:
  explicit KernelCache(size_t capacity) : capacity_(capacity) {}
  ~KernelCache();
  KernelCache(const KernelCache&) = delete;
  KernelCache& operator=(const KernelCache&) = delete;

  // Null if there is none. `hash` is key.Hash().
  RCReference<const KernelCacheEntry> Find(const CallKey& key, uint64_t hash);
  // Remembers where the call runs, and returns the entry: another thread's, if that was faster.
  // Null if the capacity is 0, or the attributes take more than kMaxAttrBytes: constants, each of
  // which would stay in memory.
  RCReference<const KernelCacheEntry> Add(const CallKey& key, uint64_t hash, Placement placement);
  static constexpr size_t kMaxAttrBytes = 4096;

  size_t size() const;
  size_t capacity() const { return capacity_; }
  // How many entries have been left out so far. relaxed: a number.
  uint64_t num_evictions() const { return num_evictions_.load(std::memory_order_relaxed); }

 private:
  static constexpr size_t kBuckets = 1024;

  KernelCacheEntry* FindLocked(const CallKey& key, uint64_t hash);
  // Takes an entry out, and returns its place in `entries_`.
  size_t EvictOne();

  const size_t capacity_;
  mutable std::mutex mutex_;
  // Chains by hash, under mutex_.
  std::array<KernelCacheEntry*, kBuckets> buckets_ = {};
  std::vector<RCReference<KernelCacheEntry>> entries_;  // under mutex_
  size_t hand_ = 0;                                     // in entries_; under mutex_
  std::atomic<uint64_t> num_evictions_{0};              // written under mutex_
};

// Entries that the calls of one scope have found in the context's cache. With it the next calls
// take no lock and share no memory that another thread writes. Used by one thread at a time. An
// entry that was evicted from the context's cache is not found here either. It is released at the
// latest when a call is not found.
class CallCache {
 public:
  static constexpr size_t kSlots = 128;

  // Null if there is none. Valid until the next call.
  const KernelCacheEntry* Find(KernelCache& shared, const CallKey& key, uint64_t hash) {
    const KernelCacheEntry* entry = slots_[hash % kSlots].get();
    if (entry && entry->Matches(key)) [[likely]] {
      // Only where it changes something: other scopes read it, too.
      if (entry->use.load(std::memory_order_relaxed) == KernelCacheEntry::Use::kUsed) [[likely]]
        return entry;
      if (MarkUsed(*entry)) return entry;
    }
    return FindShared(shared, key, hash);
  }
  // Returns the entry of the last call of this op that was passed to SetLast, if it has this key
  // and no attributes; null otherwise. Cheaper than Find.
  const KernelCacheEntry* FindLast(const OpDefinition& op, uint64_t packed, uint64_t call) const {
    const KernelCacheEntry* entry = last_[op.id % kLast].get();
    const bool is_same = entry && entry->op == &op && entry->packed == packed &&
                         entry->call == call &&
                         entry->use.load(std::memory_order_relaxed) == KernelCacheEntry::Use::kUsed;
    return is_same ? entry : nullptr;
  }
  // Requires a call without attributes and with at most kPacked arguments.
  void SetLast(const KernelCacheEntry& entry) { last_[entry.op->id % kLast] = FormRef(&entry); }

  // Returns the entry of the last call at this place of the program that was passed to SetAt, if it
  // has this key; null otherwise. Cheaper than Find: it needs no hash of the attributes.
  const KernelCacheEntry* FindAt(Location where, const CallKey& key) const {
    const KernelCacheEntry* entry = places_[IndexOf(where)].entry.get();
    const bool is_same = entry && entry->Matches(key) &&
                         entry->use.load(std::memory_order_relaxed) == KernelCacheEntry::Use::kUsed;
    return is_same ? entry : nullptr;
  }
  void SetAt(Location where, const KernelCacheEntry& entry) {
    CallPlace& place = places_[IndexOf(where)];
    if (place.entry.get() == &entry) return;
    place.entry = FormRef(&entry);
    place.site.is_known = false;
  }
  // Returns what the last call of this entry at this place was like; null if another call has taken
  // the place's room since. Valid until the next call.
  CallSite* SiteAt(Location where, const KernelCacheEntry& entry) {
    CallPlace& place = places_[IndexOf(where)];
    return place.entry.get() == &entry ? &place.site : nullptr;
  }

  // The new entry; null if it is not remembered. Valid until the next call.
  const KernelCacheEntry* Add(KernelCache& shared, const CallKey& key, uint64_t hash,
                              Placement placement);

 private:
  // False if it is out.
  static bool MarkUsed(const KernelCacheEntry& entry);
  // Drops the entries that have left the cache since it did so last.
  void DropEvicted(const KernelCache& shared);
  // Puts what it finds in the place of what is there.
  const KernelCacheEntry* FindShared(KernelCache& shared, const CallKey& key, uint64_t hash);

  static constexpr size_t kLast = 64;
  static constexpr int kPlaceBits = 7;

  struct CallPlace {
    RCReference<const KernelCacheEntry> entry;
    CallSite site;  // of its last call here
  };
  // Multiplicative: the data of places in C++ are addresses of constants.
  static size_t IndexOf(Location where) {
    return where.data() * 0x9E3779B97F4A7C15u >> (64 - kPlaceBits);
  }

  std::array<RCReference<const KernelCacheEntry>, kSlots> slots_;
  std::array<RCReference<const KernelCacheEntry>, kLast> last_;  // by the op's number
  std::array<CallPlace, size_t{1} << kPlaceBits> places_;        // by IndexOf
  uint64_t num_evictions_ = 0;  // of the cache, when the evicted ones were dropped
};

}  // namespace tfrt::eager

#endif  // TFRT_LIB_API_EAGER_KERNEL_CACHE_H_
