#include "test/support/order_checker/shadow_memory.h"

#include <algorithm>
#include <iterator>

namespace tfrt {

const char* VerbOf(MarkKind kind) {
  switch (kind) {
    case MarkKind::kRead:
      return "reads";
    case MarkKind::kWrite:
      return "writes";
    case MarkKind::kReadWrite:
      return "reads and writes";
    case MarkKind::kAllocate:
      return "allocates";
    case MarkKind::kFree:
      return "frees";
  }
  return "";
}

ShadowMemory::Segments::iterator ShadowMemory::Split(uintptr_t address) {
  auto behind = segments_.lower_bound(address);
  if (behind == segments_.begin()) return behind;
  auto before = std::prev(behind);
  if (before->second.end <= address) return behind;
  Segment rest = before->second;
  before->second.end = address;
  return segments_.emplace_hint(behind, address, std::move(rest));
}

void ShadowMemory::UseSegment(Segments::iterator segment, const Mark& mark,
                              const VectorClock& clock, std::vector<Conflict>* conflicts) {
  Segment& uses = segment->second;
  auto note = [&](const Mark& earlier) {
    if (!IsBefore(earlier, clock)) conflicts->push_back({earlier, segment->first, uses.end});
  };
  if (uses.change) note(*uses.change);
  if (mark.kind == MarkKind::kRead) {
    auto same = std::find_if(uses.reads.begin(), uses.reads.end(),
                             [&](const Mark& read) { return read.timeline == mark.timeline; });
    if (same == uses.reads.end()) {
      uses.reads.push_back(mark);
    } else {
      *same = mark;
    }
    return;
  }
  for (const Mark& read : uses.reads) note(read);
  uses.reads.clear();
  uses.change = mark;
}

std::vector<ShadowMemory::Conflict> ShadowMemory::Use(uintptr_t begin, uintptr_t end,
                                                      const Mark& mark, const VectorClock& clock) {
  std::vector<Conflict> conflicts;
  Split(end);
  auto next = Split(begin);
  for (uintptr_t at = begin; at < end;) {
    if (next == segments_.end() || next->first > at) {
      uintptr_t gap_end = next == segments_.end() ? end : std::min(end, next->first);
      next = segments_.emplace_hint(next, at, Segment{.end = gap_end});
    }
    UseSegment(next, mark, clock, &conflicts);
    at = next->second.end;
    ++next;
  }
  return conflicts;
}

std::optional<ShadowMemory::Conflict> ShadowMemory::FindUnwritten(uintptr_t begin,
                                                                  uintptr_t end) const {
  auto segment = segments_.upper_bound(begin);
  if (segment != segments_.begin()) --segment;
  for (; segment != segments_.end() && segment->first < end; ++segment) {
    const Segment& uses = segment->second;
    if (uses.end > begin && uses.change && uses.change->kind == MarkKind::kAllocate) {
      return Conflict{*uses.change, std::max(begin, segment->first), std::min(end, uses.end)};
    }
  }
  return std::nullopt;
}

void ShadowMemory::Clear(uintptr_t begin, uintptr_t end) {
  auto last = Split(end);
  segments_.erase(Split(begin), last);
}

}  // namespace tfrt
