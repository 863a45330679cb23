#include "panel_products.h"

#include <algorithm>

#include "lib/ops/maths/cpu/isa_clones.h"
#include "lib/ops/maths/cpu/vector_math.h"

namespace tfrt::contraction {

template <typename T>
void PackPanels(const T* from, int64_t row_stride, int64_t column_stride, int64_t columns,
                int64_t depth, T* panels) {
  constexpr int64_t kDepthTogether = 16;  // a block of the panel stays in the first-level cache
  for (int64_t column = 0; column < columns; column += kPanelColumns) {
    const int64_t count = std::min(kPanelColumns, columns - column);
    for (int64_t first = 0; first < depth; first += kDepthTogether) {
      const int64_t end = std::min(depth, first + kDepthTogether);
      const T* block = from + column * column_stride;
      if (column_stride == 1) {
        for (int64_t k = first; k < end; ++k) {
          std::copy_n(block + k * row_stride, count, panels + k * kPanelColumns);
        }
      } else {
        for (int64_t j = 0; j < count; ++j) {
          for (int64_t k = first; k < end; ++k) {
            panels[k * kPanelColumns + j] = block[k * row_stride + j * column_stride];
          }
        }
      }
      for (int64_t k = first; k < end; ++k) {
        std::fill(panels + k * kPanelColumns + count, panels + (k + 1) * kPanelColumns, T{});
      }
    }
    panels += depth * kPanelColumns;
  }
}
template void PackPanels(const float*, int64_t, int64_t, int64_t, int64_t, float*);
template void PackPanels(const uint16_t*, int64_t, int64_t, int64_t, int64_t, uint16_t*);

#if defined(__x86_64__)

namespace {

// clang would cut the vectors into halves, of which there are not enough registers.
#if defined(__clang__)
#define TFRT_WIDE __attribute__((target("arch=x86-64-v4"), min_vector_width(512)))
#else
#define TFRT_WIDE __attribute__((target("arch=x86-64-v4")))
#endif
#define TFRT_INLINE __attribute__((always_inline)) inline

// Never passed by value: what is not inlined has no registers for it.
typedef float Lanes __attribute__((vector_size(64), aligned(4), may_alias));
constexpr int64_t kLanes = 16;
constexpr int kPanelVectors = kPanelColumns / kLanes;

// Some rows of a panel, or of two, over some depth.
struct Tile {
  const float* a;
  int64_t a_stride;
  const float* b;
  int64_t panel_stride;  // from panel to panel
  int64_t depth;
  float* out;
  int64_t out_stride;
  const float* bias;  // null: none
  float alpha;
  float beta;                   // 0: what out holds is ignored
  const float* next = nullptr;  // what is to be fetched: a line or more for each step of depth
};

// All sums stay in registers, of which there are 32.
template <int rows, int vectors, int fetched>
TFRT_WIDE TFRT_INLINE void Compute(const Tile& t) {
  Lanes sums[rows][vectors];
  for (int r = 0; r < rows; ++r) {
    for (int v = 0; v < vectors; ++v) sums[r][v] = Lanes{};
  }
  const float* b = t.b;
  for (int64_t k = 0; k < t.depth; ++k, b += kPanelColumns) {
    Lanes weights[vectors];
    for (int v = 0; v < vectors; ++v) {
      weights[v] = *reinterpret_cast<const Lanes*>(b + v / kPanelVectors * t.panel_stride +
                                                   v % kPanelVectors * kLanes);
    }
    for (int line = 0; line < fetched; ++line) {
      __builtin_prefetch(t.next + (k * fetched + line) * kLanes, 0, 2);
    }
    for (int r = 0; r < rows; ++r) {
      const float x = t.a[r * t.a_stride + k];
      for (int v = 0; v < vectors; ++v) sums[r][v] += x * weights[v];
    }
  }
  for (int r = 0; r < rows; ++r) {
    for (int v = 0; v < vectors; ++v) {
      Lanes sum = sums[r][v];
      Lanes& out = *reinterpret_cast<Lanes*>(t.out + r * t.out_stride + v * kLanes);
      if (t.alpha != 1) sum *= t.alpha;
      if (t.bias) sum += *reinterpret_cast<const Lanes*>(t.bias + v * kLanes);
      if (t.beta == 1) {
        sum += out;
      } else if (t.beta != 0) {
        sum += t.beta * out;
      }
      out = sum;
    }
  }
}

constexpr int kMostRows = 6;

// So many rows, from `fewest` to kMostRows.
template <int fetched, int fewest>
TFRT_WIDE TFRT_INLINE void ComputeRows(const Tile& t, int64_t rows) {
  if constexpr (fewest < kMostRows) {
    if (rows != fewest) return ComputeRows<fetched, fewest + 1>(t, rows);
  }
  Compute<fewest, kPanelVectors, fetched>(t);
}

// All rows. The first tiles fetch `next`, which is as long as the panel.
TFRT_WIDE TFRT_INLINE void WidePanel(Tile t, int64_t rows) {
  const int64_t tiles = (rows + kMostRows - 1) / kMostRows;
  for (int64_t i = 0, row = 0; i < tiles; ++i) {
    // Tiles with equally many rows, or one more: 3 at least of two tiles, 4 of more.
    const int64_t end = rows * (i + 1) / tiles, count = end - row;
    if (tiles < kPanelVectors) {
      if (i == 0) {
        ComputeRows<kPanelVectors, 1>(t, count);
      } else {
        ComputeRows<0, 3>(t, count);
      }
    } else if (i < kPanelVectors) {
      ComputeRows<1, 4>(t, count);
      t.next += t.depth * kLanes;
    } else {
      ComputeRows<0, 4>(t, count);
    }
    t.a += count * t.a_stride;
    t.out += count * t.out_stride;
    row = end;
  }
}

// A single row is bound by reading the panels, which is fastest of two at a time.
TFRT_WIDE void MultiplyPair(const Tile& t) { Compute<1, 2 * kPanelVectors, 0>(t); }

// All rows of the first vectors of a panel.
template <int vectors, int together>
TFRT_WIDE TFRT_INLINE void NarrowPanel(const Tile& t, int64_t rows) {
  int64_t row = 0;
  auto at = [&]() __attribute__((always_inline)) {
    Tile rest = t;
    rest.a += row * t.a_stride;
    rest.out += row * t.out_stride;
    return rest;
  };
  for (; row + together <= rows; row += together) Compute<together, vectors, 0>(at());
  for (; row + together / 2 <= rows; row += together / 2) Compute<together / 2, vectors, 0>(at());
  for (; row < rows; ++row) Compute<1, vectors, 0>(at());
}

TFRT_WIDE void MultiplyPanel(const Tile& t, int64_t rows, int64_t vectors) {
  switch (vectors) {
    case 1:
      return NarrowPanel<1, 12>(t, rows);
    case 2:
      return NarrowPanel<2, 12>(t, rows);
    case 3:
      return NarrowPanel<3, 8>(t, rows);
    default:
      return WidePanel(t, rows);
  }
}

// Multiplies a tile whose last columns do not fill a vector, through memory that has room for whole
// ones.
void MultiplyLastColumns(const Tile& t, int64_t rows, int64_t columns) {
  constexpr int64_t kRows = 24;
  float sums[kRows * kPanelColumns];
  for (int64_t row = 0; row < rows; row += kRows) {
    const int64_t count = std::min(kRows, rows - row);
    Tile part = t;
    part.a += row * t.a_stride;
    part.out = sums;
    part.out_stride = kPanelColumns;
    part.bias = nullptr;
    part.beta = 0;
    MultiplyPanel(part, count, (columns + kLanes - 1) / kLanes);
    for (int64_t i = 0; i < count; ++i) {
      float* out = t.out + (row + i) * t.out_stride;
      for (int64_t j = 0; j < columns; ++j) {
        float sum = sums[i * kPanelColumns + j];
        if (t.bias) sum += t.bias[j];
        if (t.beta != 0) sum += t.beta * out[j];
        out[j] = sum;
      }
    }
  }
}

// The part of `a` that each panel uses again should take half of a second-level cache of 1 MB,
// beside the panel and the next one.
constexpr int64_t kRowsTogether = 216, kFewRows = 144;
constexpr int64_t kDepthTogether = 512, kDepthOfFewRows = 768;

}  // namespace

bool CanMultiplyPanels() {
  static const bool can = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512cd") &&
                          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return can;
}

void MultiplyPanels(const PanelProduct& p, PanelDone done, const void* context) {
  const bool in_pairs = p.rows == 1;
  const int64_t row_blocks = (p.rows + kRowsTogether - 1) / kRowsTogether;
  for (int64_t i = 0; i < row_blocks; ++i) {
    const int64_t row = p.rows * i / row_blocks, rows = p.rows * (i + 1) / row_blocks - row;
    // In parts of the depth, the sums of which meet in the output. If they are scaled, at once.
    const int64_t depth_together = rows <= kFewRows ? kDepthOfFewRows : kDepthTogether;
    const int64_t parts =
        p.alpha == 1 && !in_pairs ? (p.depth + depth_together - 1) / depth_together : 1;
    for (int64_t part = 0; part < parts; ++part) {
      const int64_t begin = p.depth * part / parts, end = p.depth * (part + 1) / parts;
      Tile tile{.a = p.a + row * p.a_stride + begin,
                .a_stride = p.a_stride,
                .b = p.panels + begin * kPanelColumns,
                .panel_stride = p.depth * kPanelColumns,
                .depth = end - begin,
                .out = p.out + row * p.out_stride,
                .out_stride = p.out_stride,
                .bias = part == 0 ? p.bias : nullptr,
                .alpha = p.alpha,
                .beta = part == 0 ? p.beta : 1};
      for (int64_t column = 0; column < p.columns;) {
        int64_t columns = std::min(kPanelColumns, p.columns - column);
        tile.next = column + kPanelColumns < p.columns ? tile.b + tile.panel_stride
                                                       : p.panels + end * kPanelColumns;
        if (in_pairs && column + 2 * kPanelColumns <= p.columns) {
          columns = 2 * kPanelColumns;
          MultiplyPair(tile);
        } else if (columns % kLanes == 0) {
          MultiplyPanel(tile, rows, columns / kLanes);
        } else {
          MultiplyLastColumns(tile, rows, columns);
        }
        if (done && part + 1 == parts) done(context, row, rows, column, columns);
        column += columns;
        tile.b += columns * p.depth;
        tile.out += columns;
        if (tile.bias) tile.bias += columns;
      }
    }
  }
}

namespace {

TFRT_WIDE void GeluRow(float* data, int64_t count) {
  TFRT_INDEPENDENT_ITERATIONS
  for (int64_t i = 0; i < count; ++i) data[i] = cpu::Gelu(data[i]);
}
TFRT_WIDE void GeluTanhRow(float* data, int64_t count) {
  TFRT_INDEPENDENT_ITERATIONS
  for (int64_t i = 0; i < count; ++i) data[i] = cpu::GeluTanh(data[i]);
}

}  // namespace

bool ActivatePanel(Activation activation, float* data, int64_t rows, int64_t columns,
                   int64_t stride) {
  void (*row)(float*, int64_t) = activation == Activation::kGelu       ? GeluRow
                                 : activation == Activation::kGeluTanh ? GeluTanhRow
                                                                       : nullptr;
  if (!row) return false;
  for (int64_t i = 0; i < rows; ++i) row(data + i * stride, columns);
  return true;
}

#else

bool CanMultiplyPanels() { return false; }
bool ActivatePanel(Activation, float*, int64_t, int64_t, int64_t) { return false; }
void MultiplyPanels(const PanelProduct&, PanelDone, const void*) { __builtin_unreachable(); }

#endif

}  // namespace tfrt::contraction
