// Reductions, in an order that sizes alone decide. No atomics.
//
//   NAME_TYPE(out, in, outer, size, inner, parts)
//     in [outer,size,inner] -> out [outer,inner] if `parts` is 1. Otherwise `size` is reduced in so
//     many parts, and out is memory for their states [outer,parts,inner], which take
//     kReductionStateBytes each.
//   NAME_parts_TYPE(out, states, outer, size, inner, parts)
//     combines these states: out [outer,inner].
//
// sum, mean, prod, max, min; argmax_..._INDEX and argmin_..._INDEX write places as i32 or i64.
// Blocks of kRowThreads threads. launch.h says how many parts there are. `size` may be 0 but for
// extremes and their places.

#include "block_combine.h"
#include "ops_by_type.h"
#include "reductions.h"
#include "vectors.h"

namespace tfrt::gpu::device {
namespace {

using Element = TFRT_TYPE;

// --- States in memory.

struct alignas(16) PlaceInMemory {
  uint64_t value;
  i64 index;
};
template <typename State>
struct InMemory {
  using Type = State;
};
template <typename V>
struct InMemory<Indexed<V>> {
  using Type = PlaceInMemory;
};

template <typename State>
TFRT_DEVICE State Pack(State state) {
  return state;
}
template <typename V>
TFRT_DEVICE PlaceInMemory Pack(Indexed<V> place) {
  using Bits = typename WhereElse<sizeof(V) == 4, uint32_t, uint64_t>::Type;
  return {BitCast<Bits>(place.value), place.index};
}

template <typename State, typename In>
TFRT_DEVICE State Unpack(In in) {
  if constexpr (kSame<In, PlaceInMemory>) {
    using Value = decltype(State::value);
    using Bits = typename WhereElse<sizeof(Value) == 4, uint32_t, uint64_t>::Type;
    return {BitCast<Value>(static_cast<Bits>(in.value)), in.index};
  } else {
    return in;
  }
}

// Where a kernel writes: results, or the states of parts.
template <typename R>
struct Results {
  void* out;
  bool is_states;
  int64_t size;

  TFRT_DEVICE void Write(int64_t i, typename R::State state) const {
    if (is_states) {
      static_cast<typename InMemory<typename R::State>::Type*>(out)[i] = Pack(state);
    } else {
      static_cast<typename R::Result*>(out)[i] = R::Finish(state, size);
    }
  }
};

// The sizes of a reduction, and the elements of each part.
template <typename In>
struct Extent {
  const In* in;
  int64_t outer;
  int64_t size;
  int64_t inner;
  int64_t parts;
  int64_t part_size;

  // Returns the matrix of part i of those of all matrices.
  TFRT_DEVICE int64_t MatrixOf(int64_t i) const { return parts == 1 ? i : Divide(i, parts); }
  TFRT_DEVICE int64_t Begin(int64_t part) const { return part * part_size; }
  TFRT_DEVICE int64_t End(int64_t part) const {
    const int64_t end = Begin(part) + part_size;
    return end < size ? end : size;
  }
};

// --- Elements side by side, for a warp or a block.

// The share of thread `thread` of `threads` in the elements from `begin` to `end`: whole vectors in
// turn. No address decides which elements these are.
template <typename R>
TFRT_DEVICE typename R::State ReduceShare(const Element* row, int64_t begin, int64_t end,
                                          int thread, int threads) {
  constexpr int kCount = kWholeVector<Element>, kAtOnce = R::kIsShort ? 2 : 1;
  const bool is_aligned = IsAligned(row + begin, kMostVectorBytes);
  const int64_t by = int64_t{threads} * kCount;
  int64_t i = begin + int64_t{thread} * kCount;
  typename R::State state = R::NoneFrom(i);
#pragma unroll 1
  for (; i + (kAtOnce - 1) * by + kCount <= end; i += kAtOnce * by) {
    Vector<Element, kCount> some[kAtOnce];
#pragma unroll
    for (int j = 0; j < kAtOnce; ++j) {
      some[j] = LoadVector<kCount>(row + i + j * by, kCount, is_aligned);
    }
#pragma unroll
    for (int j = 0; j < kAtOnce; ++j) {
#pragma unroll
      for (int e = 0; e < kCount; ++e) state = R::Add(state, some[j].at[e], i + j * by + e);
    }
  }
#pragma unroll 1
  for (; i < end; i += by) {
    const int64_t count = end - i;
    const auto some = LoadVector<kCount>(row + i, count, is_aligned);
#pragma unroll
    for (int e = 0; e < kCount; ++e) {
      if (e < count) state = R::Add(state, some.at[e], i + e);
    }
  }
  return state;
}

template <typename R>
TFRT_DEVICE void ReduceRows(const Results<R>& results, const Extent<Element>& extent,
                            bool by_blocks) {
  using State = typename R::State;
  const int threads = by_blocks ? kRowThreads : kWarp, at_once = kRowThreads / threads;
  const int thread = static_cast<int>(ThreadInBlock()) & (threads - 1);
  const int row_in_block = by_blocks ? 0 : static_cast<int>(ThreadInBlock()) / kWarp;
  auto combine = [](State a, State b) { return R::Combine(a, b); };
#pragma unroll 1
  for (int64_t i = int64_t{Block()} * at_once + row_in_block; i < extent.outer * extent.parts;
       i += int64_t{NumBlocks()} * at_once) {
    const int64_t row = extent.MatrixOf(i), part = i - row * extent.parts;
    State state = ReduceShare<R>(extent.in + row * extent.size, extent.Begin(part),
                                 extent.End(part), thread, threads);
    state = CombineWarp(state, combine);
    if (by_blocks) state = CombineWarps(state, combine);
    if (thread == 0) results.Write(i, state);
  }
}

// --- Elements one after the other, for a thread, or for the threads of a block that have the same
// column.

// Elements `begin`, `begin` + by, ... before `end`, which are `step` elements apart each from the
// next. Several are on their way at a time.
template <typename R, typename In>
TFRT_DEVICE typename R::State ReduceStrided(const In* in, int64_t begin, int64_t end, int64_t by,
                                            int64_t step) {
  constexpr int kAtOnce = R::kIsShort ? 8 : 4;
  typename R::State state = R::NoneFrom(begin);
  auto add = [&](const In& element, int64_t index) {
    if constexpr (kSame<In, Element>) {
      state = R::Add(state, element, index);  // of a state that is an element: the same
    } else {
      state = R::Combine(state, Unpack<typename R::State>(element));
    }
  };
  int64_t k = begin;
#pragma unroll 1
  for (; k + (kAtOnce - 1) * by < end; k += kAtOnce * by) {
    In some[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) some[i] = in[(k + i * by) * step];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) add(some[i], k + i * by);
  }
#pragma unroll 1
  for (; k < end; k += by) add(in[k * step], k);
  return state;
}

// The threads of a block as rows of up to kWarp columns each; or, if `is_single`, as one row, in
// which the columns of all matrices stand side by side.
template <typename R, typename In>
TFRT_DEVICE void ReduceColumns(const Results<R>& results, const Extent<In>& extent,
                               bool is_single) {
  using State = typename R::State;
  TFRT_SHARED static State states[kRowThreads];
  const int64_t size = extent.size, inner = extent.inner;
  const int thread = static_cast<int>(ThreadInBlock());
  const int columns = is_single ? kRowThreads : static_cast<int>(ReductionColumns(inner));
  const int rows = kRowThreads / columns, row = thread / columns;
  const int64_t groups = is_single ? 1 : CeilDiv(inner, kWarp);
  const int64_t items =
      is_single ? CeilDiv(extent.outer * inner, kRowThreads) : extent.outer * extent.parts * groups;
#pragma unroll 1
  for (int64_t i = Block(); i < items; i += NumBlocks()) {
    // A thread of the single row, or the block, as a part of a matrix and a place in that.
    const int64_t number = is_single ? i * kRowThreads + thread : i;
    const int64_t places = is_single ? inner : groups;
    const int64_t part = Divide(number, places), place = number - part * places;
    const int64_t column = is_single ? place : place * columns + (thread - row * columns);
    const int64_t matrix = extent.MatrixOf(part);
    State state = R::None();
    if (row < rows && column < inner && matrix < extent.outer) {
      const int64_t in_matrix = part - matrix * extent.parts;
      state = ReduceStrided<R>(extent.in + matrix * size * inner + column,
                               extent.Begin(in_matrix) + row, extent.End(in_matrix), rows, inner);
    }
    if (rows > 1) {
      states[thread] = state;
      Barrier();
#pragma unroll 1
      for (int left = rows; left > 1; left = (left + 1) / 2) {
        const int half = (left + 1) / 2;
        if (row < left - half) {
          state = R::Combine(state, states[thread + half * columns]);
          states[thread] = state;
        }
        Barrier();  // the last one precedes the next item's states
      }
    }
    if (row == 0 && column < inner && matrix < extent.outer) {
      results.Write(part * inner + column, state);
    }
  }
}

template <typename R>
TFRT_DEVICE void Reduce(void* out, const Element* in, int64_t outer, int64_t size, int64_t inner,
                        int64_t parts) {
  const Results<R> results = {out, parts != 1, size};
  const Extent<Element> extent = {in, outer, size, inner, parts, PartSize(size, parts)};
  const ReductionWay way = ReductionWayOf(size, inner, parts);
  if (way == ReductionWay::kWarp || way == ReductionWay::kBlock) {
    ReduceRows(results, extent, way == ReductionWay::kBlock);
  } else {
    ReduceColumns(results, extent, way == ReductionWay::kThread);
  }
}

template <typename R>
TFRT_DEVICE void CombineParts(void* out, const typename InMemory<typename R::State>::Type* states,
                              int64_t outer, int64_t size, int64_t inner, int64_t parts) {
  ReduceColumns(
      Results<R>{out, false, size},
      Extent<typename InMemory<typename R::State>::Type>{states, outer, parts, inner, 1, parts},
      false);
}

}  // namespace

// Each block may have a quarter of the registers. Without that the assembler saves so many that
// it spills.
#define TFRT_REDUCE_KERNEL \
  __attribute__((launch_bounds(tfrt::gpu::device::kRowThreads, 4))) TFRT_KERNEL

#define TFRT_REDUCE_KERNELS(name, parts_name, Reduction)                                    \
  TFRT_REDUCE_KERNEL name(void* out, const Element* in, int64_t outer, int64_t size,        \
                          int64_t inner, int64_t parts) {                                   \
    Reduce<Reduction>(out, in, outer, size, inner, parts);                                  \
  }                                                                                         \
  TFRT_ROW_KERNEL parts_name(Reduction::Result* out,                                        \
                             const InMemory<Reduction::State>::Type* states, int64_t outer, \
                             int64_t size, int64_t inner, int64_t parts) {                  \
    CombineParts<Reduction>(out, states, outer, size, inner, parts);                        \
  }
#define TFRT_REDUCTION(name, op)          \
  using name##_of_elements = op<Element>; \
  TFRT_REDUCE_KERNELS(TFRT_ENTRY(name), TFRT_ENTRY(name##_parts), name##_of_elements)
#define TFRT_ARG_REDUCTION_AS(name, smallest, index)              \
  using name##_as_##index = ArgExtreme<Element, index, smallest>; \
  TFRT_REDUCE_KERNELS(TFRT_JOIN(TFRT_ENTRY(name), _##index),      \
                      TFRT_JOIN(TFRT_ENTRY(name##_parts), _##index), name##_as_##index)
#define TFRT_ARG_REDUCTION(name, smallest)   \
  TFRT_ARG_REDUCTION_AS(name, smallest, i32) \
  TFRT_ARG_REDUCTION_AS(name, smallest, i64)

TFRT_REDUCTIONS(TFRT_REDUCTION)
TFRT_ARG_REDUCTIONS(TFRT_ARG_REDUCTION)

}  // namespace tfrt::gpu::device
