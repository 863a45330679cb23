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

// The same for the columns that fill no tile.
[[gnu::always_inline]] inline void NarrowTile(const Operands& o, int64_t rows, int64_t columns,
                                              int64_t k) {
  for (int64_t i = 0; i < rows; ++i) {
    float* c_row = o.c + i * o.c_stride;
    for (int64_t j = 0; j < k; ++j) {
      const float* b_row = o.b + j * o.b_stride;
      float a = o.a[i * o.a_row_stride + j * o.a_column_stride];
      TFRT_INDEPENDENT_ITERATIONS
      for (int64_t l = 0; l < columns; ++l) c_row[l] += a * b_row[l];
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
      for (int64_t row = 0; row < m; row += kTileRows) {
        Operands o{a + row * a_row_stride + depth * a_column_stride,
                   a_row_stride,
                   a_column_stride,
                   b + depth * b_stride + column,
                   b_stride,
                   c + row * c_stride + column,
                   c_stride};
        int64_t rows = std::min(kTileRows, m - row);
        if (n - column < kTileColumns) {
          NarrowTile(o, rows, n - column, depth_count);
          continue;
        }
        if (rows == kTileRows) {
          Tile<kTileRows>(o, depth_count);
          continue;
        }
        for (int64_t i = 0; i < rows; ++i) {
          Operands one = o;
          one.a += i * a_row_stride;
          one.c += i * c_stride;
          Tile<1>(one, depth_count);
        }
      }
    }
  }
}

}  // namespace tfrt::cpu
