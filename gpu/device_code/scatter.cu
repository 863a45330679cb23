// Elements and slices put, or added and so on, at places that indices name. An index below 0 counts
// from the end; one outside does nothing. INDEX is i32 or i64.
//
//   scatter_nd_INDEX_TYPE(out, indices, updates, rows, depth, slice, reduction,
//                         size1, ..., size8)
//     indices [rows,depth], updates [rows,slice] into out [size1,...,size_depth,slice]; depth <= 8
//   scatter_elements_INDEX_TYPE(out, indices, updates, places, reduction, size1, ..., size8,
//                               step1, ..., step8, axis_size, axis_step)
//     indices, updates [size1,...,size8], dense: each update to the element of out [places] that is
//     index * axis_step and place * step elements away; the step along the axis is 0.
//
// `out` already has the elements that updates meet. reduction (i32): 0, an update takes the place;
// 1, sum; 2, product; 3, larger; 4, smaller, NaN if one is. f16, bf16, f32, f64, i32, i64 have all
// of them; b8, b16, b32, b64, elements of so many bits, only the first. Other numbers are i64.
// `out` shares no memory with what is read.
//
// Updates of the same element are made in the order of the indices, as the host makes them: there
// are no atomics. A block owns some of the places. It looks at all indices, kBlockThreads at a
// time, and keeps those of its own in their order. Each element is updated by one and the same
// thread.

#include "element_ops.h"
#include "fixed_blocks.h"
#include "indices.h"
#include "launch_sizes.h"
#include "ops_by_type.h"
#include "widths.h"

namespace tfrt::gpu::device {
namespace {

constexpr int kWarps = kBlockThreads / kWarp;
constexpr int64_t kSlicePart = 4096;  // elements of slices that blocks share

template <typename T>
TFRT_DEVICE T Combined(T element, T update, int32_t reduction) {
  if constexpr (kSame<T, b8> || kSame<T, b16> || kSame<T, b32> || kSame<T, b64>) {
    return update;
  } else {
    const auto x = Decode(element), y = Decode(update);
    switch (reduction) {
      case 1:
        return Encode<T>(Plus(x, y));
      case 2:
        return Encode<T>(Times(x, y));
      case 3:
        return !(y <= x) && x == x ? update : element;
      case 4:
        return !(y >= x) && x == x ? update : element;
      default:
        return update;
    }
  }
}

// place_of(row): the slice of `out` that this row of the updates is for, -1 for none.
template <typename T, typename F>
TFRT_DEVICE void Scatter(T* out, const T* updates, int64_t rows, int64_t slice, int64_t places,
                         int32_t reduction, F place_of) {
  TFRT_SHARED static int64_t found_places[kBlockThreads];
  TFRT_SHARED static int64_t found_rows[kBlockThreads];
  TFRT_SHARED static uint32_t counts[kWarps];
  const uint32_t thread = ThreadInBlock(), warp = thread / kWarp, lane = thread % kWarp;
  const int64_t parts = (slice + kSlicePart - 1) / kSlicePart;
  const int64_t groups = NumBlocks() > parts ? NumBlocks() / parts : 1;
  const int64_t share = (places + groups - 1) / groups;
  for (int64_t item = Block(); item < groups * parts; item += NumBlocks()) {
    const int64_t first = item / parts * share, last = first + share;
    const int64_t part = item % parts * kSlicePart;
    const int64_t part_end = part + kSlicePart < slice ? part + kSlicePart : slice;
    for (int64_t begin = 0; begin < rows; begin += kBlockThreads) {
      const int64_t row = begin + thread;
      const int64_t place = row < rows ? place_of(row) : -1;
      const bool is_own = place >= first && place < last;
      const uint32_t own = __nvvm_vote_ballot_sync(0xFFFFFFFF, is_own);
      if (lane == 0) counts[warp] = static_cast<uint32_t>(__builtin_popcount(own));
      Barrier();
      uint32_t before = 0, found = 0;
#pragma unroll
      for (int w = 0; w < kWarps; ++w) {
        before += w < static_cast<int>(warp) ? counts[w] : 0;
        found += counts[w];
      }
      if (is_own) {
        const uint32_t earlier = own & ((uint32_t{1} << lane) - 1);
        const uint32_t at = before + static_cast<uint32_t>(__builtin_popcount(earlier));
        found_places[at] = place;
        found_rows[at] = row;
      }
      Barrier();
      for (uint32_t k = 0; k < found; ++k) {
        T* to = out + found_places[k] * slice;
        const T* from = updates + found_rows[k] * slice;
        // The thread of an element depends on where it lies in `out` alone.
        const auto shift = static_cast<uint32_t>(found_places[k] * slice + part);
        for (int64_t j = part + (thread - shift) % kBlockThreads; j < part_end;
             j += kBlockThreads) {
          to[j] = Combined(to[j], from[j], reduction);
        }
      }
      Barrier();  // before the next rows are kept
    }
  }
}

}  // namespace

using Element = TFRT_TYPE;

#define TFRT_SCATTER_KERNELS(index)                                                             \
  TFRT_BLOCK_KERNEL TFRT_ENTRY(scatter_nd_##index)(                                             \
      Element * out, const index* indices, const Element* updates, int64_t rows, int64_t depth, \
      int64_t slice, int32_t reduction, TFRT_EIGHT(size)) {                                     \
    const Dims<8> sizes = TFRT_EIGHT_OF(size);                                                  \
    int64_t places = 1;                                                                         \
    _Pragma("unroll") for (int d = 0; d < 8; ++d) places *= d < depth ? sizes.at[d] : 1;        \
    Scatter(out, updates, rows, slice, places, reduction,                                       \
            [=](int64_t row) { return SliceOf(indices + row * depth, depth, sizes); });         \
  }                                                                                             \
  TFRT_BLOCK_KERNEL TFRT_ENTRY(scatter_elements_##index)(                                       \
      Element * out, const index* indices, const Element* updates, int64_t places,              \
      int32_t reduction, TFRT_EIGHT(size), TFRT_EIGHT(step), int64_t axis_size,                 \
      int64_t axis_step) {                                                                      \
    const Dims<8> sizes = TFRT_EIGHT_OF(size), steps = TFRT_EIGHT_OF(step);                     \
    const bool is_small = sizes.Product() <= INT32_MAX;                                         \
    Scatter(out, updates, sizes.Product(), 1, places, reduction, [=](int64_t i) -> int64_t {    \
      const int64_t at = PositionOf(indices[i], axis_size);                                     \
      if (at < 0) return -1;                                                                    \
      const Dims<8> place = is_small ? PlaceOf(static_cast<uint32_t>(i), sizes)                 \
                                     : PlaceOf(static_cast<uint64_t>(i), sizes);                \
      return place.OffsetWith(steps) + at * axis_step;                                          \
    });                                                                                         \
  }
TFRT_SCATTER_KERNELS(i32)
TFRT_SCATTER_KERNELS(i64)

}  // namespace tfrt::gpu::device
