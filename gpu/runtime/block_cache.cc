#include "block_cache.h"

namespace tfrt::gpu {
namespace {

// How many blocks that several streams have used are looked at for one request.
constexpr int kMaxLooks = 8;

}  // namespace

Block* BlockCache::FindSeen(Block* newest, uint32_t stream, const Clock& seen) {
  int looks = 0;
  for (Block* block = newest; block && looks < kMaxLooks; block = block->older_, ++looks) {
    bool is_behind = true;
    if (!block->has_one_user_) {
      // One that more streams have used is for those who may take a lock.
      is_behind = block->uses_.ForEachOfFew([&](Point point) {
        is_behind &= point.stream == stream || seen.Covers(point) || IsKnownDone(point);
      }) && is_behind;
    }
    if (is_behind) return block;
  }
  return nullptr;
}

Block* BlockCache::TakeOldest(uint32_t size_class, uint32_t owner, uint64_t seen) {
  Block* block = lists_[size_class].oldest;
  if (!block || !block->has_one_user_) return nullptr;
  bool is_behind = true;
  block->uses_.ForEach(
      [&](Point point) { is_behind &= point.stream == owner && point.number <= seen; });
  if (!is_behind) return nullptr;
  Remove(block);
  return block;
}

Block* BlockCache::TakeAll() {
  Block* all = nullptr;
  for (List& list : lists_) {
    if (!list.oldest) continue;
    list.oldest->older_ = all;
    all = list.newest;
    list = {};
  }
  return all;
}

}  // namespace tfrt::gpu
