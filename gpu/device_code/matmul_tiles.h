// Products in tiles of the output. A part of matmul.cu.
#ifndef TFRT_GPU_DEVICE_CODE_MATMUL_TILES_H_
#define TFRT_GPU_DEVICE_CODE_MATMUL_TILES_H_

#include "matmul_problem.h"

namespace tfrt::gpu::device {

// Blocks on a multiprocessor: as many as have the registers that their threads need.
inline constexpr int kBlocks = sizeof(C) == 8 ? 4 : 6;
inline constexpr int kTile = kMatMulTile, kThreads = kMatMulThreads;
inline constexpr int kDepth =
    sizeof(C) == 8 ? 8 : 16;               // of a tile's operands that are in shared memory
inline constexpr int kGroup = kDepth / 4;  // of k, with the same places
inline constexpr int kPart = 8;            // a thread's rows and columns: 4, and 4 more
inline constexpr int kHalf = kPart / 2, kFarHalf = kTile / 2;
inline constexpr int kFetched = kTile * kDepth / kThreads / kCount;  // vectors of a thread
static_assert(kPart * kPart * kThreads == kTile * kTile);

// A part of an operand, its depth outside. Element (i, k) is at [k][PlaceOf(i, k / kGroup)]: all
// accesses of a warp find different banks, along i and along k.
using Part = C[kDepth][kTile];
TFRT_DEVICE int PlaceOf(int i, int group) {
  return i ^ (group * (32 / static_cast<int>(sizeof(C))));
}

// Both operands' parts; in the end some rows of the tile's sums.
struct TileMemory {
  Part a, b;
};
inline constexpr int kStagedRows = 2 * kDepth, kStages = kTile / kStagedRows;
inline constexpr int kOfThread = kPart / kStages;  // a thread's rows in a stage

// Elements on their way to shared memory. A thread's first vector begins at (i, k), and goes on
// along k if `is_deep`; the others are `between` elements apart, along i if `is_deep`.
struct Fetcher {
  const Element* next;
  int64_t between;
  int64_t step;  // to the next part
  int i_rest;    // of i from `i` on
  int i, k;
  bool is_deep;
  bool is_aligned;
  Vector<Element, kCount> some[kFetched];

  TFRT_DEVICE Fetcher(const Matrix& matrix, int64_t first, int64_t begin, bool is_aligned)
      : is_deep(matrix.IsDeep()), is_aligned(is_aligned) {
    constexpr int kDeep = kDepth / kCount, kAcross = kTile / kCount;
    const int thread = static_cast<int>(ThreadInBlock());
    i = is_deep ? thread / kDeep : thread % kAcross * kCount;
    k = is_deep ? thread % kDeep * kCount : thread / kAcross;
    next = matrix.data + (first + i) * matrix.step + (begin + k) * matrix.depth_step;
    between = is_deep ? kThreads / kDeep * matrix.step : kThreads / kAcross * matrix.depth_step;
    step = kDepth * matrix.depth_step;
    const int64_t i_rest64 = matrix.size - first - i;
    i_rest = i_rest64 < kTile ? static_cast<int>(i_rest64) : kTile;
  }

  // Loads the vectors of the next part, of which there are `rest` of k; 0 outside. Neighbouring
  // threads read neighbours.
  TFRT_DEVICE void Load(int rest) {
    constexpr int kRows = kThreads / (kDepth / kCount), kLines = kThreads / (kTile / kCount);
    const int k_rest = rest - k;
#pragma unroll
    for (int v = 0; v < kFetched; ++v) {
      const int count =
          is_deep ? (i_rest > v * kRows ? k_rest : 0) : (k_rest > v * kLines ? i_rest : 0);
      some[v] = LoadVector<kCount>(next + v * between, count, is_aligned);
    }
    next += step;
  }

  // Puts them into shared memory.
  TFRT_DEVICE void Put(Part& part) const {
    constexpr int kRows = kThreads / (kDepth / kCount), kLines = kThreads / (kTile / kCount);
#pragma unroll
    for (int v = 0; v < kFetched; ++v) {
      if (is_deep) {
#pragma unroll
        for (int e = 0; e < kCount; ++e) {
          part[k + e][PlaceOf(i + v * kRows, (k + e) / kGroup)] = Decode(some[v].at[e]);
        }
      } else {
        C* to = &part[k + v * kLines][0];
#pragma unroll
        for (int e = 0; e < kCount; e += kSums) {
          Vector<C, kSums> sums;
#pragma unroll
          for (int j = 0; j < kSums; ++j) sums.at[j] = Decode(some[v].at[e + j]);
          StoreVector(to + PlaceOf(i + e, (k + v * kLines) / kGroup), sums);
        }
      }
    }
  }
};

// Four neighbours of a line of a part, and the four half a tile further.
TFRT_DEVICE void Take(C (&elements)[kPart], const C* line, int first) {
#pragma unroll
  for (int half = 0; half < 2; ++half) {
#pragma unroll
    for (int i = 0; i < kHalf; i += kSums) {
      const auto some = LoadSharedVector<kSums>(line + (first ^ (half * kFarHalf)) + i);
#pragma unroll
      for (int j = 0; j < kSums; ++j) elements[half * kHalf + i + j] = some.at[j];
    }
  }
}

struct Tile {
  int64_t part;
  int64_t matrix;
  int64_t row;
  int64_t column;
};

TFRT_DEVICE void MultiplyTile(const Problem& problem, const Tile& tile, bool a_is_aligned,
                              bool b_is_aligned, TileMemory& memory) {
  const int lane = static_cast<int>(ThreadInBlock()) % kWarp;
  const int warp = static_cast<int>(ThreadInBlock()) / kWarp;
  // More operands on their way to registers would leave none for sums.
  constexpr int kAtOnce = sizeof(C) == 8 ? 1 : 2;
  // A warp's threads have 8 different rows of 4, and 4 different columns of 4.
  const int y = lane / 4 * kHalf, x = (lane % 4 + warp * 4) * kHalf;
  const int64_t begin = tile.part * problem.PartSize(), end = problem.End(begin);
  C sums[kPart][kPart] = {};
  Fetcher a(problem.a.Of(tile.matrix), tile.row, begin, a_is_aligned);
  Fetcher b(problem.b.Of(tile.matrix), tile.column, begin, b_is_aligned);
#pragma unroll 1
  for (int64_t k = begin; k < end; k += kDepth) {
    const int rest = end - k < kDepth ? static_cast<int>(end - k) : kDepth;
    a.Load(rest);
    b.Load(rest);
    a.Put(memory.a);
    b.Put(memory.b);
    Barrier();
#pragma unroll 1
    for (int group = 0; group < 4; ++group) {
#pragma unroll kAtOnce
      for (int d = 0; d < kGroup; ++d) {
        C rows[kPart], columns[kPart];
        Take(rows, memory.a[group * kGroup + d], PlaceOf(y, group));
        Take(columns, memory.b[group * kGroup + d], PlaceOf(x, group));
#pragma unroll
        for (int i = 0; i < kPart; ++i) {
#pragma unroll
          for (int j = 0; j < kPart; ++j) {
            sums[i][j] = MultiplyAdd(rows[i], columns[j], sums[i][j]);
          }
        }
      }
    }
    Barrier();  // before the next parts are written
  }
  // Some of the rows at a time go through shared memory, so that a thread writes one column, and
  // its neighbours the next.
  const int64_t m = problem.a.size, n = problem.b.size;
  const int64_t column = tile.column + ThreadInBlock();
  const int64_t matrix = problem.parts == 1 ? tile.matrix : tile.part * problem.batch + tile.matrix;
  C* const staged = &memory.a[0][0];
#pragma unroll
  for (int first = 0; first < kPart; first += kOfThread) {
#pragma unroll
    for (int i = 0; i < kOfThread; ++i) {
#pragma unroll
      for (int j = 0; j < kPart; j += kSums) {
        Vector<C, kSums> some;
#pragma unroll
        for (int e = 0; e < kSums; ++e) some.at[e] = sums[first + i][j + e];
        StoreVector(
            staged + (y / kHalf * kOfThread + i) * kTile + x + j % kHalf + j / kHalf * kFarHalf,
            some);
      }
    }
    Barrier();
#pragma unroll 1
    for (int i = 0; i < kStagedRows; ++i) {
      const int64_t row = tile.row + i / kOfThread * kHalf + i % kOfThread + first % kHalf +
                          first / kHalf * kFarHalf;
      if (row < m && column < n) {
        problem.Write((matrix * m + row) * n + column, column,
                      staged[i * kTile + static_cast<int>(ThreadInBlock())]);
      }
    }
    Barrier();  // before the memory is used for other rows, or the next tile
  }
}

TFRT_DEVICE void MultiplyTiles(const Problem& problem) {
  TFRT_SHARED alignas(kMostVectorBytes) static TileMemory memory;
  const bool a_is_aligned = problem.a.HasVectors(), b_is_aligned = problem.b.HasVectors();
  const int64_t down = CeilDiv(problem.a.size, kTile), across = CeilDiv(problem.b.size, kTile);
#pragma unroll 1
  for (int64_t i = Block(); i < problem.parts * problem.batch * down * across; i += NumBlocks()) {
    const int64_t row = Divide(i, across), matrix = Divide(row, down);
    const int64_t part = problem.PartOf(matrix);
    MultiplyTile(problem,
                 {part, matrix - part * problem.batch, (row - matrix * down) * kTile,
                  (i - row * across) * kTile},
                 a_is_aligned, b_is_aligned, memory);
  }
}

}  // namespace tfrt::gpu::device

#endif  // TFRT_GPU_DEVICE_CODE_MATMUL_TILES_H_
