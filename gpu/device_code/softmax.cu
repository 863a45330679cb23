// Softmax of rows.
//
//   softmax_TYPE(out, in, rows, columns)        exp(in) / sum(exp(in)) of each row
//   log_softmax_TYPE(out, in, rows, columns)    the logarithm of that
//
// in [rows,columns] -> out, which may be `in`. The largest element is subtracted before, so that
// nothing overflows; sums are in f64 and in an order that `columns` alone decides. A row with a NaN
// or an infinity, or of nothing but -infinity, gives NaN. Blocks of kRowThreads threads, of which
// a warp computes a row of up to kSoftmaxMostOfWarp elements, and all compute a longer one. Rows of
// up to kRowThreads kSoftmaxSlots elements are read once, longer ones twice.

#include "block_combine.h"
#include "ops_by_type.h"
#include "reductions.h"
#include "vectors.h"

namespace tfrt::gpu::device {
namespace {

using Element = TFRT_TYPE;
using C = Compute<Element>;

constexpr int kCount = kWholeVector<Element>, kVectors = kSoftmaxSlots / kCount;

// Memory of each thread's own for elements of a row: shared memory, as registers have no indices.
struct Slots {
  C at[kSoftmaxSlots][kRowThreads];
};

// A row, and the threads that compute it. They have whole vectors in turn, and which elements these
// are depends on no address.
struct Row {
  const Element* in;
  Element* out;
  int64_t columns;
  int thread;
  int threads;
  bool is_aligned;

  TFRT_DEVICE int64_t ChunkSize() const { return int64_t{threads} * kSoftmaxSlots; }
  // The vectors of a thread in the chunk from `chunk` on, the same number for all threads.
  TFRT_DEVICE int VectorsIn(int64_t chunk) const {
    const int64_t rest = columns - chunk;
    const int at_once = threads * kCount;
    return rest >= ChunkSize() ? kVectors : (static_cast<int>(rest) + at_once - 1) / at_once;
  }
  TFRT_DEVICE int64_t VectorAt(int64_t chunk, int i) const {
    return chunk + (int64_t{i} * threads + thread) * kCount;
  }

  // Where there are no elements, slots are -infinity. Returns the largest.
  TFRT_DEVICE C Load(Slots& slots, int64_t chunk) const {
    const int vectors = VectorsIn(chunk);
    C largest = Max<Element>::None();
#pragma unroll 1
    for (int i = 0; i < vectors; ++i) {
      const int64_t at = VectorAt(chunk, i), count = columns - at;
      const auto some = LoadVector<kCount>(in + at, count, is_aligned);
#pragma unroll
      for (int e = 0; e < kCount; ++e) {
        const C x = e < count ? Decode(some.at[e]) : Max<Element>::None();
        slots.at[i * kCount + e][ThreadInBlock()] = x;
        largest = Max<Element>::Combine(largest, x);
      }
    }
    return largest;
  }
  TFRT_DEVICE void Store(const Slots& slots, int64_t chunk) const {
    const int vectors = VectorsIn(chunk);
#pragma unroll 1
    for (int i = 0; i < vectors; ++i) {
      const int64_t at = VectorAt(chunk, i), count = columns - at;
      Vector<Element, kCount> some;
#pragma unroll
      for (int e = 0; e < kCount; ++e) {
        some.at[e] = Encode<Element>(slots.at[i * kCount + e][ThreadInBlock()]);
      }
      StoreVector(out + at, some, count, is_aligned);
    }
  }
};

// exp(a - b) of two that are among the largest elements of parts of a row.
TFRT_DEVICE f64 Factor(C a, C b) { return Exp(static_cast<f64>(a) - static_cast<f64>(b)); }

template <bool log>
TFRT_DEVICE void SoftmaxRow(Slots& slots, const Row& row, bool by_blocks) {
  auto combine = [=](auto value, auto function) {
    value = CombineWarp(value, function);
    return by_blocks ? CombineWarps(value, function) : value;
  };
  // The largest of the thread's elements up to here, and the sum of exp(x - largest).
  C largest = Max<Element>::None();
  f64 sum = 0;
#pragma unroll 1
  for (int64_t chunk = 0; chunk < row.columns; chunk += row.ChunkSize()) {
    const C in_chunk = row.Load(slots, chunk);
    if (!(in_chunk <= largest)) {
      const C before = largest;
      largest = Max<Element>::Combine(before, in_chunk);
      if (chunk != 0) sum *= Factor(before, largest);
    }
    if (largest == Max<Element>::None()) continue;
    const int used = row.VectorsIn(chunk) * kCount;
#pragma unroll 1
    for (int i = 0; i < used; ++i) {
      sum += static_cast<f64>(Exp(slots.at[i][ThreadInBlock()] - largest));
    }
  }
  const C of_thread = largest;
  largest = combine(largest, [](C a, C b) { return Max<Element>::Combine(a, b); });
  sum = combine(sum * Factor(of_thread, largest), [](f64 a, f64 b) { return a + b; });
  const C result = static_cast<C>(log ? Log(sum) : 1 / sum);
#pragma unroll 1
  for (int64_t chunk = 0; chunk < row.columns; chunk += row.ChunkSize()) {
    if (row.columns > row.ChunkSize()) row.Load(slots, chunk);
    const int used = row.VectorsIn(chunk) * kCount;
#pragma unroll 1
    for (int i = 0; i < used; ++i) {
      C& slot = slots.at[i][ThreadInBlock()];
      const C x = slot - largest;
      slot = log ? x - result : Exp(x) * result;
    }
    row.Store(slots, chunk);
  }
}

template <bool log>
TFRT_DEVICE void SoftmaxRows(Element* out, const Element* in, int64_t rows, int64_t columns) {
  TFRT_SHARED static Slots slots;
  const bool by_blocks = columns > kSoftmaxMostOfWarp;
  const int threads = by_blocks ? kRowThreads : kWarp, at_once = kRowThreads / threads;
  const int thread = static_cast<int>(ThreadInBlock()), in_block = by_blocks ? 0 : thread / kWarp;
#pragma unroll 1
  for (int64_t i = int64_t{Block()} * at_once + in_block; i < rows;
       i += int64_t{NumBlocks()} * at_once) {
    const Element* x = in + i * columns;
    Element* y = out + i * columns;
    const bool is_aligned = IsAligned(x, kMostVectorBytes) && IsAligned(y, kMostVectorBytes);
    SoftmaxRow<log>(slots, {x, y, columns, thread & (threads - 1), threads, is_aligned}, by_blocks);
  }
}

}  // namespace

TFRT_ROW_KERNEL TFRT_ENTRY(softmax)(Element* out, const Element* in, int64_t rows,
                                    int64_t columns) {
  SoftmaxRows<false>(out, in, rows, columns);
}
TFRT_ROW_KERNEL TFRT_ENTRY(log_softmax)(Element* out, const Element* in, int64_t rows,
                                        int64_t columns) {
  SoftmaxRows<true>(out, in, rows, columns);
}

}  // namespace tfrt::gpu::device
