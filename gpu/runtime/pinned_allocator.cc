#include "pinned_allocator.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <iterator>
#include <utility>

#include "context.h"
#include "pinned_pool.h"

namespace tfrt::gpu {

PinnedAllocator::~PinnedAllocator() { assert(blocks_.empty() && "a tensor outlives its device"); }

void* PinnedAllocator::AllocateBytes(size_t size_bytes, size_t alignment) {
  assert(alignment <= PinnedPool::kMinBytes);
  // A block without bytes has no address.
  StatusOr<RCReference<Memory>> memory = context_.AllocatePinned(std::max<size_t>(size_bytes, 1));
  if (!memory.ok()) return nullptr;
  void* block = (*memory)->host_address();
  std::lock_guard lock(mutex_);
  const cuda::CUdeviceptr address = (*memory)->address();
  blocks_.emplace(address, *std::move(memory));
  return block;
}

void PinnedAllocator::DeallocateBytes(void* block, size_t) {
  RCReference<Memory> memory;  // is freed under no lock
  std::lock_guard lock(mutex_);
  auto found = blocks_.find(reinterpret_cast<uintptr_t>(block));
  assert(found != blocks_.end() && "memory of another allocator");
  memory = std::move(found->second);
  blocks_.erase(found);
}

MemoryRange PinnedAllocator::Find(const void* address, size_t size_bytes) const {
  const cuda::CUdeviceptr begin = reinterpret_cast<uintptr_t>(address);
  std::lock_guard lock(mutex_);
  auto next = blocks_.upper_bound(begin);
  if (next == blocks_.begin()) return {};
  Memory& memory = *std::prev(next)->second;
  const size_t offset = begin - memory.address();
  if (offset > memory.size_bytes() || size_bytes > memory.size_bytes() - offset) return {};
  return memory.Bytes(offset, size_bytes);
}

}  // namespace tfrt::gpu
