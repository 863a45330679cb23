// Memory for AsyncValues and tasks: size-class free lists per thread in front of operator new. A
// block may be freed on another thread than the one that allocated it; it then joins that thread's
// list. Lists are bounded. They are returned to operator delete when their thread ends. Builds
// under address or thread sanitizer use plain operator new and delete instead, so that they see
// each block. The environment variable TFRT_SMALL_BLOCK_POOL=1 turns the lists on there.
#ifndef TFRT_SUPPORT_SMALL_BLOCKS_H_
#define TFRT_SUPPORT_SMALL_BLOCKS_H_

#include <cstddef>
#include <cstdint>

namespace tfrt::internal {

// Classes of 16, 32, ... 256 bytes; larger blocks have kNoSizeClass and are not kept.
inline constexpr size_t kSizeClassBytes = 16;
inline constexpr uint32_t kNumSizeClasses = 16;
inline constexpr uint32_t kNoSizeClass = 0xFF;

constexpr uint32_t SizeClassOf(size_t size_bytes) {
  size_t size_class = (size_bytes - 1) / kSizeClassBytes;
  return size_class < kNumSizeClasses ? static_cast<uint32_t>(size_class) : kNoSizeClass;
}

struct FreeBlock {
  FreeBlock* next;
};
struct FreeList {
  FreeBlock* head;
  int32_t room;  // how many more blocks the list may take; 0 initially, see FreeSmallSlow
};
// initial-exec: one instruction finds them, even in a shared library.
[[gnu::tls_model(
    "initial-exec")]] extern thread_local constinit FreeList free_lists[kNumSizeClasses];

// Returns whether blocks are kept. Otherwise all lists stay empty and have no room.
bool SmallBlockPoolIsOn();

void* AllocateSmallSlow(size_t size_bytes);
void FreeSmallSlow(void* block, uint32_t size_class);

// Returns a block from this thread's list, or null if that is empty.
inline void* TryAllocateSmall(size_t size_bytes) {
  uint32_t size_class = SizeClassOf(size_bytes);
  if (size_class != kNoSizeClass) {
    FreeList& list = free_lists[size_class];
    if (FreeBlock* block = list.head) [[likely]] {
      list.head = block->next;
      ++list.room;
      return block;
    }
  }
  return nullptr;
}

// Returns a 16-byte aligned block. Never fails: running out of memory ends the program.
inline void* AllocateSmall(size_t size_bytes) {
  if (void* block = TryAllocateSmall(size_bytes)) [[likely]]
    return block;
  return AllocateSmallSlow(size_bytes);
}

// Frees a block whose size has a class. `list_offset` is the offset of the class's list, in bytes.
inline void FreeSmallAt(void* block, uint32_t list_offset) {
  auto& list = *reinterpret_cast<FreeList*>(reinterpret_cast<char*>(free_lists) + list_offset);
  if (--list.room >= 0) [[likely]] {
    auto* free_block = static_cast<FreeBlock*>(block);
    free_block->next = list.head;
    list.head = free_block;
    return;
  }
  ++list.room;
  FreeSmallSlow(block, list_offset / static_cast<uint32_t>(sizeof(FreeList)));
}
static_assert(kNumSizeClasses * sizeof(FreeList) <= 256, "an offset fits in a byte");

// `size_bytes` is the size that was requested from AllocateSmall.
inline void FreeSmall(void* block, size_t size_bytes) {
  uint32_t size_class = SizeClassOf(size_bytes);
  if (size_class == kNoSizeClass) return FreeSmallSlow(block, size_class);
  FreeSmallAt(block, size_class * static_cast<uint32_t>(sizeof(FreeList)));
}

}  // namespace tfrt::internal

#endif  // TFRT_SUPPORT_SMALL_BLOCKS_H_
