#include "buffer_pool.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace tfrt::gpu {

BufferPool::~BufferPool() {
  for (const Buffer& buffer : free_) std::free(buffer.data);
}

void BufferPool::SetLimits(size_t buffer_bytes, size_t max_buffers) {
  std::vector<Buffer> old;
  {
    std::lock_guard lock(mutex_);
    buffer_bytes_ = std::max(kAlignment, (buffer_bytes + kAlignment - 1) & ~(kAlignment - 1));
    max_buffers_ = max_buffers;
    num_refused_ = 0;
    old.swap(free_);
  }
  for (const Buffer& buffer : old) std::free(buffer.data);
}

std::span<uint8_t> BufferPool::Acquire() {
  std::lock_guard lock(mutex_);
  Buffer buffer;
  if (!free_.empty()) {
    buffer = free_.back();
    free_.pop_back();
  } else if (taken_.size() < max_buffers_) {
    buffer = {static_cast<uint8_t*>(std::aligned_alloc(kAlignment, buffer_bytes_)), buffer_bytes_};
  }
  if (!buffer.data) {
    ++num_refused_;
    return {};
  }
  taken_.push_back(buffer);
  return {buffer.data, buffer.size};
}

void BufferPool::PutFull(uint8_t* buffer, size_t valid_bytes) {
  std::lock_guard lock(mutex_);
  auto found = std::ranges::find(taken_, buffer, &Buffer::data);
  if (found == taken_.end()) return;
  if (valid_bytes == 0) {
    GiveBackLocked(buffer);
  } else {
    full_.push_back({buffer, std::min(valid_bytes, found->size)});
  }
}

std::vector<std::span<const uint8_t>> BufferPool::TakeFull() {
  std::lock_guard lock(mutex_);
  return std::exchange(full_, {});
}

void BufferPool::GiveBack(const uint8_t* buffer) {
  std::lock_guard lock(mutex_);
  GiveBackLocked(buffer);
}

void BufferPool::GiveBackLocked(const uint8_t* buffer) {
  auto found = std::ranges::find(taken_, buffer, &Buffer::data);
  if (found == taken_.end()) return;
  const Buffer given = *found;
  taken_.erase(found);
  if (given.size == buffer_bytes_) {
    free_.push_back(given);
  } else {
    std::free(given.data);  // of other limits
  }
}

uint64_t BufferPool::num_refused() const {
  std::lock_guard lock(mutex_);
  return num_refused_;
}

}  // namespace tfrt::gpu
