#include "pool.h"

#include <algorithm>
#include <utility>

namespace tfrt::gpu::cuda_double {
namespace {

constexpr uint64_t RoundUp(uint64_t size_bytes) {
  return (size_bytes + AddressSpace::kAlignment - 1) / AddressSpace::kAlignment *
         AddressSpace::kAlignment;
}

bool IsOrderedBehind(const VectorClock& clock, const Command& command) {
  return clock.Of(command.stamp.timeline) >= command.stamp.step;
}

uint64_t Take(Pool& pool, uint64_t begin, uint64_t capacity, uint64_t size_bytes) {
  pool.capacities[begin] = capacity;
  pool.used_bytes += size_bytes;
  pool.used_high = std::max(pool.used_high, pool.used_bytes);
  return begin;
}

bool HasRoom(const Pool& pool, uint64_t size_bytes) {
  const Device& device = *pool.device;
  uint64_t limit = pool.max_bytes > 0 ? pool.max_bytes : device.memory_bytes;
  return size_bytes <= limit && pool.reserved_bytes <= limit - size_bytes &&
         size_bytes <= device.memory_bytes && device.used_bytes <= device.memory_bytes - size_bytes;
}

}  // namespace

uint64_t TakeFromPool(Pool& pool, const VectorClock& clock, uint64_t size_bytes,
                      bool* reuses_block) {
  if (size_bytes > pool.device->memory_bytes) return 0;  // nor can it be rounded up
  uint64_t capacity = RoundUp(size_bytes);
  // The block that was freed last: what misses an edge meets the bytes that hurt most.
  for (size_t i = pool.free_blocks.size(); i-- > 0;) {
    const Pool::FreeBlock block = pool.free_blocks[i];
    if (block.capacity < capacity || block.capacity > 2 * capacity ||
        !IsOrderedBehind(clock, *block.freed_by)) {
      continue;
    }
    pool.free_blocks.erase(pool.free_blocks.begin() + static_cast<ptrdiff_t>(i));
    *reuses_block = true;
    return Take(pool, block.begin, block.capacity, size_bytes);
  }
  *reuses_block = false;
  if (!HasRoom(pool, capacity)) return 0;
  uint64_t begin = pool.device->addresses.Reserve(capacity);
  if (begin == 0) return 0;
  pool.device->used_bytes += capacity;
  pool.reserved_bytes += capacity;
  pool.reserved_high = std::max(pool.reserved_high, pool.reserved_bytes);
  return Take(pool, begin, capacity, size_bytes);
}

void ReturnToPool(Pool& pool, uint64_t address, uint64_t size_bytes,
                  std::shared_ptr<Command> freed_by) {
  auto found = pool.capacities.find(address);
  pool.free_blocks.push_back({address, found->second, std::move(freed_by)});
  pool.capacities.erase(found);
  pool.used_bytes -= size_bytes;
}

void TrimPool(Pool& pool, uint64_t keep_bytes) {
  for (size_t i = 0; i < pool.free_blocks.size() && pool.reserved_bytes > keep_bytes;) {
    const Pool::FreeBlock& block = pool.free_blocks[i];
    if (!block.freed_by->done) {
      ++i;
      continue;
    }
    pool.device->addresses.Release(block.begin, block.capacity);
    pool.device->used_bytes -= block.capacity;
    pool.reserved_bytes -= block.capacity;
    pool.free_blocks.erase(pool.free_blocks.begin() + static_cast<ptrdiff_t>(i));
  }
}

}  // namespace tfrt::gpu::cuda_double
