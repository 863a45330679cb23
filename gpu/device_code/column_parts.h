// Sums over the rows of [rows,columns], first over parts of the rows, then over the parts.
#ifndef TFRT_GPU_DEVICE_CODE_COLUMN_PARTS_H_
#define TFRT_GPU_DEVICE_CODE_COLUMN_PARTS_H_

#include "fixed_blocks.h"

namespace tfrt::gpu::device {

// parts [num_parts,count,columns]: the sums of what add(row, column, sums) adds to `sums`. The rows
// of a part are added in kLanes sums, and these in their order.
template <int count, typename F>
TFRT_DEVICE void SumColumnParts(f64* parts, int64_t rows, int64_t columns, int64_t num_parts,
                                F add) {
  constexpr int kLanes = kBlockThreads / kColumnsAtOnce;
  TFRT_SHARED static f64 lanes[count][kLanes][kColumnsAtOnce];
  const int64_t groups = (columns + kColumnsAtOnce - 1) / kColumnsAtOnce;
  const int64_t part_rows = (rows + num_parts - 1) / num_parts;
  const uint32_t x = ThreadInBlock() % kColumnsAtOnce, lane = ThreadInBlock() / kColumnsAtOnce;
  for (int64_t item = Block(); item < groups * num_parts; item += NumBlocks()) {
    const int64_t part = item / groups, column = (item - part * groups) * kColumnsAtOnce + x;
    const int64_t first = part * part_rows, after = first + part_rows;
    const int64_t end = after < rows ? after : rows;
    f64 sums[count] = {};
    if (column < columns) {
      for (int64_t row = first + lane; row < end; row += kLanes) add(row, column, sums);
    }
#pragma unroll
    for (int k = 0; k < count; ++k) lanes[k][lane][x] = sums[k];
    Barrier();
    if (lane < count && column < columns) {
      f64 sum = 0;
      for (int l = 0; l < kLanes; ++l) sum += lanes[lane][l][x];
      parts[(part * count + lane) * columns + column] = sum;
    }
    Barrier();  // before the next sums are written
  }
}

// The sum of number k of `count` for a column over all parts, in their order.
TFRT_DEVICE f64 SumOfParts(const f64* parts, int64_t num_parts, int64_t count, int64_t columns,
                           int64_t k, int64_t column) {
  f64 sum = 0;
  for (int64_t part = 0; part < num_parts; ++part) {
    sum += parts[(part * count + k) * columns + column];
  }
  return sum;
}

}  // namespace tfrt::gpu::device

#endif  // TFRT_GPU_DEVICE_CODE_COLUMN_PARTS_H_
