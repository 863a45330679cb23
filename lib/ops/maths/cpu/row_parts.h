// Sums over the rows of a matrix, computed in parts by several threads.
#ifndef TFRT_LIB_OPS_MATHS_CPU_ROW_PARTS_H_
#define TFRT_LIB_OPS_MATHS_CPU_ROW_PARTS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "parallel_blocks.h"

namespace tfrt::cpu {

// Parts of so many rows whatever the number of threads, so that the sums are the same. Parts may be
// written by different threads at the same time; Total is for after all of them.
class RowParts {
 public:
  // `width` sums over `rows` rows, each of which costs `row_cost` (ItemsPerBlock). Not so few rows
  // in a part that the sums take more memory than they are worth.
  RowParts(int64_t rows, size_t row_cost, size_t width)
      : rows_(rows),
        rows_per_part_(std::max<int64_t>(16, static_cast<int64_t>(ItemsPerBlock(row_cost)))),
        count_(rows == 0 ? 0 : (rows - 1) / rows_per_part_ + 1),
        width_(width),
        sums_(std::max<size_t>(1, static_cast<size_t>(count_)) * width) {}

  int64_t count() const { return count_; }
  int64_t begin(int64_t part) const { return part * rows_per_part_; }
  int64_t end(int64_t part) const { return std::min(rows_, (part + 1) * rows_per_part_); }
  // The part's sums, 0 at first.
  double* sums(int64_t part) { return sums_.data() + static_cast<size_t>(part) * width_; }

  // The sums of all parts, first to last. Once.
  const double* Total() {
    for (int64_t part = 1; part < count_; ++part) {
      for (size_t i = 0; i < width_; ++i) sums_[i] += sums(part)[i];
    }
    return sums_.data();
  }

 private:
  int64_t rows_, rows_per_part_, count_;
  size_t width_;
  std::vector<double> sums_;
};

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_ROW_PARTS_H_
