#include "block_pool.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tfrt::gpu {
namespace {

// The one stream that uses a block still; no stream if nobody does.
struct Owner {
  Point point;
  bool has_more = false;
};

Owner OwnerOf(const UsePoints& uses) {
  Owner owner;
  uses.ForEach([&](Point point) {
    if (IsKnownDone(point)) return;
    if (owner.point) owner.has_more = true;
    owner.point = point;
  });
  return owner;
}

}  // namespace

BlockPool::~BlockPool() { assert(segments_.empty() && "memory is left in a pool that goes"); }

Block* BlockPool::AddSegment(cuda::CUdeviceptr begin, size_t size_bytes, bool is_small) {
  auto* block = new Block(context_);
  segments_.push_back(
      std::make_unique<Segment>(Segment{begin, size_bytes, is_small, /*first=*/block}));
  block->begin_ = begin;
  block->block_bytes_ = size_bytes;
  block->segment_ = segments_.back().get();
  return block;
}

bool BlockPool::HasUnallocatedSegment() const {
  return std::ranges::any_of(segments_, [](const auto& segment) {
    const Block* block = segment->first;
    while (block && block->is_pooled_) block = block->behind_;
    return block == nullptr;
  });
}

std::vector<std::unique_ptr<Segment>> BlockPool::TakeFreeSegments() {
  std::vector<std::unique_ptr<Segment>> taken;
  for (auto& segment : segments_) {
    Block* block = segment->first;
    if (!block->is_pooled_ || block->block_bytes_ != segment->size_bytes) continue;
    if (OwnerOf(block->uses_).point) continue;
    BlocksLike(block).erase(block);
    delete block;
    segment->first = nullptr;
    taken.push_back(std::move(segment));
  }
  std::erase(segments_, nullptr);
  return taken;
}

std::vector<std::unique_ptr<Segment>> BlockPool::TakeAllSegments() {
  for (const auto& segment : segments_) {
    for (Block* block = segment->first; block;) {
      assert(block->is_pooled_ && "a block is in use");
      Block* behind = block->behind_;
      delete block;
      block = behind;
    }
  }
  for (Blocks& blocks : blocks_) blocks.clear();
  return std::move(segments_);
}

void BlockPool::AppendUses(std::vector<Point>* points) const {
  for (const auto& segment : segments_) {
    for (const Block* block = segment->first; block; block = block->behind_) {
      block->uses_.ForEach([&](Point point) {
        if (!IsKnownDone(point)) points->push_back(point);
      });
    }
  }
}

void BlockPool::Settle(Block* block) {
  Owner owner = OwnerOf(block->uses_);
  if (!owner.has_more) block->uses_.Reset(owner.point);
}

bool BlockPool::CanMerge(const Block* a, const Block* b) {
  if (!a->is_pooled_ || !b->is_pooled_) return false;
  Owner owner_a = OwnerOf(a->uses_), owner_b = OwnerOf(b->uses_);
  return !owner_a.has_more && !owner_b.has_more && owner_a.point.stream == owner_b.point.stream;
}

void BlockPool::Insert(Block* block) {
  Settle(block);
  block->is_pooled_ = true;
  block = MergeWithNeighbours(block);
  BlocksLike(block).insert(block);
}

Block* BlockPool::MergeWithNeighbours(Block* block) {
  if (block->before_ && CanMerge(block->before_, block)) {
    BlocksLike(block).erase(block->before_);
    block = Join(block->before_, block);
  }
  while (block->behind_ && CanMerge(block, block->behind_)) {
    BlocksLike(block).erase(block->behind_);
    block = Join(block, block->behind_);
  }
  return block;
}

Block* BlockPool::Join(Block* first, Block* second) {
  Point a = OwnerOf(first->uses_).point, b = OwnerOf(second->uses_).point;
  first->uses_.Reset(a.number > b.number ? a : b);
  first->block_bytes_ += second->block_bytes_;
  first->behind_ = second->behind_;
  if (first->behind_) first->behind_->before_ = first;
  delete second;
  return first;
}

void BlockPool::Cut(Block* block, size_t block_bytes) {
  if (block->block_bytes_ < block_bytes + SizeClass::kMinBytes) return;
  auto* rest = new Block(context_);
  rest->begin_ = block->begin_ + block_bytes;
  rest->block_bytes_ = block->block_bytes_ - block_bytes;
  rest->segment_ = block->segment_;
  rest->is_pooled_ = true;
  block->uses_.ForEach([rest](Point point) { rest->uses_.Note(point); });
  rest->before_ = block;
  rest->behind_ = block->behind_;
  if (rest->behind_) rest->behind_->before_ = rest;
  block->behind_ = rest;
  block->block_bytes_ = block_bytes;
  BlocksLike(rest).insert(rest);
}

Block* BlockPool::Acquire(const Stream* stream, size_t least_bytes, size_t block_bytes,
                          bool is_small) {
  Blocks& blocks = blocks_[is_small];
  for (auto it = blocks.lower_bound(least_bytes); it != blocks.end(); ++it) {
    Block* block = *it;
    bool is_behind = true;
    if (stream) {
      block->uses_.ForEach([&](Point point) { is_behind &= stream->HasSeen(point); });
    }
    if (!is_behind) continue;
    blocks.erase(it);
    Cut(block, block_bytes);
    block->is_pooled_ = false;
    return block;
  }
  return nullptr;
}

void BlockPool::Merge() {
  for (const auto& segment : segments_) {
    for (Block* block = segment->first; block; block = block->behind_) {
      if (!block->is_pooled_) continue;
      BlocksLike(block).erase(block);
      Settle(block);
      block = MergeWithNeighbours(block);
      BlocksLike(block).insert(block);
    }
  }
}

}  // namespace tfrt::gpu
