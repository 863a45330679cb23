// The loops of the kernels of bytes, over a few operations of an instruction set. A source file
// defines TFRT_BYTE_TARGET, the attribute of that instruction set, before it includes this. All is
// in an anonymous namespace: no other file must get these copies.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_BYTE_PANEL_LOOPS_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_BYTE_PANEL_LOOPS_H_

#include <cstdint>

#include "byte_kernels.h"

#ifndef TFRT_BYTE_TARGET
#error "byte_panel_loops.h: TFRT_BYTE_TARGET is not defined"
#endif
#define TFRT_BYTE_INLINE TFRT_BYTE_TARGET __attribute__((always_inline)) inline

namespace tfrt::contraction {
namespace {

// Ops has: Element, of rows; Sums, Weights and Factor, vectors or less; kTogether, kLanes,
// kVectors, kMostRows; Load, Broadcast, Add, Store. All sums stay in registers.
template <typename Ops, int rows>
TFRT_BYTE_INLINE void MultiplySomeRows(const typename Ops::Element* a, const PanelRows& p,
                                       int32_t* out) {
  constexpr int64_t kVectorBytes = Ops::kLanes * Ops::kTogether;
  typename Ops::Sums sums[rows][Ops::kVectors] = {};
  const int8_t* panel = p.panel;
  for (int64_t k = 0; k < p.depth; k += Ops::kTogether, panel += Ops::kVectors * kVectorBytes) {
    typename Ops::Weights weights[Ops::kVectors];
    for (int v = 0; v < Ops::kVectors; ++v) Ops::Load(panel + v * kVectorBytes, weights[v]);
    for (int r = 0; r < rows; ++r) {
      typename Ops::Factor factor;
      Ops::Broadcast(a + r * p.a_stride + k, factor);
      for (int v = 0; v < Ops::kVectors; ++v) Ops::Add(factor, weights[v], sums[r][v]);
    }
  }
  for (int r = 0; r < rows; ++r) {
    for (int v = 0; v < Ops::kVectors; ++v) {
      Ops::Store(sums[r][v], out + r * p.out_stride + v * Ops::kLanes);
    }
  }
}

// The last rows, fewer than kMostRows.
template <typename Ops, int rows>
TFRT_BYTE_TARGET void MultiplyLastRows(const typename Ops::Element* a, const PanelRows& p,
                                       int32_t* out, int64_t count) {
  if constexpr (rows > 0) {
    if (count != rows) return MultiplyLastRows<Ops, rows - 1>(a, p, out, count);
    MultiplySomeRows<Ops, rows>(a, p, out);
  }
}

template <typename Ops>
TFRT_BYTE_TARGET void MultiplyPanel(const PanelRows& p) {
  const auto* a = static_cast<const typename Ops::Element*>(p.a);
  int64_t row = 0;
  for (; row + Ops::kMostRows <= p.rows; row += Ops::kMostRows) {
    MultiplySomeRows<Ops, Ops::kMostRows>(a + row * p.a_stride, p, p.out + row * p.out_stride);
  }
  MultiplyLastRows<Ops, Ops::kMostRows - 1>(a + row * p.a_stride, p, p.out + row * p.out_stride,
                                            p.rows - row);
}

// Tiles of 16 rows: two of rows, two of columns, and four of sums. Tiles has: Configure, Zero, Step
// and Store, of one tile of rows or of two; its destructor gives the tiles up.
inline constexpr int64_t kTileRows = 16, kTileDepth = 64, kTileTogether = 4, kTilePanel = 32;

template <typename Tiles>
TFRT_BYTE_TARGET void MultiplyTiles(const PanelRows& p) {
  Tiles tiles;
  for (int64_t row = 0; row < p.rows; row += 2 * kTileRows) {
    const int64_t left = p.rows - row, low = left < kTileRows ? left : kTileRows;
    const int64_t rest = left - low, high = rest < kTileRows ? rest : kTileRows;
    tiles.Configure(low, high);
    tiles.Zero();
    const uint8_t* a = static_cast<const uint8_t*>(p.a) + row * p.a_stride;
    const int8_t* panel = p.panel;
    for (int64_t k = 0; k < p.depth; k += kTileDepth, panel += kTileDepth * kTilePanel) {
      tiles.Step(a + k, p.a_stride, panel);
    }
    tiles.Store(p.out + row * p.out_stride, p.out_stride);
  }
}

}  // namespace
}  // namespace tfrt::contraction

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_BYTE_PANEL_LOOPS_H_
