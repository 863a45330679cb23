// AskForLargePages: fewer page faults for large blocks of memory.
#ifndef TFRT_LIB_BASE_SUPPORT_LARGE_PAGES_H_
#define TFRT_LIB_BASE_SUPPORT_LARGE_PAGES_H_

#include <cstddef>
#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace tfrt {

inline constexpr size_t kLargePageBytes = size_t{2} << 20;

// The kernel gives a new block its pages at the first touch, one fault each. For the sum of two
// tensors of 40 MB these faults take twice as long as the additions. Pages of 2 MB make them rare.
// Where there are none, the request changes nothing. Programs that are built for size do without.
inline void AskForLargePages([[maybe_unused]] void* block, [[maybe_unused]] size_t size_bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE) && !defined(__OPTIMIZE_SIZE__)
  constexpr uintptr_t kPageBytes = 4096;
  if (!block || size_bytes < kLargePageBytes) return;
  const uintptr_t begin = (reinterpret_cast<uintptr_t>(block) + kPageBytes - 1) & -kPageBytes;
  const uintptr_t end = (reinterpret_cast<uintptr_t>(block) + size_bytes) & -kPageBytes;
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

}  // namespace tfrt

#endif  // TFRT_LIB_BASE_SUPPORT_LARGE_PAGES_H_
