#include "memory.h"

#include <vector>

#include "context.h"
#include "pinned_block.h"
#include "registered_memory.h"

namespace tfrt::gpu {

std::vector<Point> Memory::UsesOfBytes() const {
  std::vector<Point> points;
  if (kind_ == MemoryKind::kGlobal) {
    static_cast<const GlobalMemory*>(this)->AppendUses(&points);
  } else {
    uses_.ForEach([&](Point point) { points.push_back(point); });
  }
  return points;
}

void Memory::Free() {
  switch (kind_) {
    case MemoryKind::kDevice:
      return context_->allocator().Free(static_cast<Block*>(this));
    case MemoryKind::kPinned:
      return context_->pinned_pool().Free(static_cast<PinnedBlock*>(this));
    case MemoryKind::kRegistered:
    case MemoryKind::kForeign:
      return RegisteredMemory::Free(static_cast<RegisteredMemory*>(this));
    case MemoryKind::kGlobal:
      return GlobalMemory::Free(static_cast<GlobalMemory*>(this));
  }
}

}  // namespace tfrt::gpu
