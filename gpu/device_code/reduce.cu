// Reductions, in an order that the sizes and the number of threads alone decide. No atomics.
//
//   NAME_rows_TYPE(out, in, rows, columns)             in [rows,columns] -> out [rows]
//   NAME_columns_TYPE(out, in, outer, size, inner)     in [outer,size,inner] -> out [outer,inner]
//
// sum, mean, max, min; argmax_..._INDEX and argmin_..._INDEX write places as i32 or i64. Blocks are
// whole warps, of at most kMostRowThreads; a block computes a row at a time, or kWarp columns.
// `columns` and `size` may be 0 but for extremes and their places.

#include "block_combine.h"
#include "ops_by_type.h"
#include "reductions.h"

#define TFRT_ROW_KERNEL \
  __attribute__((launch_bounds(tfrt::gpu::device::kMostRowThreads))) TFRT_KERNEL

namespace tfrt::gpu::device {
namespace {

template <typename R, typename T>
TFRT_DEVICE void ReduceRows(typename R::Result* out, const T* in, int64_t rows, int64_t columns) {
  using State = typename R::State;
  RequireWholeWarps();
  for (int64_t row = Block(); row < rows; row += NumBlocks()) {
    const T* x = in + row * columns;
    State state = R::None();
    for (int64_t i = ThreadInBlock(); i < columns; i += ThreadsPerBlock()) {
      state = R::Combine(state, R::Of(x[i], i));
    }
    state = CombineBlock(state, [](State a, State b) { return R::Combine(a, b); });
    if (ThreadInBlock() == 0) out[row] = R::Finish(state, columns);
  }
}

// A warp reads kWarp columns side by side; the warps of a block share the elements of a column.
template <typename R, typename T>
TFRT_DEVICE void ReduceColumns(typename R::Result* out, const T* in, int64_t outer, int64_t size,
                               int64_t inner) {
  using State = typename R::State;
  RequireWholeWarps();
  TFRT_SHARED static State states[kMostRowThreads / kWarp][kWarp];
  const int64_t groups = (inner + kWarp - 1) / kWarp;
  const uint32_t lane = ThreadInBlock() % kWarp, warp = ThreadInBlock() / kWarp;
  const uint32_t warps = ThreadsPerBlock() / kWarp;
  for (int64_t i = Block(); i < outer * groups; i += NumBlocks()) {
    const int64_t group = i / groups, column = i % groups * kWarp + lane;
    const T* x = in + group * size * inner + column;
    State state = R::None();
    if (column < inner) {
      for (int64_t k = warp; k < size; k += warps) {
        state = R::Combine(state, R::Of(x[k * inner], k));
      }
    }
    states[warp][lane] = state;
    Barrier();
    if (warp == 0 && column < inner) {
      for (uint32_t w = 1; w < warps; ++w) state = R::Combine(state, states[w][lane]);
      out[group * inner + column] = R::Finish(state, size);
    }
    Barrier();  // before the next group is written
  }
}

}  // namespace

using Element = TFRT_TYPE;

#define TFRT_REDUCE_KERNELS(rows_name, columns_name, Reduction)                          \
  TFRT_ROW_KERNEL rows_name(Reduction::Result* out, const Element* in, int64_t rows,     \
                            int64_t columns) {                                           \
    ReduceRows<Reduction>(out, in, rows, columns);                                       \
  }                                                                                      \
  TFRT_ROW_KERNEL columns_name(Reduction::Result* out, const Element* in, int64_t outer, \
                               int64_t size, int64_t inner) {                            \
    ReduceColumns<Reduction>(out, in, outer, size, inner);                               \
  }
#define TFRT_REDUCTION(name, op)          \
  using name##_of_elements = op<Element>; \
  TFRT_REDUCE_KERNELS(TFRT_ENTRY(name##_rows), TFRT_ENTRY(name##_columns), name##_of_elements)
#define TFRT_ARG_REDUCTION_AS(name, smallest, index)                \
  using name##_as_##index = ArgExtreme<Element, index, smallest>;   \
  TFRT_REDUCE_KERNELS(TFRT_JOIN(TFRT_ENTRY(name##_rows), _##index), \
                      TFRT_JOIN(TFRT_ENTRY(name##_columns), _##index), name##_as_##index)
#define TFRT_ARG_REDUCTION(name, smallest)   \
  TFRT_ARG_REDUCTION_AS(name, smallest, i32) \
  TFRT_ARG_REDUCTION_AS(name, smallest, i64)

TFRT_REDUCTIONS(TFRT_REDUCTION)
TFRT_ARG_REDUCTIONS(TFRT_ARG_REDUCTION)

}  // namespace tfrt::gpu::device
