#include "gemm.h"

#include <algorithm>

#include "isa_clones.h"

namespace tfrt::cpu {
namespace {

// Eight floats at any address that is aligned for floats.
typedef float Lanes __attribute__((vector_size(32), aligned(4), may_alias));
constexpr int64_t kLanes = 8;
constexpr int64_t kTileRows = 6;
constexpr int64_t kTileColumns = 2 * kLanes;
constexpr int64_t kTileDepth = 256;  // of b's rows that stay in the cache while a's rows pass

struct Operands {
  const float* a;
  int64_t a_row_stride;
  int64_t a_column_stride;
  const float* b;
  int64_t b_stride;
  float* c;
  int64_t c_stride;
};

// c [rows,16] += a [rows,k] * b [k,16], all sums in registers.
template <int64_t rows>
[[gnu::always_inline]] inline void Tile(const Operands& o, int64_t k) {
  Lanes sums[rows][2];
  for (int64_t i = 0; i < rows; ++i) {
    sums[i][0] = *reinterpret_cast<const Lanes*>(o.c + i * o.c_stride);
    sums[i][1] = *reinterpret_cast<const Lanes*>(o.c + i * o.c_stride + kLanes);
  }
  for (int64_t j = 0; j < k; ++j) {
    const float* b_row = o.b + j * o.b_stride;
    Lanes b0 = *reinterpret_cast<const Lanes*>(b_row);
    Lanes b1 = *reinterpret_cast<const Lanes*>(b_row + kLanes);
    const float* a_column = o.a + j * o.a_column_stride;
    for (int64_t i = 0; i < rows; ++i) {
      float a = a_column[i * o.a_row_stride];
      sums[i][0] += a * b0;
      sums[i][1] += a * b1;
    }
  }
  for (int64_t i = 0; i < rows; ++i) {
    *reinterpret_cast<Lanes*>(o.c + i * o.c_stride) = sums[i][0];
    *reinterpret_cast<Lanes*>(o.c + i * o.c_stride + kLanes) = sums[i][1];
  }
}

[[gnu::always_inline]] inline void Rows(const Operands& o, int64_t rows, int64_t k) {
  if (rows == kTileRows) return Tile<kTileRows>(o, k);
  for (int64_t i = 0; i < rows; ++i) {
    Operands one = o;
    one.a += i * o.a_row_stride;
    one.c += i * o.c_stride;
    Tile<1>(one, k);
  }
}

// The last columns, which fill no tile: b's are copied once into rows that do, c's for each tile.
[[gnu::always_inline]] inline void NarrowColumns(const Operands& o, int64_t m, int64_t columns,
                                                 int64_t k) {
  float b[kTileDepth * kTileColumns];
  std::fill_n(b, k * kTileColumns, 0.0f);
  for (int64_t j = 0; j < k; ++j) std::copy_n(o.b + j * o.b_stride, columns, b + j * kTileColumns);
  for (int64_t row = 0; row < m; row += kTileRows) {
    int64_t rows = std::min(kTileRows, m - row);
    float c[kTileRows * kTileColumns] = {};
    float* c_rows = o.c + row * o.c_stride;
    for (int64_t i = 0; i < rows; ++i) {
      std::copy_n(c_rows + i * o.c_stride, columns, c + i * kTileColumns);
    }
    Operands tile{o.a + row * o.a_row_stride,
                  o.a_row_stride,
                  o.a_column_stride,
                  b,
                  kTileColumns,
                  c,
                  kTileColumns};
    Rows(tile, rows, k);
    for (int64_t i = 0; i < rows; ++i) {
      std::copy_n(c + i * kTileColumns, columns, c_rows + i * o.c_stride);
    }
  }
}

}  // namespace

TFRT_ISA_CLONES
void GemmAccumulate(int64_t m, int64_t n, int64_t k, const float* a, int64_t a_row_stride,
                    int64_t a_column_stride, const float* b, int64_t b_stride, float* c,
                    int64_t c_stride) {
  for (int64_t depth = 0; depth < k; depth += kTileDepth) {
    int64_t depth_count = std::min(kTileDepth, k - depth);
    for (int64_t column = 0; column < n; column += kTileColumns) {
      Operands o{a + depth * a_column_stride,
                 a_row_stride,
                 a_column_stride,
                 b + depth * b_stride + column,
                 b_stride,
                 c + column,
                 c_stride};
      if (n - column < kTileColumns) {
        NarrowColumns(o, m, n - column, depth_count);
        continue;
      }
      for (int64_t row = 0; row < m; row += kTileRows) {
        Operands tile = o;
        tile.a += row * a_row_stride;
        tile.c += row * c_stride;
        Rows(tile, std::min(kTileRows, m - row), depth_count);
      }
    }
  }
}

}  // namespace tfrt::cpu
