#include "memory_map.h"

#include <iterator>
#include <utility>

namespace tfrt::gpu::cuda_double {

void MemoryMap::Add(std::shared_ptr<Allocation> allocation) {
  uint64_t begin = allocation->begin;
  blocks_[begin] = std::move(allocation);
}

std::shared_ptr<Allocation> MemoryMap::FindBegin(uint64_t address) const {
  auto found = blocks_.find(address);
  return found == blocks_.end() ? nullptr : found->second;
}

std::shared_ptr<Allocation> MemoryMap::Find(uint64_t address) const {
  auto found = blocks_.upper_bound(address);
  if (found == blocks_.begin()) return nullptr;
  --found;
  return found->second->Holds(address, 1) ? found->second : nullptr;
}

bool MemoryMap::Overlaps(uint64_t begin, uint64_t size_bytes) const {
  auto next = blocks_.lower_bound(begin);
  if (next != blocks_.end() && next->first - begin < size_bytes) return true;
  return next != blocks_.begin() && std::prev(next)->second->Holds(begin, 1);
}

}  // namespace tfrt::gpu::cuda_double
