// SmallBlockAllocator serves small requests from the thread's pool of small blocks, others from
// another allocator. It makes one-element results cheap.
#ifndef TFRT_LIB_API_EAGER_SMALL_BLOCK_ALLOCATOR_H_
#define TFRT_LIB_API_EAGER_SMALL_BLOCK_ALLOCATOR_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "tfrt/host_context/host_allocator.h"
#include "tfrt/support/small_blocks.h"

namespace tfrt::eager {

// Thread-safe.
class SmallBlockAllocator final : public HostAllocator {
 public:
  // `large` must outlive this. `make_room` (may be empty) is called when `large` has no memory
  // left, and says if it is worth another try.
  explicit SmallBlockAllocator(HostAllocator* large, std::function<bool()> make_room = {})
      : large_(large), make_room_(std::move(make_room)) {}

  void* AllocateBytes(size_t size_bytes, size_t alignment) override {
    if (size_bytes > kMaxSize) {
      void* block = large_->AllocateBytes(size_bytes, alignment);
      if (block || !make_room_ || !make_room_()) [[likely]]
        return block;
      return large_->AllocateBytes(size_bytes, alignment);
    }
    if (alignment > kAlignment) [[unlikely]]
      return AllocateAligned(size_bytes, alignment);
    // Pool blocks are aligned by 16. There is an aligned place 16 to 64 bytes after the start, and
    // room before it for a pointer back.
    char* block = static_cast<char*>(tfrt::internal::AllocateSmall(size_bytes + kAlignment));
    auto address = reinterpret_cast<uintptr_t>(block);
    char* aligned = block + ((address + 16 + kAlignment - 1) / kAlignment * kAlignment - address);
    reinterpret_cast<char**>(aligned)[-1] = block;
    return aligned;
  }
  void DeallocateBytes(void* memory, size_t size_bytes) override {
    if (size_bytes > kMaxSize) return large_->DeallocateBytes(memory, size_bytes);
    char* block = static_cast<char**>(memory)[-1];
    if (reinterpret_cast<uintptr_t>(block) & kIsLarge) [[unlikely]]
      return DeallocateAligned(static_cast<char*>(memory), block - kIsLarge, size_bytes);
    tfrt::internal::FreeSmall(block, size_bytes + kAlignment);
  }

 private:
  // Serves an op's scratch memory; tensors do not need this alignment. It leaves as much room
  // before the place as the alignment, and marks the pointer back.
  void* AllocateAligned(size_t size_bytes, size_t alignment) {
    if (alignment > SIZE_MAX - size_bytes) return nullptr;
    auto allocate = [&] {
      return static_cast<char*>(large_->AllocateBytes(size_bytes + alignment, alignment));
    };
    char* block = allocate();
    if (!block && make_room_ && make_room_()) block = allocate();
    if (!block) return nullptr;
    char* aligned = block + alignment;
    reinterpret_cast<char**>(aligned)[-1] = block + kIsLarge;
    return aligned;
  }
  void DeallocateAligned(char* memory, char* block, size_t size_bytes) {
    large_->DeallocateBytes(block, size_bytes + static_cast<size_t>(memory - block));
  }

  static constexpr uintptr_t kIsLarge = 1;
  static constexpr size_t kAlignment = 64;
  static constexpr size_t kMaxSize = 256 - kAlignment;
  HostAllocator* large_;
  const std::function<bool()> make_room_;
};

}  // namespace tfrt::eager

#endif  // TFRT_LIB_API_EAGER_SMALL_BLOCK_ALLOCATOR_H_
