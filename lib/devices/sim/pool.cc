#include "pool.h"

#include <algorithm>
#include <iterator>

#include "tfrt/support/str_cat.h"

namespace tfrt::sim::internal {

Pool::Pool(size_t size_bytes) : size_bytes_(size_bytes) { free_[0] = {.end = size_bytes}; }

Pool::Cost Pool::CostOf(const Stretch& stretch, const Positions& seen, const Positions& host_seen) {
  if (!stretch.event) return kFresh;
  const auto& [stream, position] = std::pair(stretch.event->stream, stretch.event->position);
  if (seen.Covers(stream, position)) return kOrdered;
  return host_seen.Covers(stream, position) ? kKnownToHost : kNeedsWait;
}

// Empty blocks have an address of their own.
size_t Pool::RoundUp(size_t size_bytes) {
  return (std::max<size_t>(size_bytes, 1) + kAlignment - 1) / kAlignment * kAlignment;
}

StatusOr<Pool::Grant> Pool::Allocate(std::string_view name, size_t size_bytes,
                                     const Positions& seen, const Positions& host_seen) {
  auto refuse = [&] {
    return ResourceExhaustedError(StrCat("cannot allocate ", size_bytes, " bytes for '", name,
                                         "': ", bytes_in_use_, " of ", size_bytes_,
                                         " bytes are in use, by ", blocks_.size(), " blocks"));
  };
  if (size_bytes > size_bytes_) return refuse();
  const size_t wanted = RoundUp(size_bytes);
  for (Cost limit : {kOrdered, kKnownToHost, kFresh, kNeedsWait}) {
    auto first = free_.end();  // of the run
    for (auto at = free_.begin(); at != free_.end(); ++at) {
      if (CostOf(at->second, seen, host_seen) > limit) {
        first = free_.end();
        continue;
      }
      if (first == free_.end() || std::prev(at)->second.end != at->first) first = at;
      if (at->second.end - first->first < wanted) continue;
      Grant grant{.offset = first->first};
      const size_t end = grant.offset + wanted;
      for (auto used = first; used != std::next(at); ++used) {
        Cost cost = CostOf(used->second, seen, host_seen);
        if (cost == kKnownToHost || cost == kNeedsWait) grant.behind.push_back(used->second.event);
      }
      if (at->second.end > end) free_[end] = at->second;
      free_.erase(first, std::next(at));
      blocks_[grant.offset] = {.size_bytes = size_bytes, .name = std::string(name)};
      bytes_in_use_ += size_bytes;
      peak_bytes_in_use_ = std::max(peak_bytes_in_use_, bytes_in_use_);
      return grant;
    }
  }
  return refuse();
}

void Pool::Free(size_t offset, std::shared_ptr<EventRecord> event) {
  auto block = blocks_.find(offset);
  size_t begin = offset, end = offset + RoundUp(block->second.size_bytes);
  bytes_in_use_ -= block->second.size_bytes;
  blocks_.erase(block);
  // Neighbours that were freed on the same stream earlier become one with it, free behind the later
  // event, so that a stream which allocates and frees all the time leaves no crumbs.
  auto behind = free_.find(end);
  if (behind != free_.end() && behind->second.event &&
      behind->second.event->stream == event->stream) {
    end = behind->second.end;
    free_.erase(behind);
  }
  auto next = free_.lower_bound(begin);
  if (next != free_.begin()) {
    auto before = std::prev(next);
    if (before->second.end == begin && before->second.event &&
        before->second.event->stream == event->stream) {
      begin = before->first;
    }
  }
  free_[begin] = {.end = end, .event = std::move(event)};
}

}  // namespace tfrt::sim::internal
