// TrackLanes: puts the slices of a track on as many Perfetto tracks as they need.
//
// Perfetto sorts packets by time, those of one time in the order of the file, and then keeps a
// stack for each track: a begin pushes a slice, an end pops the topmost one, whichever that is. So
// on one track slices must not cross; and where a slice lies inside of another that begins at the
// same time, the outer one's begin must come first in the file. Scopes of a thread are written when
// they end, the inner ones first.
#ifndef TFRT_LIB_PROFILER_PERFETTO_LANES_H_
#define TFRT_LIB_PROFILER_PERFETTO_LANES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tfrt::profiler {

// One Perfetto track. It remembers of the slices on it what decides about the next ones, and less
// of what is long ago: then it refuses slices that might cross others.
class Lane {
 public:
  // Whether a slice, whose begin and end are written next to each other and behind all that are on
  // the lane, leaves all stacks in order; then it is on the lane, and begins there at the result:
  // `begin`, or up to kMaxEarlier nanoseconds before, in front of what it contains. Costs little if
  // slices come in the order of their ends, or of their begins with the outer ones first.
  std::optional<int64_t> Place(int64_t begin, int64_t end, uint64_t parent_id);

  static constexpr int64_t kMaxEarlier = 32;
  static constexpr size_t kMaxOuter = 1024;
  static constexpr size_t kMaxDepth = 4096;

 private:
  // A slice that is inside of no other one, or several that became one.
  struct Outer {
    int64_t begin;  // on the lane
    int64_t exact_begin;
    int64_t end;
    uint64_t parent_id;
  };
  // The last of the outer ones, the last slice directly in it, and so on.
  struct Inner {
    int64_t begin;
    int64_t end;
    int64_t filled;  // up to there the slice contains others
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
  struct Place {
    size_t lane;
    int64_t begin;
  };
  // The first lane that takes the slice. Nothing if kMaxLanes do not.
  std::optional<Place> Find(int64_t begin, int64_t end, uint64_t parent_id);

  static constexpr size_t kMaxLanes = 64;

 private:
  std::vector<Lane> lanes_;
};

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_PERFETTO_LANES_H_
