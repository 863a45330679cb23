#include "call_sites.h"

#include <algorithm>
#include <bit>

namespace tfrt {

bool CallSite::Recall(std::span<const TensorMetadata* const> given,
                      std::span<TensorMetadata> made) const {
  const bool is_like = is_known && elements.empty() && arguments.size() == given.size() &&
                       results.size() == made.size();
  if (!is_like) return false;
  for (size_t i = 0; i < given.size(); ++i) {
    const bool is_same =
        given[i] ? *given[i] == arguments[i] : arguments[i].dtype == DType::kUnsupported;
    if (!is_same) return false;
  }
  std::ranges::copy(results, made.begin());
  return true;
}

void CallSite::Remember(std::span<const TensorMetadata* const> given,
                        std::span<const TensorMetadata> made) {
  arguments.resize(given.size());
  for (size_t i = 0; i < given.size(); ++i) {
    arguments[i] = given[i] ? *given[i] : TensorMetadata();
  }
  elements.clear();
  num_results = made.size();
  results.assign(made.begin(), made.end());
  facts = {};
  is_known = true;
}

CallSites::CallSites(size_t num_kernels)
    : mask_(std::bit_ceil(2 * std::max<size_t>(num_kernels, 1)) - 1),
      entries_(new Entry[mask_ + 1]) {}

CallSites::Lease CallSites::Take(const void* key) {
  // Keys are addresses in one array; multiplicative hashing spreads them.
  size_t index = (reinterpret_cast<uintptr_t>(key) * 0x9E3779B97F4A7C15u) >> 32;
  for (size_t probes = 0; probes <= mask_; ++probes, ++index) {
    Entry& entry = entries_[index & mask_];
    // relaxed: a key alone says nothing of the entry's contents, which is_taken hands over. A key
    // never changes once it is set.
    const void* found = entry.key.load(std::memory_order_relaxed);
    if (!found && entry.key.compare_exchange_strong(found, key, std::memory_order_relaxed)) {
      found = key;
    }
    if (found != key) continue;
    // acquire: sees what the call before has written.
    return entry.is_taken.exchange(true, std::memory_order_acquire) ? Lease() : Lease(&entry);
  }
  return {};
}

}  // namespace tfrt
