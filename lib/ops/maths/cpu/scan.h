// Functions of T along one axis of a tensor [outer,size,inner], each element of which depends on
// the others there, for outer indices [begin, end).
#ifndef TFRT_LIB_OPS_MATHS_CPU_SCAN_H_
#define TFRT_LIB_OPS_MATHS_CPU_SCAN_H_

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "reduce.h"

namespace tfrt::cpu {

namespace internal {
// So many columns that lie side by side are walked down together.
inline constexpr int64_t kScanColumns = 32;

template <typename T, typename State, typename Next>
void Scan(int64_t size, int64_t inner, bool exclusive, bool reverse, const T* in, T* out,
          int64_t begin, int64_t end, State first, Next next) {
  for (int64_t i = begin; inner == 1 && i < end; ++i) {
    State state = first;
    for (int64_t k = 0; k < size; ++k) {
      const int64_t at = i * size + (reverse ? size - 1 - k : k);
      const State before = state;
      state = next(before, static_cast<State>(in[at]));
      out[at] = static_cast<T>(exclusive ? before : state);
    }
  }
  for (int64_t i = begin; inner != 1 && i < end; ++i) {
    for (int64_t left = 0; left < inner; left += kScanColumns) {
      const int64_t columns = std::min(kScanColumns, inner - left);
      State states[kScanColumns];
      std::fill_n(states, columns, first);
      for (int64_t k = 0; k < size; ++k) {
        const int64_t at = (i * size + (reverse ? size - 1 - k : k)) * inner + left;
        for (int64_t j = 0; j < columns; ++j) {
          const State before = states[j];
          states[j] = next(before, static_cast<State>(in[at + j]));
          out[at + j] = static_cast<T>(exclusive ? before : states[j]);
        }
      }
    }
  }
}
}  // namespace internal

// Sums the elements before each element, or after it with `reverse`, and the element itself unless
// `exclusive`. Sums are in double, or in integers that wrap. `out` may be `in`.
template <typename T>
void CumulativeSum(int64_t size, int64_t inner, bool exclusive, bool reverse, const T* in, T* out,
                   int64_t begin, int64_t end) {
  using Sum = std::conditional_t<std::is_integral_v<T>, uint64_t, double>;
  internal::Scan(size, inner, exclusive, reverse, in, out, begin, end, Sum(0),
                 [](Sum sum, Sum element) { return sum + element; });
}
// The same of products.
template <typename T>
void CumulativeProduct(int64_t size, int64_t inner, bool exclusive, bool reverse, const T* in,
                       T* out, int64_t begin, int64_t end) {
  using Product = std::conditional_t<std::is_integral_v<T>, uint64_t, double>;
  internal::Scan(size, inner, exclusive, reverse, in, out, begin, end, Product(1),
                 [](Product product, Product element) { return product * element; });
}

// 1 where Argmax finds the largest element of a row, 0 elsewhere. `size` > 0.
template <typename T>
void HardmaxRows(int64_t size, const T* in, T* out, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) {
    int64_t found;
    Argmax(size, 1, in + i * size, &found, 0, 1);
    for (int64_t k = 0; k < size; ++k) out[i * size + k] = static_cast<T>(k == found ? 1.0f : 0.0f);
  }
}

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_SCAN_H_
