// BlockPool: the segments of an allocator, and the blocks in them that no stream has in its cache.
#ifndef TFRT_GPU_RUNTIME_BLOCK_POOL_H_
#define TFRT_GPU_RUNTIME_BLOCK_POOL_H_

#include <cstddef>
#include <memory>
#include <set>
#include <vector>

#include "block_cache.h"
#include "stream.h"

namespace tfrt::gpu {

// Memory as the driver gave it, cut into blocks from the first to the last.
struct Segment {
  cuda::CUdeviceptr begin;
  size_t size_bytes;
  bool is_small;  // for small blocks, as long as there is a choice
  Block* first;
};

// Neighbours that are free become one block if the same stream has used them last, or if nobody
// uses them any more. Not thread-safe.
class BlockPool {
 public:
  explicit BlockPool(Context* context) : context_(context) {}
  // All blocks are in the pool, and the driver has the segments back.
  ~BlockPool();
  BlockPool(const BlockPool&) = delete;
  BlockPool& operator=(const BlockPool&) = delete;

  size_t num_segments() const { return segments_.size(); }
  // A segment, as one block that is not in the pool.
  Block* AddSegment(cuda::CUdeviceptr begin, size_t size_bytes, bool is_small);
  // Whether there is a segment of which all blocks are in the pool, used by commands or not.
  bool HasUnallocatedSegment() const;
  // Takes the segments of which no block is in use; the driver is to get them back.
  std::vector<std::unique_ptr<Segment>> TakeFreeSegments();
  // Takes all. All blocks are in the pool.
  std::vector<std::unique_ptr<Segment>> TakeAllSegments();
  // Puts what is behind the first `block_bytes` of a block that is not in the pool there, if that
  // is enough for a block.
  void Cut(Block* block, size_t block_bytes);

  void Insert(Block* block);
  // Takes the smallest block in segments of the kind that has at least `least_bytes`. The stream
  // must be ordered after the block's uses; if `stream` is null, any uses are allowed. The part
  // beyond `block_bytes` stays. Null if there is none.
  Block* Acquire(const Stream* stream, size_t least_bytes, size_t block_bytes, bool is_small);
  // Appends what uses blocks still.
  void AppendUses(std::vector<Point>* points) const;
  // Makes one of neighbours whose uses have ended since they came.
  void Merge();

 private:
  struct Less {
    // Bytes compare with blocks: the first that is large enough.
    using is_transparent = void;
    bool operator()(const Block* a, const Block* b) const {
      return a->block_bytes() != b->block_bytes() ? a->block_bytes() < b->block_bytes()
                                                  : a->begin() < b->begin();
    }
    bool operator()(const Block* block, size_t bytes) const { return block->block_bytes() < bytes; }
    bool operator()(size_t bytes, const Block* block) const { return bytes < block->block_bytes(); }
  };
  using Blocks = std::set<Block*, Less>;

  // Forgets uses that have ended.
  static void Settle(Block* block);
  static bool CanMerge(const Block* a, const Block* b);
  // `block` is not in blocks_, nor is the result: the block with its neighbours.
  Block* MergeWithNeighbours(Block* block);
  Block* Join(Block* first, Block* second);
  Blocks& BlocksLike(const Block* block) { return blocks_[block->segment_->is_small]; }

  Context* const context_;
  std::vector<std::unique_ptr<Segment>> segments_;
  Blocks blocks_[2];  // of large and of small segments
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_BLOCK_POOL_H_
