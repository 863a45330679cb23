#include "limited_allocator.h"

namespace tfrt::serve {

void* LimitedAllocator::AllocateBytes(size_t size_bytes, size_t alignment) {
  const size_t before = bytes_.fetch_add(size_bytes, std::memory_order_relaxed);
  void* block = nullptr;
  if (before <= max_bytes_ && size_bytes <= max_bytes_ - before) {
    block = upstream_->AllocateBytes(size_bytes, alignment);
  } else {
    has_refused_.store(true, std::memory_order_relaxed);
  }
  if (block) {
    // relaxed: the caller has the allocator already.
    users_.fetch_add(1, std::memory_order_relaxed);
  } else {
    bytes_.fetch_sub(size_bytes, std::memory_order_relaxed);
  }
  return block;
}

void LimitedAllocator::DeallocateBytes(void* block, size_t size_bytes) {
  if (!block) return;
  upstream_->DeallocateBytes(block, size_bytes);
  bytes_.fetch_sub(size_bytes, std::memory_order_relaxed);
  DropUser();
}

}  // namespace tfrt::serve
