// Point: a position in the work of a stream. Clock: positions in many streams.
//
// Each stream numbers its commands. "Point {s, n} has been reached" means that the first n commands
// of s have run. Nothing queries the device for that. The order of points follows from the waits
// that have been enqueued, and the host's knowledge from its own waits.
#ifndef TFRT_GPU_RUNTIME_POINT_H_
#define TFRT_GPU_RUNTIME_POINT_H_

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace tfrt::gpu {

// The most streams that a process may have at once.
inline constexpr uint32_t kMaxStreams = 4096;

// A command of a stream and all before it. The default point is empty, and has always been reached.
struct Point {
  uint32_t stream = 0;  // Stream::id(), below kMaxStreams
  uint64_t number = 0;  // number of the command, from 1 on; below 2^52

  explicit operator bool() const { return number != 0; }
  friend bool operator==(const Point&, const Point&) = default;
};

// Returns whether the device is known to have reached the point: a thread of this process has
// waited for it or for a later point. Makes no call of the driver; any thread may call it. Results
// of the commands up to the point may then be used without a wait.
bool IsKnownDone(Point point);

// Holds for each stream the last command that has been waited for. Its size is the number of
// streams that were waited for, usually a few of all. Not thread-safe.
class Clock {
 public:
  uint64_t Of(uint32_t stream) const {
    const Point* first = points_.data();
    const Point* end = first + points_.size();
    while (end - first > 4) {
      const Point* middle = first + (end - first) / 2;
      (middle->stream <= stream ? first : end) = middle;
    }
    for (; first != end; ++first) {
      if (first->stream == stream) return first->number;
    }
    return 0;
  }
  bool Covers(Point point) const { return Of(point.stream) >= point.number; }
  void Raise(Point point) {
    auto place = std::ranges::lower_bound(points_, point.stream, {}, &Point::stream);
    if (place == points_.end() || place->stream != point.stream) {
      points_.insert(place, point);
    } else {
      place->number = std::max(place->number, point.number);
    }
  }
  void Join(const Clock& other) {
    for (Point point : other.points_) Raise(point);
  }
  // Returns one point for each stream, ordered by its number.
  std::span<const Point> points() const { return points_; }

 private:
  std::vector<Point> points_;  // sorted by stream
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_POINT_H_
