// Functions of T along one axis of a tensor [outer,size,inner], each element of which depends on
// the others there, for outer indices [begin, end).
#ifndef TFRT_LIB_OPS_MATHS_CPU_SCAN_H_
#define TFRT_LIB_OPS_MATHS_CPU_SCAN_H_

#include <cstdint>
#include <type_traits>

#include "reduce.h"

namespace tfrt::cpu {

// Sums the elements before each element, or after it with `reverse`, and the element itself unless
// `exclusive`. Sums are in double, or in integers that wrap. `out` may be `in`.
template <typename T>
void CumulativeSum(int64_t size, int64_t inner, bool exclusive, bool reverse, const T* in, T* out,
                   int64_t begin, int64_t end) {
  using Sum = std::conditional_t<std::is_integral_v<T>, uint64_t, double>;
  for (int64_t i = begin; i < end; ++i) {
    for (int64_t j = 0; j < inner; ++j) {
      Sum sum = 0;
      for (int64_t k = 0; k < size; ++k) {
        const int64_t at = (i * size + (reverse ? size - 1 - k : k)) * inner + j;
        const Sum before = sum;
        sum += static_cast<Sum>(in[at]);
        out[at] = static_cast<T>(exclusive ? before : sum);
      }
    }
  }
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
