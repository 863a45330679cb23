// Lanes: rows for what overlaps. In one row, two events are apart or one is inside of the other.
#ifndef TFRT_LIB_PROFILER_FILES_LANES_H_
#define TFRT_LIB_PROFILER_FILES_LANES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tfrt::profiler {

// Of one track. 20 bytes for each event, two from Assign on.
class Lanes {
 public:
  // Events in any order; `end_ns` is not before `begin_ns`.
  void Add(int64_t begin_ns, int64_t end_ns);
  size_t size() const { return size_; }

  // Gives each event the first lane in which it fits; those that fit into none of the first
  // kMaxLanes are in the last one. Takes time to sort them.
  void Assign();
  static constexpr uint32_t kMaxLanes = 1024;

  // After Assign. At least 1.
  uint32_t num_lanes() const { return num_lanes_; }
  // Of an event, by its number in the order of Add.
  uint32_t LaneOf(size_t event) const { return lanes_.empty() ? 0 : lanes_[event]; }

 private:
  // Pieces, because a vector that grows is there twice for a while.
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
