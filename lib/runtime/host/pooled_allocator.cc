#include "pooled_allocator.h"

#include <algorithm>
#include <bit>

namespace tfrt {

// Steps of 64 bytes up to 512, from there eight between a power of two and the next.
PooledAllocator::SizeClass PooledAllocator::ClassOf(size_t size_bytes) {
  const size_t size = std::max<size_t>(size_bytes, 1);
  if (size > size_t{1} << 62) return {0, 0};
  const size_t log = std::max<size_t>(static_cast<size_t>(std::bit_width(size - 1)), kMinLog);
  // Sizes of (2^(log-1), 2^log], the first group with those from 0 on.
  const size_t base = log == kMinLog ? 0 : size_t{1} << (log - 1);
  const size_t step = (log == kMinLog ? size_t{1} << log : base) / kStepsPerDoubling;
  const size_t steps = (size - base + step - 1) / step;
  return {(log - kMinLog) * kStepsPerDoubling + steps - 1, base + steps * step};
}

PooledAllocator::~PooledAllocator() { TrimTo(0); }

void* PooledAllocator::AllocateBytes(size_t size_bytes, size_t alignment) {
  if (alignment > kAlignment) return AllocateUnusual(size_bytes, alignment);
  const SizeClass size_class = ClassOf(size_bytes);
  if (size_class.bytes == 0) return nullptr;
  std::lock_guard lock(mutex_);
  void* block = free_[size_class.index];
  if (block) {
    free_[size_class.index] = static_cast<FreeBlock*>(block)->next;
    free_bytes_ -= size_class.bytes;
  } else {
    // Sizes that nobody asks for any more make room for new ones.
    TrimTo(statistics_.peak_bytes);
    block = upstream_->AllocateBytes(size_class.bytes, kAlignment);
    if (!block && free_bytes_ > 0) {
      TrimTo(0);
      block = upstream_->AllocateBytes(size_class.bytes, kAlignment);
    }
    if (!block) return nullptr;
    ++statistics_.upstream_requests;
    ++statistics_.blocks;
    statistics_.bytes += size_class.bytes;
  }
  ++statistics_.requests;
  bytes_in_use_ += size_class.bytes;
  statistics_.peak_bytes = std::max(statistics_.peak_bytes, bytes_in_use_);
  // relaxed: the caller has the allocator already.
  users_.fetch_add(1, std::memory_order_relaxed);
  return block;
}

void* PooledAllocator::AllocateUnusual(size_t size_bytes, size_t alignment) {
  void* block = upstream_->AllocateBytes(size_bytes, alignment);
  if (!block) return nullptr;
  std::lock_guard lock(mutex_);
  unusual_.push_back(block);
  ++statistics_.requests;
  ++statistics_.upstream_requests;
  users_.fetch_add(1, std::memory_order_relaxed);
  return block;
}

void PooledAllocator::DeallocateBytes(void* block, size_t size_bytes) {
  if (!block) return;
  {
    std::lock_guard lock(mutex_);
    auto unusual = std::ranges::find(unusual_, block);
    if (unusual != unusual_.end()) {
      unusual_.erase(unusual);
      upstream_->DeallocateBytes(block, size_bytes);
    } else {
      const SizeClass size_class = ClassOf(size_bytes);
      auto* free_block = static_cast<FreeBlock*>(block);
      free_block->next = free_[size_class.index];
      free_[size_class.index] = free_block;
      free_bytes_ += size_class.bytes;
      bytes_in_use_ -= size_class.bytes;
    }
  }
  DropUser();
}

// Gives back free blocks, the largest first, until so many bytes are left.
void PooledAllocator::TrimTo(size_t free_bytes) {
  for (size_t index = kNumClasses; index-- > 0 && free_bytes_ > free_bytes;) {
    if (!free_[index]) continue;
    const size_t group = index / kStepsPerDoubling, steps = index % kStepsPerDoubling + 1;
    const size_t base = group == 0 ? 0 : size_t{1} << (group + kMinLog - 1);
    const size_t step = (group == 0 ? size_t{1} << kMinLog : base) / kStepsPerDoubling;
    const size_t bytes = base + steps * step;
    while (free_[index] && free_bytes_ > free_bytes) {
      FreeBlock* block = free_[index];
      free_[index] = block->next;
      upstream_->DeallocateBytes(block, bytes);
      free_bytes_ -= bytes;
      --statistics_.blocks;
      statistics_.bytes -= bytes;
    }
  }
}

void PooledAllocator::Trim() {
  std::lock_guard lock(mutex_);
  TrimTo(0);
}

PooledAllocator::Statistics PooledAllocator::statistics() const {
  std::lock_guard lock(mutex_);
  return statistics_;
}

}  // namespace tfrt
