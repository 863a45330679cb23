#include "tfrt/async/value_allocator.h"

#include <cstdint>
#include <new>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TFRT_SMALL_BLOCK_POOL 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TFRT_SMALL_BLOCK_POOL 0
#endif
#endif
#ifndef TFRT_SMALL_BLOCK_POOL
#define TFRT_SMALL_BLOCK_POOL 1
#endif

namespace tfrt::internal {

#if TFRT_SMALL_BLOCK_POOL
namespace {

constexpr size_t kClassBytes = 16;  // classes of 16, 32, ... 256 bytes
constexpr size_t kNumClasses = 16;
constexpr uint32_t kMaxBlocksPerClass = 512;

struct FreeBlock {
  FreeBlock* next;
};
struct FreeList {
  FreeBlock* head;
  uint32_t count;
};

// Trivially destructible, so that values dropped late in thread exit still find it; the
// releaser below empties it and closes it for good.
thread_local constinit FreeList free_lists[kNumClasses] = {};
thread_local constinit bool closed = false;

struct Releaser {
  bool armed = true;
  ~Releaser() {
    closed = true;
    for (FreeList& list : free_lists) {
      while (FreeBlock* block = list.head) {
        list.head = block->next;
        ::operator delete(block);
      }
      list.count = 0;
    }
  }
};

void ArmReleaser() {
  thread_local Releaser releaser;
  releaser.armed = true;
}

size_t ClassOf(size_t size_bytes) { return (size_bytes - 1) / kClassBytes; }

}  // namespace

void* AllocateSmall(size_t size_bytes) {
  size_t size_class = ClassOf(size_bytes);
  if (size_class < kNumClasses) {
    FreeList& list = free_lists[size_class];
    if (FreeBlock* block = list.head) {
      list.head = block->next;
      --list.count;
      return block;
    }
    return ::operator new((size_class + 1) * kClassBytes);
  }
  return ::operator new(size_bytes);
}

void FreeSmall(void* block, size_t size_bytes) {
  size_t size_class = ClassOf(size_bytes);
  if (size_class < kNumClasses) {
    FreeList& list = free_lists[size_class];
    if (list.count < kMaxBlocksPerClass && !closed) {
      if (list.count == 0) ArmReleaser();
      auto* free_block = static_cast<FreeBlock*>(block);
      free_block->next = list.head;
      list.head = free_block;
      ++list.count;
      return;
    }
  }
  ::operator delete(block);
}

#else

void* AllocateSmall(size_t size_bytes) { return ::operator new(size_bytes); }
void FreeSmall(void* block, size_t) { ::operator delete(block); }

#endif

}  // namespace tfrt::internal
