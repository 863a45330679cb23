// PoolVector: a std::vector that allocates from the thread's pool of small blocks. Used for what a
// scheduled call holds.
#ifndef TFRT_LIB_BASE_ASYNC_POOL_VECTOR_H_
#define TFRT_LIB_BASE_ASYNC_POOL_VECTOR_H_

#include <cstddef>
#include <vector>

#include "tfrt/support/small_blocks.h"

namespace tfrt {

template <typename T>
struct PoolAllocator {
  using value_type = T;
  static_assert(alignof(T) <= 16);

  PoolAllocator() = default;
  template <typename U>
  PoolAllocator(const PoolAllocator<U>&) {}  // NOLINT: implicit by design

  T* allocate(size_t count) {
    return static_cast<T*>(tfrt::internal::AllocateSmall(count * sizeof(T)));
  }
  void deallocate(T* block, size_t count) { tfrt::internal::FreeSmall(block, count * sizeof(T)); }
  friend bool operator==(const PoolAllocator&, const PoolAllocator&) { return true; }
};

template <typename T>
using PoolVector = std::vector<T, PoolAllocator<T>>;

}  // namespace tfrt

#endif  // TFRT_LIB_BASE_ASYNC_POOL_VECTOR_H_
