// Products with few rows: b is read once. A block computes kFewColumns columns, in the end one in
// each thread. The elements of a are in shared memory. A part of matmul.cu.
#ifndef TFRT_GPU_DEVICE_CODE_MATMUL_FEW_ROWS_H_
#define TFRT_GPU_DEVICE_CODE_MATMUL_FEW_ROWS_H_

#include "block_combine.h"
#include "matmul_problem.h"

namespace tfrt::gpu::device {

inline constexpr int kFewColumns = kMatMulFewColumns;
inline constexpr int kShared = 16384 / static_cast<int>(sizeof(Element));  // elements of a
static_assert(kFewColumns == kRowThreads);

// Warps that share columns, as each has the elements of k that are its way's; a thread's columns,
// and those in one access.
inline constexpr int kWays = 4, kOwn = kFewColumns * kWays / kRowThreads;
inline constexpr int kNarrow = kCount < kOwn ? kCount : kOwn;

struct FewRows {
  Element a[kShared];
  C sums[kWays][kFewColumns];
};

TFRT_DEVICE int FewWay() { return static_cast<int>(ThreadInBlock()) / kWarp % kWays; }
// The first of a thread's columns; its vectors are as far apart as those of a warp reach.
TFRT_DEVICE int FewColumn() {
  const int thread = static_cast<int>(ThreadInBlock());
  return thread / (kWarp * kWays) * (kWarp * kOwn) + thread % kWarp * kNarrow;
}

// Adds to the sums of a thread's columns, where those of a row of b lie side by side. A thread sums
// 4 columns, for each fourth element of k, in vectors next to those of its neighbours.
template <int rows>
TFRT_DEVICE void AddColumns(C (&sums)[rows][kOwn], const FewRows& shared, const Matrix& b,
                            int64_t column, int64_t begin, int size, bool is_aligned) {
  constexpr int kVectors = kOwn / kNarrow, kAtOnce = rows > 2 ? 2 : 4;
  const int first = FewColumn(), way = FewWay();
  const int64_t rest = b.size - column;
  const int columns = (rest < kFewColumns ? static_cast<int>(rest) : kFewColumns) - first;
  const Element* next = b.data + (begin + way) * b.depth_step + column + first;
  const int64_t step = kWays * b.depth_step;
#pragma unroll 1
  for (int k = way; k < size; k += kAtOnce * kWays) {
    Vector<Element, kNarrow> some[kAtOnce][kVectors];
#pragma unroll
    for (int s = 0; s < kAtOnce; ++s) {
      const bool is_inside = k + s * kWays < size;
#pragma unroll
      for (int v = 0; v < kVectors; ++v) {
        const int after = v * kWarp * kNarrow;
        some[s][v] = LoadVector<kNarrow>(next + after, is_inside ? columns - after : 0, is_aligned);
      }
      next += step;
    }
#pragma unroll
    for (int s = 0; s < kAtOnce; ++s) {
      const int at = k + s * kWays;
      if (at >= size) break;
#pragma unroll
      for (int r = 0; r < rows; ++r) {
        const C factor = Decode(shared.a[r * (kShared / rows) + at]);
#pragma unroll
        for (int j = 0; j < kOwn; ++j) {
          sums[r][j] =
              MultiplyAdd(factor, Decode(some[s][j / kNarrow].at[j % kNarrow]), sums[r][j]);
        }
      }
    }
  }
}

// Adds to the sums of a thread's column, where the elements of a column lie side by side. A warp
// sums its 32 columns one after the other, some at a time, and each thread keeps the sums of one.
template <int rows>
TFRT_DEVICE void AddLines(C (&sums)[rows][1], const FewRows& shared, const Matrix& b,
                          int64_t column, int64_t begin, int size, bool is_aligned) {
  constexpr int kAtOnce = rows > 2 ? 2 : 4;
  const int lane = static_cast<int>(ThreadInBlock()) % kWarp;
  const int warp = static_cast<int>(ThreadInBlock()) / kWarp;
#pragma unroll 1
  for (int c = 0; c < kWarp; c += kAtOnce) {
    const int64_t first = column + warp * kWarp + c;
    if (first >= b.size) return;
    C products[kAtOnce][rows] = {};
#pragma unroll 1
    for (int k = lane * kCount; k < size; k += kWarp * kCount) {
      Vector<Element, kCount> some[kAtOnce];
#pragma unroll
      for (int j = 0; j < kAtOnce; ++j) {
        some[j] = LoadVector<kCount>(b.data + (first + j) * b.step + begin + k,
                                     first + j < b.size ? size - k : 0, is_aligned);
      }
#pragma unroll
      for (int r = 0; r < rows; ++r) {
        const auto factors = LoadSharedVector<kCount>(&shared.a[r * (kShared / rows) + k]);
#pragma unroll
        for (int j = 0; j < kAtOnce; ++j) {
#pragma unroll
          for (int e = 0; e < kCount; ++e) {
            products[j][r] =
                MultiplyAdd(Decode(factors.at[e]), Decode(some[j].at[e]), products[j][r]);
          }
        }
      }
    }
#pragma unroll
    for (int j = 0; j < kAtOnce; ++j) {
#pragma unroll
      for (int r = 0; r < rows; ++r) {
        const C sum = CombineWarp(products[j][r], [](C x, C y) { return Plus(x, y); });
        // Not a branch, after which the lane would run alone.
        const C added = Plus(sums[r][0], sum);
        sums[r][0] = lane == c + j ? added : sums[r][0];
      }
    }
  }
}

// Up to `rows` rows.
template <int rows, bool is_deep>
TFRT_DEVICE void MultiplyFewRows(const Problem& problem, FewRows& shared) {
  constexpr int kAtOnce = kShared / rows;
  const bool is_aligned = problem.b.HasVectors(is_deep ? kCount : kNarrow);
  const int thread = static_cast<int>(ThreadInBlock());
  const int64_t groups = CeilDiv(problem.b.size, kFewColumns);
#pragma unroll 1
  for (int64_t i = Block(); i < problem.parts * problem.batch * groups; i += NumBlocks()) {
    const int64_t number = Divide(i, groups), part = problem.PartOf(number);
    const int64_t column = (i - number * groups) * kFewColumns;
    const Matrix a = problem.a.Of(number - part * problem.batch);
    const Matrix b = problem.b.Of(number - part * problem.batch);
    const int64_t part_begin = part * problem.PartSize(), end = problem.End(part_begin);
    C sums[rows][is_deep ? 1 : kOwn] = {};
#pragma unroll 1
    for (int64_t begin = part_begin; begin < end; begin += kAtOnce) {
      const int size = end - begin < kAtOnce ? static_cast<int>(end - begin) : kAtOnce;
      // Whole vectors: what is behind the end is multiplied by zeros of b.
      const int padded = (size + kCount - 1) / kCount * kCount;
#pragma unroll 1
      for (int r = 0; r < rows; ++r) {
#pragma unroll 1
        for (int k = thread; k < padded; k += kRowThreads) {
          const bool is_inside = r < a.size && k < size;
          shared.a[r * kAtOnce + k] =
              is_inside ? a.data[r * a.step + (begin + k) * a.depth_step] : Element{};
        }
      }
      Barrier();
      if constexpr (is_deep) {
        AddLines(sums, shared, b, column, begin, size, is_aligned);
      } else {
        AddColumns(sums, shared, b, column, begin, size, is_aligned);
      }
      Barrier();  // before the next elements are written
    }
    const int64_t matrix = problem.parts == 1 ? number - part * problem.batch : number;
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      if constexpr (!is_deep) {
#pragma unroll
        for (int j = 0; j < kOwn; ++j) {
          const int at = FewColumn() + j / kNarrow * kWarp * kNarrow + j % kNarrow;
          shared.sums[FewWay()][at] = sums[r][j];
        }
        Barrier();
        sums[r][0] = shared.sums[0][thread];
#pragma unroll
        for (int way = 1; way < kWays; ++way) {
          sums[r][0] = Plus(sums[r][0], shared.sums[way][thread]);
        }
        Barrier();  // before the next row is written
      }
      if (r < a.size && column + thread < b.size) {
        problem.Write((matrix * a.size + r) * b.size + column + thread, column + thread,
                      sums[r][0]);
      }
    }
  }
}

}  // namespace tfrt::gpu::device

#endif  // TFRT_GPU_DEVICE_CODE_MATMUL_FEW_ROWS_H_
