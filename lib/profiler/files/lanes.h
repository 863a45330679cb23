// Lanes: rows for overlapping events. In one row, two events are disjoint or one contains the
// other.
#ifndef TFRT_LIB_PROFILER_FILES_LANES_H_
#define TFRT_LIB_PROFILER_FILES_LANES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tfrt::profiler {

// The lanes of one track. Takes 20 bytes for each event, two from Assign on.
class Lanes {
 public:
  // Adds an event. Events may come in any order; `end_ns` is not before `begin_ns`.
  void Add(int64_t begin_ns, int64_t end_ns);
  size_t size() const { return size_; }

  // Gives each event the first lane in which it fits. Events that fit into none of the first
  // kMaxLanes are put into the last one. Takes time to sort them.
  void Assign();
  static constexpr uint32_t kMaxLanes = 1024;

  // Returns the number of lanes, at least 1. Valid after Assign.
  uint32_t num_lanes() const { return num_lanes_; }
  // Returns the lane of an event, by its number in the order of Add.
  uint32_t LaneOf(size_t event) const { return lanes_.empty() ? 0 : lanes_[event]; }

 private:
  // In pieces, because a growing vector temporarily needs twice its memory.
  struct Piece {
    static constexpr size_t kSize = 4096;
    int64_t begin[kSize];
    int64_t end[kSize];
  };
  int64_t begin(size_t i) const { return pieces_[i / Piece::kSize]->begin[i % Piece::kSize]; }
  int64_t end(size_t i) const { return pieces_[i / Piece::kSize]->end[i % Piece::kSize]; }

  std::vector<std::unique_ptr<Piece>> pieces_;
  size_t size_ = 0;
  std::vector<uint16_t> lanes_;  // empty: all are in lane 0
  uint32_t num_lanes_ = 1;
};

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_FILES_LANES_H_
