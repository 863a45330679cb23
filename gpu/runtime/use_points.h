// UsePoints: the last command of each stream that uses some memory.
#ifndef TFRT_GPU_RUNTIME_USE_POINTS_H_
#define TFRT_GPU_RUNTIME_USE_POINTS_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "point.h"

namespace tfrt::gpu {

// Streams note their commands here, each in its own order. So the memory itself determines after
// which commands it may be reused. A few streams are noted without a lock. Thread-safe except for
// Reset, which must come when no other thread has the memory.
class UsePoints {
 public:
  UsePoints() = default;
  UsePoints(const UsePoints&) = delete;
  UsePoints& operator=(const UsePoints&) = delete;
  ~UsePoints();

  // Notes a command that uses the memory. Numbers of one stream may come in any order; the highest
  // counts.
  void Note(Point point) {
    uint64_t packed = Pack(point);
    // relaxed throughout: a thread that reads all of this got the memory from the last of its
    // users, which orders their notes before the reading.
    uint64_t first = places_[0].load(std::memory_order_relaxed);
    if (first >> kNumberBits == point.stream) {
      if (first >= packed ||
          places_[0].compare_exchange_strong(first, packed, std::memory_order_relaxed)) {
        return;
      }
    }
    NoteSlow(point);
  }
  // As Note, for a caller that holds the stream's lock, so that the number is the stream's highest.
  void NoteLast(Point point) {
    // Only the holder of the lock raises a place of the stream above this. The second place is that
    // of ops in memory that another stream has written, such as an uploaded weight.
    for (size_t i = 0; i < 2; ++i) {
      if (places_[i].load(std::memory_order_relaxed) >> kNumberBits == point.stream) [[likely]]
        return places_[i].store(Pack(point), std::memory_order_relaxed);
    }
    NoteSlow(point);
  }
  // Calls `function` once per stream. It must note nothing here.
  template <typename F>
  void ForEach(F&& function) const {
    if (ForEachOfFew(function)) return;
    More* more = more_.load(std::memory_order_acquire);  // sees the list that was made
    std::lock_guard lock(more->mutex);
    for (Point point : more->points) function(point);
  }
  // As ForEach, without a lock. Returns false if there may be more streams than it was called for.
  template <typename F>
  bool ForEachOfFew(F&& function) const {
    for (const auto& place : places_) {
      uint64_t packed = place.load(std::memory_order_relaxed);
      if (packed == 0) return true;
      function(Unpack(packed));
    }
    return more_.load(std::memory_order_relaxed) == nullptr;
  }
  // Drops all uses except this one; drops all if `point` is empty.
  void Reset(Point point);
  // Returns whether no other stream has used it.
  bool IsOnlyOf(uint32_t stream) const {
    return places_[0].load(std::memory_order_relaxed) >> kNumberBits == stream &&
           places_[1].load(std::memory_order_relaxed) == 0;
  }
  bool empty() const { return places_[0].load(std::memory_order_relaxed) == 0; }

 private:
  static constexpr int kNumberBits = 52;
  static constexpr size_t kPlaces = 4;
  struct More {
    std::mutex mutex;
    std::vector<Point> points;
  };

  static uint64_t Pack(Point point) {
    return (uint64_t{point.stream} << kNumberBits) | point.number;
  }
  static Point Unpack(uint64_t packed) {
    return {static_cast<uint32_t>(packed >> kNumberBits),
            packed & ((uint64_t{1} << kNumberBits) - 1)};
  }
  void NoteSlow(Point point);

  // Stream and number in one word; filled from the front, 0 if free. A place belongs to one stream
  // until Reset.
  std::array<std::atomic<uint64_t>, kPlaces> places_ = {};
  std::atomic<More*> more_{nullptr};  // of more streams; kept until the end
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_USE_POINTS_H_
