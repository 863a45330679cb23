#include "case.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
// relaxed: a statistic, read by the thread that allocates.
std::atomic<uint64_t> num_allocations{0};
}  // namespace

// Counts what the C++ library and the project allocate.
void* operator new(size_t size) {
  num_allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* block = std::malloc(size != 0 ? size : 1)) return block;
  throw std::bad_alloc();
}
void* operator new(size_t size, std::align_val_t alignment) {
  num_allocations.fetch_add(1, std::memory_order_relaxed);
  size_t align = static_cast<size_t>(alignment);
  if (void* block = std::aligned_alloc(align, (size + align - 1) / align * align)) return block;
  throw std::bad_alloc();
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, size_t) noexcept { std::free(block); }
void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete(void* block, size_t, std::align_val_t) noexcept { std::free(block); }

namespace tfrt::bench {

uint64_t NumAllocations() { return num_allocations.load(std::memory_order_relaxed); }

}  // namespace tfrt::bench
