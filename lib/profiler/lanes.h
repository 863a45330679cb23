// TrackLanes: puts the slices of a track on as many rows of a viewer as needed.
//
// Perfetto sorts packets by time, those of one time in the order of the file. It then keeps a stack
// for each track. A begin pushes a slice, an end pops the topmost one, whichever it is. So slices
// on one track must not cross. If a slice lies inside of another that begins at the same time, the
// outer one's begin must come first in the file. Scopes of a thread are written when they end, the
// inner ones first.
#ifndef TFRT_LIB_PROFILER_LANES_H_
#define TFRT_LIB_PROFILER_LANES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tfrt::profiler {

// One row, a track of Perfetto. It keeps the facts about its slices that decide about the next
// ones, with less detail for old ones. There it rejects slices that might cross others.
class Lane {
 public:
  // Puts a slice on the lane if all stacks stay in order. The slice's begin and end are written
  // next to each other, after all slices of the lane. Returns the begin on the lane: `begin`, or up
  // to kMaxEarlier nanoseconds before it, in front of the slice's contents. Returns nullopt if the
  // slice does not fit. Is cheap if slices come in the order of their ends, or of their begins with
  // the outer ones first.
  std::optional<int64_t> Place(int64_t begin, int64_t end, uint64_t parent_id);

  static constexpr int64_t kMaxEarlier = 32;
  static constexpr size_t kMaxOuter = 1024;
  static constexpr size_t kMaxDepth = 4096;

 private:
  // A slice that is inside of no other one, or several that were merged.
  struct Outer {
    int64_t begin;  // on the lane
    int64_t exact_begin;
    int64_t end;
    uint64_t parent_id;
  };
  // The last of the outer slices, the last slice directly in it, and so on.
  struct Inner {
    int64_t begin;
    int64_t end;
    int64_t filled;  // up to this time the slice contains others
  };
  std::optional<int64_t> PlaceAround(int64_t begin, int64_t end, uint64_t parent_id);
  bool PlaceInside(int64_t begin, int64_t end);
  bool PlaceBetween(int64_t begin, int64_t end, uint64_t parent_id);
  void Push(const Outer& outer, int64_t filled);
  void Forget();

  std::vector<Outer> outer_;  // disjoint, by time
  std::vector<Inner> inner_;
};

// All lanes of a track.
class TrackLanes {
 public:
  struct LanePosition {
    size_t lane;
    int64_t begin;
  };
  // Returns the first lane that takes the slice, or nullopt if kMaxLanes do not.
  std::optional<LanePosition> Find(int64_t begin, int64_t end, uint64_t parent_id);

  static constexpr size_t kMaxLanes = 64;

 private:
  std::vector<Lane> lanes_;
};

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_LANES_H_
