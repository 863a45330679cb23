// Sums and maxima of consecutive floats, in 16 lanes whatever the instruction set, so that all give
// the same bits.
#ifndef TFRT_LIB_OPS_MATHS_CPU_ROW_SUMS_H_
#define TFRT_LIB_OPS_MATHS_CPU_ROW_SUMS_H_

#include <algorithm>
#include <cstdint>

#include "vector_math.h"

namespace tfrt::cpu {

typedef float RowLanes __attribute__((vector_size(32), aligned(4), may_alias));
inline constexpr int64_t kRowLanes = 8;
// Elements that are summed in single precision; the sums of such runs are added in double
// precision.
inline constexpr int64_t kSumRun = 512;

// The sum of a[i] * b[i]. As SumOf.
[[gnu::always_inline]] static inline double DotOf(const float* a, const float* b, int64_t size) {
  double total = 0;
  while (size > 0) {
    int64_t run = std::min(size, kSumRun);
    RowLanes sums[2] = {};
    int64_t i = 0;
    for (; i + 2 * kRowLanes <= run; i += 2 * kRowLanes) {
      for (int64_t half = 0; half < 2; ++half) {
        sums[half] += *reinterpret_cast<const RowLanes*>(a + i + half * kRowLanes) *
                      *reinterpret_cast<const RowLanes*>(b + i + half * kRowLanes);
      }
    }
    for (int64_t lane = 0; i < run; ++i, lane = (lane + 1) % kRowLanes) {
      sums[0][lane] += a[i] * b[i];
    }
    RowLanes sum = sums[0] + sums[1];
    total += static_cast<double>(((sum[0] + sum[4]) + (sum[1] + sum[5])) +
                                 ((sum[2] + sum[6]) + (sum[3] + sum[7])));
    a += run;
    b += run;
    size -= run;
  }
  return total;
}

// The sum of fn(element, ...) over in[0], ..., in[size - 1].
template <typename F>
[[gnu::always_inline]] static inline double SumOf(const float* in, int64_t size, F fn) {
  double total = 0;
  while (size > 0) {
    int64_t run = std::min(size, kSumRun);
    RowLanes sums[2] = {};
    int64_t i = 0;
    for (; i + 2 * kRowLanes <= run; i += 2 * kRowLanes) {
      sums[0] += fn(*reinterpret_cast<const RowLanes*>(in + i));
      sums[1] += fn(*reinterpret_cast<const RowLanes*>(in + i + kRowLanes));
    }
    if (i < run) {
      // The rest, one after the other into the first lanes.
      for (int64_t lane = 0; i < run; ++i, lane = (lane + 1) % kRowLanes) {
        sums[0][lane] += fn(in[i]);
      }
    }
    RowLanes sum = sums[0] + sums[1];
    total += static_cast<double>(((sum[0] + sum[4]) + (sum[1] + sum[5])) +
                                 ((sum[2] + sum[6]) + (sum[3] + sum[7])));
    in += run;
    size -= run;
  }
  return total;
}

// The largest element, NaN if there is one, -infinity if there is none; with `sign` -1 the largest
// of the negated elements.
template <int sign>
[[gnu::always_inline]] static inline float SignedMaxOf(const float* in, int64_t size) {
  // Each step waits for the one before: four at a time.
  constexpr int64_t kTogether = 4;
  RowLanes largest[kTogether];
  for (RowLanes& each : largest) each = RowLanes{} - std::numeric_limits<float>::infinity();
  auto add = [](RowLanes& to, const RowLanes& x)
                 __attribute__((always_inline)) { to = ((x > to) | (x != x)) ? x : to; };
  auto add_at = [&](RowLanes& to, int64_t i) __attribute__((always_inline)) {
    RowLanes x = *reinterpret_cast<const RowLanes*>(in + i);
    if constexpr (sign < 0) x = -x;
    add(to, x);
  };
  int64_t i = 0;
  for (; i + kTogether * kRowLanes <= size; i += kTogether * kRowLanes) {
    for (int64_t part = 0; part < kTogether; ++part) add_at(largest[part], i + part * kRowLanes);
  }
  for (; i + kRowLanes <= size; i += kRowLanes) add_at(largest[0], i);
  add(largest[0], largest[1]);
  add(largest[2], largest[3]);
  add(largest[0], largest[2]);
  RowLanes& all = largest[0];
  add(all, __builtin_shufflevector(all, all, 4, 5, 6, 7, 0, 1, 2, 3));
  add(all, __builtin_shufflevector(all, all, 2, 3, 0, 1, 6, 7, 4, 5));
  add(all, __builtin_shufflevector(all, all, 1, 0, 3, 2, 5, 4, 7, 6));
  float result = all[0];
  for (; i < size; ++i) {
    const float x = sign < 0 ? -in[i] : in[i];
    result = ((x > result) | (x != x)) ? x : result;
  }
  return result;
}
[[gnu::always_inline]] static inline float MaxOf(const float* in, int64_t size) {
  return SignedMaxOf<1>(in, size);
}
[[gnu::always_inline]] static inline float MinOf(const float* in, int64_t size) {
  return -SignedMaxOf<-1>(in, size);
}

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_ROW_SUMS_H_
