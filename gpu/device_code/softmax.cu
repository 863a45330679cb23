// Softmax of rows.
//
//   softmax_TYPE(out, in, rows, columns)        exp(in) / sum(exp(in)) of each row
//   log_softmax_TYPE(out, in, rows, columns)    the logarithm of that
//
// in [rows,columns] -> out, which may be `in`. A row's largest element is subtracted before, so
// that nothing overflows; sums are in f64 and in a fixed order. A row with a NaN or an infinity, or
// of nothing but -infinity, gives NaN. Blocks are whole warps, of at most kMostRowThreads, and
// compute a row at a time.

#include "block_combine.h"
#include "ops_by_type.h"
#include "reductions.h"

#define TFRT_ROW_KERNEL \
  __attribute__((launch_bounds(tfrt::gpu::device::kMostRowThreads))) TFRT_KERNEL

namespace tfrt::gpu::device {
namespace {

template <bool log, typename T>
TFRT_DEVICE void SoftmaxRows(T* out, const T* in, int64_t rows, int64_t columns) {
  using C = Compute<T>;
  RequireWholeWarps();
  const uint32_t first = ThreadInBlock(), step = ThreadsPerBlock();
  for (int64_t row = Block(); row < rows; row += NumBlocks()) {
    const T* x = in + row * columns;
    T* y = out + row * columns;
    C largest = Max<T>::None();
    for (int64_t i = first; i < columns; i += step) {
      largest = Max<T>::Combine(largest, Decode(x[i]));
    }
    largest = CombineBlock(largest, [](C a, C b) { return Max<T>::Combine(a, b); });
    f64 sum = 0;
    for (int64_t i = first; i < columns; i += step) {
      sum += static_cast<f64>(Exp(Decode(x[i]) - largest));
    }
    sum = CombineBlock(sum, [](f64 a, f64 b) { return a + b; });
    // The elements that a thread writes are those that it alone reads.
    if constexpr (log) {
      const auto log_sum = static_cast<C>(Log(sum));
      for (int64_t i = first; i < columns; i += step) {
        y[i] = Encode<T>((Decode(x[i]) - largest) - log_sum);
      }
    } else {
      const auto factor = static_cast<C>(1 / sum);
      for (int64_t i = first; i < columns; i += step) {
        y[i] = Encode<T>(Exp(Decode(x[i]) - largest) * factor);
      }
    }
  }
}

}  // namespace

using Element = TFRT_TYPE;

TFRT_ROW_KERNEL TFRT_ENTRY(softmax)(Element* out, const Element* in, int64_t rows,
                                    int64_t columns) {
  SoftmaxRows<false>(out, in, rows, columns);
}
TFRT_ROW_KERNEL TFRT_ENTRY(log_softmax)(Element* out, const Element* in, int64_t rows,
                                        int64_t columns) {
  SoftmaxRows<true>(out, in, rows, columns);
}

}  // namespace tfrt::gpu::device
