// Elements that depend on the others along a dimension: in [outer,size,inner].
//
//   cumulative_sum_TYPE(out, in, outer, size, inner, exclusive, reverse)
//     the sum of the elements before each element, or after it with `reverse` (i32), and of the
//     element itself unless `exclusive` (i32). Sums are in f64 and in a fixed order; those of
//     integers wrap. `out` may be `in`.
//   top_k_TYPE(values, places, in, outer, size, inner, k, largest)
//     values, places [outer,k,inner]: the k largest elements, or smallest unless `largest` (i32),
//     the first of equal ones before the others, and where (i64) they are. NaN is above all
//     numbers. k <= size. It looks through all elements k times, and so is for small k.
//
// Other numbers are i64. Columns side by side are computed by threads of their own, elements of one
// column by the threads of a block: which of the two depends on `inner` alone.

#include "block_combine.h"
#include "fixed_blocks.h"
#include "ops_by_type.h"
#include "reductions.h"

namespace tfrt::gpu::device {
namespace {

// The sum of `value` and the values of all threads before this one. All threads of the block call
// it. `*all` becomes the sum of all.
template <typename S>
TFRT_DEVICE S SumOfThreadsBefore(S value, S* all) {
  TFRT_SHARED static S sums[kBlockThreads];
  const uint32_t thread = ThreadInBlock();
  S sum = value;
  for (uint32_t distance = 1; distance < kBlockThreads; distance *= 2) {
    sums[thread] = sum;
    Barrier();
    if (thread >= distance) sum += sums[thread - distance];
    Barrier();
  }
  sums[thread] = sum;
  Barrier();
  *all = sums[kBlockThreads - 1];
  const S before = thread > 0 ? sums[thread - 1] : S(0);
  Barrier();  // before the next use of `sums`
  return before;
}

template <typename T>
using SumOf = typename WhereElse<kIsInteger<T>, uint64_t, f64>::Type;

template <typename T>
TFRT_DEVICE T AsElement(SumOf<T> sum) {
  if constexpr (kIsInteger<T>) {
    return static_cast<T>(sum);
  } else {
    return Cast<T>(sum);
  }
}

template <typename T>
TFRT_DEVICE void SumColumns(T* out, const T* in, int64_t outer, int64_t size, int64_t inner,
                            bool exclusive, bool reverse) {
  ForEach(outer * inner, [=](int64_t column) {
    const int64_t first = column / inner * size * inner + column % inner;
    SumOf<T> sum = 0;
    for (int64_t k = 0; k < size; ++k) {
      const int64_t at = first + (reverse ? size - 1 - k : k) * inner;
      const SumOf<T> before = sum;
      sum += static_cast<SumOf<T>>(Decode(in[at]));
      out[at] = AsElement<T>(exclusive ? before : sum);
    }
  });
}

// A block for each column; each thread takes an element of kBlockThreads at a time.
template <typename T>
TFRT_DEVICE void SumLongColumns(T* out, const T* in, int64_t outer, int64_t size, int64_t inner,
                                bool exclusive, bool reverse) {
  for (int64_t column = Block(); column < outer * inner; column += NumBlocks()) {
    const int64_t first = column / inner * size * inner + column % inner;
    SumOf<T> carried = 0;
    for (int64_t begin = 0; begin < size; begin += kBlockThreads) {
      const int64_t k = begin + ThreadInBlock();
      const int64_t at = first + (reverse ? size - 1 - k : k) * inner;
      const SumOf<T> own = k < size ? static_cast<SumOf<T>>(Decode(in[at])) : SumOf<T>(0);
      SumOf<T> all;
      const SumOf<T> before = carried + SumOfThreadsBefore(own, &all);
      if (k < size) out[at] = AsElement<T>(exclusive ? before : before + own);
      carried += all;
    }
  }
}

// Numbers in their order, then NaN.
template <typename C>
TFRT_DEVICE bool IsBelow(C a, C b) {
  if (a != a) return false;
  return b != b || a < b;
}

// Whether `a` comes before `b` among the best.
template <typename C>
TFRT_DEVICE bool ComesFirst(const Indexed<C>& a, const Indexed<C>& b, bool largest) {
  if (largest ? IsBelow(b.value, a.value) : IsBelow(a.value, b.value)) return true;
  if (largest ? IsBelow(a.value, b.value) : IsBelow(b.value, a.value)) return false;
  return a.index < b.index;
}

template <typename T>
TFRT_DEVICE void TopK(T* values, i64* places, const T* in, int64_t outer, int64_t size,
                      int64_t inner, int64_t k, bool largest) {
  using Candidate = Indexed<Compute<T>>;
  for (int64_t column = Block(); column < outer * inner; column += NumBlocks()) {
    const T* x = in + column / inner * size * inner + column % inner;
    const int64_t out = column / inner * k * inner + column % inner;
    Candidate last = {};
    for (int64_t found = 0; found < k; ++found) {
      // The best of those that come after the last one found. Index -1: there is none yet.
      Candidate best = {Compute<T>(0), -1};
      for (int64_t i = ThreadInBlock(); i < size; i += kBlockThreads) {
        const Candidate next = {Decode(x[i * inner]), i};
        if (found > 0 && !ComesFirst(last, next, largest)) continue;
        if (best.index < 0 || ComesFirst(next, best, largest)) best = next;
      }
      best = CombineBlock(best, [=](Candidate a, Candidate b) {
        const bool takes_a = b.index < 0 || (a.index >= 0 && ComesFirst(a, b, largest));
        // Member by member: a choice between whole structs would put both into local memory.
        return Candidate{takes_a ? a.value : b.value, takes_a ? a.index : b.index};
      });
      last = best;
      if (ThreadInBlock() == 0) {
        values[out + found * inner] = x[best.index * inner];
        places[out + found * inner] = best.index;
      }
    }
  }
}

}  // namespace

using Element = TFRT_TYPE;

TFRT_BLOCK_KERNEL TFRT_ENTRY(cumulative_sum)(Element* out, const Element* in, int64_t outer,
                                             int64_t size, int64_t inner, int32_t exclusive,
                                             int32_t reverse) {
  if (inner >= kManyScanColumns) {
    SumColumns(out, in, outer, size, inner, exclusive != 0, reverse != 0);
  } else {
    SumLongColumns(out, in, outer, size, inner, exclusive != 0, reverse != 0);
  }
}

TFRT_BLOCK_KERNEL TFRT_ENTRY(top_k)(Element* values, i64* places, const Element* in, int64_t outer,
                                    int64_t size, int64_t inner, int64_t k, int32_t largest) {
  TopK(values, places, in, outer, size, inner, k, largest != 0);
}

}  // namespace tfrt::gpu::device
