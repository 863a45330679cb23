// BlockCache: blocks of device memory that a stream has used last, by size. A stream most often
// requests again what it has just freed.
#ifndef TFRT_GPU_RUNTIME_BLOCK_CACHE_H_
#define TFRT_GPU_RUNTIME_BLOCK_CACHE_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "gpu/abi/cuda_types.h"
#include "memory.h"
#include "point.h"

namespace tfrt::gpu {

struct Segment;
class Stream;

// The sizes of blocks: eight per power of two, so that at most an eighth of a block is unused. All
// are multiples of 256 bytes. The smallest size is larger than typical overruns of small arrays by
// a few elements.
struct SizeClass {
  static constexpr size_t kMinBytes = 2048;
  static constexpr uint32_t kMinLog = 11;
  static constexpr uint32_t kNumClasses = (47 - kMinLog) * 8 + 1;  // up to 2^47 bytes
  static constexpr size_t kMaxBytes = size_t{1} << 47;

  uint32_t index;
  size_t block_bytes;

  // `size_bytes` must not exceed kMaxBytes.
  static SizeClass Of(size_t size_bytes) {
    if (size_bytes <= kMinBytes) return {0, kMinBytes};
    uint32_t log = static_cast<uint32_t>(std::bit_width(size_bytes - 1)) - 1;
    size_t eighth = (size_bytes - 1 - (size_t{1} << log)) >> (log - 3);  // 0 to 7
    return {(log - kMinLog) * 8 + static_cast<uint32_t>(eighth) + 1,
            (size_t{1} << log) + ((eighth + 1) << (log - 3))};
  }
};

// A piece of a segment: in use, in the cache of a stream, or in the allocator's pool. Its memory is
// reused only after its uses.
class Block final : public Memory {
 public:
  cuda::CUdeviceptr begin() const { return begin_; }
  size_t block_bytes() const { return block_bytes_; }

 private:
  friend class BlockCache;
  friend class BlockPool;
  friend class DeviceAllocator;
  friend class Memory;

  explicit Block(Context* context) : Memory(MemoryKind::kDevice, context) {}

  cuda::CUdeviceptr begin_ = 0;
  size_t block_bytes_ = 0;
  Segment* segment_ = nullptr;  // null: an empty block
  Stream* stream_ = nullptr;    // the stream that it was allocated for
  uint32_t size_class_ = 0;     // of a block in use or in a cache
  uint64_t allocated_at_ = 0;   // number of the command of stream_ before its allocation
  bool has_one_user_ = true;    // for a block in a cache: only the cache's stream has used it
  bool is_pooled_ = false;      // under the allocator's lock
  // Neighbours in the segment, guarded by the allocator's lock.
  Block* before_ = nullptr;
  Block* behind_ = nullptr;
  // Links of the list of a cache.
  Block* older_ = nullptr;
  Block* newer_ = nullptr;
};

// The cache of one stream. Not thread-safe: guarded by the stream's lock.
class BlockCache {
 public:
  void Put(Block* block) {
    List& list = lists_[block->size_class_];
    block->newer_ = nullptr;
    block->older_ = list.newest;
    (list.newest ? list.newest->newer_ : list.oldest) = block;
    list.newest = block;
  }
  // Returns the newest block of the class whose uses precede the stream's next command, or null.
  // The clock `seen` holds the points that the stream has waited for.
  Block* Acquire(uint32_t size_class, uint32_t stream, const Clock& seen) {
    Block* block = lists_[size_class].newest;
    if (!block) return nullptr;
    if (!block->has_one_user_) [[unlikely]] {
      block = FindSeen(block, stream, seen);
      if (!block) return nullptr;
    }
    Remove(block);
    return block;
  }
  // For another stream, which has seen the owner's commands up to `seen`. Returns the oldest block
  // of the class if only the owner has used it and those uses have been seen. Otherwise returns
  // null.
  Block* TakeOldest(uint32_t size_class, uint32_t owner, uint64_t seen);
  // Returns all blocks, in a list by older_.
  Block* TakeAll();

 private:
  struct List {
    Block* newest = nullptr;
    Block* oldest = nullptr;
  };

  static Block* FindSeen(Block* newest, uint32_t stream, const Clock& seen);
  void Remove(Block* block) {
    List& list = lists_[block->size_class_];
    (block->newer_ ? block->newer_->older_ : list.newest) = block->older_;
    (block->older_ ? block->older_->newer_ : list.oldest) = block->newer_;
  }

  std::array<List, SizeClass::kNumClasses> lists_;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_BLOCK_CACHE_H_
