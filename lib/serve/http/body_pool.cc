#include "lib/serve/http/body_pool.h"

#include <bit>
#include <new>
#include <utility>

namespace tfrt::serve::http {
namespace {

constexpr std::align_val_t kBodyAlignment{BodyBlock::kAlignment};

// Rounds up to a quarter of a power of two, so that sizes that are nearly equal share blocks.
size_t CapacityFor(size_t size) {
  if (size < BodyPool::kSmallestKept) return (size + 63) & ~size_t{63};
  const size_t step = std::bit_floor(size) / 4;
  return (size + step - 1) / step * step;
}

}  // namespace

BodyPool::~BodyPool() {
  for (const Kept& kept : kept_) ::operator delete(kept.block, kBodyAlignment);
}

BodyBlock::~BodyBlock() {
  pool_->in_use_.fetch_sub(used_, std::memory_order_relaxed);
  pool_->Free(data_, capacity_);
}

bool BodyBlock::Use(size_t num_bytes) {
  if (pool_->in_use_.fetch_add(num_bytes, std::memory_order_relaxed) + num_bytes >
      pool_->max_bytes_) {
    pool_->in_use_.fetch_sub(num_bytes, std::memory_order_relaxed);
    return false;
  }
  used_ += num_bytes;
  return true;
}

std::shared_ptr<BodyBlock> BodyPool::Allocate(size_t size) {
  const size_t bytes = CapacityFor(size);
  std::byte* block = nullptr;
  if (bytes >= kSmallestKept) {
    std::lock_guard lock(mutex_);
    for (size_t i = kept_.size(); i-- > 0;) {
      if (kept_[i].capacity != bytes) continue;
      block = kept_[i].block;
      kept_bytes_ -= bytes;
      kept_.erase(kept_.begin() + static_cast<ptrdiff_t>(i));
      break;
    }
  }
  if (!block) {
    block = static_cast<std::byte*>(::operator new(bytes, kBodyAlignment, std::nothrow));
  }
  return block ? std::make_shared<BodyBlock>(shared_from_this(), block, bytes) : nullptr;
}

void BodyPool::Free(std::byte* block, size_t capacity) {
  std::vector<Kept> dropped;
  if (capacity >= kSmallestKept && capacity <= max_kept_bytes_) {
    std::lock_guard lock(mutex_);
    kept_.push_back({block, capacity});
    kept_bytes_ += capacity;
    // The oldest ones are dropped, so that sizes that are in use displace those that were.
    size_t num_dropped = 0;
    while (kept_bytes_ > max_kept_bytes_) kept_bytes_ -= kept_[num_dropped++].capacity;
    const auto end = kept_.begin() + static_cast<ptrdiff_t>(num_dropped);
    dropped.assign(kept_.begin(), end);
    kept_.erase(kept_.begin(), end);
  } else {
    dropped.push_back({block, capacity});
  }
  for (const Kept& kept : dropped) ::operator delete(kept.block, kBodyAlignment);
}

}  // namespace tfrt::serve::http
