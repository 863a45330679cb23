#include "tfrt/support/small_blocks.h"

#include <cstdlib>
#include <string_view>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TFRT_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TFRT_SANITIZED 1
#endif
#endif

namespace tfrt::internal {

[[gnu::tls_model("initial-exec")]] thread_local constinit FreeList free_lists[kNumSizeClasses] = {};

bool SmallBlockPoolIsOn() {
#ifdef TFRT_SANITIZED
  static const bool on = [] {
    const char* setting = std::getenv("TFRT_SMALL_BLOCK_POOL");
    return setting != nullptr && std::string_view(setting) == "1";
  }();
  return on;
#else
  return true;
#endif
}

void* AllocateSmallSlow(size_t size_bytes) {
  uint32_t size_class = SizeClassOf(size_bytes);
  if (!SmallBlockPoolIsOn() || size_class == kNoSizeClass) return ::operator new(size_bytes);
  return ::operator new((size_class + 1) * kSizeClassBytes);
}

namespace {

// Bytes that a list may hold: enough for the values of large graphs, most of which are small.
constexpr size_t kMaxBytes = 512 * 1024;
constexpr size_t kMaxBytesOfLargeBlocks = 128 * 1024;
constexpr size_t kLargeBlock = 64;

constexpr int32_t MaxBlocks(uint32_t size_class) {
  size_t block = (size_class + 1) * kSizeClassBytes;
  return static_cast<int32_t>((block > kLargeBlock ? kMaxBytesOfLargeBlocks : kMaxBytes) / block);
}

// The life of a thread's lists. They are trivially destructible, so that values dropped late in
// thread exit still find them; the releaser empties them and leaves them without room for good.
enum class ListsState : uint8_t { kUntouched, kOpen, kClosed };
thread_local constinit ListsState lists_state = ListsState::kUntouched;

struct Releaser {
  ~Releaser() {
    lists_state = ListsState::kClosed;
    for (FreeList& list : free_lists) {
      list.room = 0;
      while (FreeBlock* block = list.head) {
        list.head = block->next;
        ::operator delete(block);
      }
    }
  }
};

void OpenLists() {
  static thread_local Releaser releaser;
  (void)&releaser;  // its first use on a thread arranges for its destruction
  lists_state = ListsState::kOpen;
  for (uint32_t c = 0; c < kNumSizeClasses; ++c) free_lists[c].room = MaxBlocks(c);
}

}  // namespace

void FreeSmallSlow(void* block, uint32_t size_class) {
  bool untouched = lists_state == ListsState::kUntouched;
  if (!SmallBlockPoolIsOn() || size_class == kNoSizeClass || !untouched) {
    ::operator delete(block);
    return;
  }
  OpenLists();
  FreeSmallAt(block, size_class * static_cast<uint32_t>(sizeof(FreeList)));
}

}  // namespace tfrt::internal
