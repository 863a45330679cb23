// Memory of the host that commands in flight use: what a call may poison, and what the host
// changed.
#ifndef TFRT_TEST_GPU_VENDOR_DRIVER_PENDING_USES_H_
#define TFRT_TEST_GPU_VENDOR_DRIVER_PENDING_USES_H_

#include <cstddef>
#include <cstdint>

#include "allocation.h"

namespace tfrt::gpu::cuda_double {

// All need the driver's lock.
inline void AddPendingUse(Allocation& allocation, uint64_t command, uint64_t begin, uint64_t end,
                          Allocation::PendingUse::Kind kind) {
  allocation.pending_uses.push_back({command, begin, end, kind});
}
inline void RemovePendingUses(Allocation& allocation, uint64_t command) {
  std::erase_if(allocation.pending_uses,
                [&](const Allocation::PendingUse& use) { return use.command == command; });
}
// Whether a command in flight may use, or, if `writes_only`, write one of the bytes.
inline bool HasPendingUse(const Allocation& allocation, uint64_t begin, uint64_t end,
                          bool writes_only) {
  for (const Allocation::PendingUse& use : allocation.pending_uses) {
    bool counts = !writes_only || use.kind != Allocation::PendingUse::Kind::kRead;
    if (counts && use.begin < end && begin < use.end) return true;
  }
  return false;
}

// Hashes bytes that may change while they are in flight: eight at a time, because every copy pays
// for it.
inline uint64_t HashBytes(uint64_t hash, const std::byte* bytes, size_t size_bytes) {
  constexpr uint64_t kPrime = 0x9e3779b97f4a7c15;
  for (; size_bytes >= 8; bytes += 8, size_bytes -= 8) {
    uint64_t word;
    __builtin_memcpy(&word, bytes, 8);
    hash = (hash ^ word) * kPrime;
    hash ^= hash >> 29;
  }
  for (; size_bytes > 0; ++bytes, --size_bytes) {
    hash = (hash ^ static_cast<uint64_t>(*bytes)) * kPrime;
  }
  return hash;
}

}  // namespace tfrt::gpu::cuda_double

#endif  // TFRT_TEST_GPU_VENDOR_DRIVER_PENDING_USES_H_
