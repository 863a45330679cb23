// Loops over the operands of an ElementRun.
#ifndef TFRT_LIB_OPS_MATHS_CPU_ELEMENT_LOOPS_H_
#define TFRT_LIB_OPS_MATHS_CPU_ELEMENT_LOOPS_H_

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "element_functions.h"
#include "isa_clones.h"

// A function object that is inlined whatever the instruction set.
#define TFRT_ELEMENT(...) [=](__VA_ARGS__) __attribute__((always_inline))

namespace tfrt::cpu {
namespace {

// fn(operand 0) for each element.
template <typename T, typename R, typename F>
[[gnu::always_inline]] inline void MapOne(const ElementRun& run, F fn) {
  auto* x = static_cast<const T*>(run.in[0]);
  auto* out = static_cast<R*>(run.out);
  if (run.repeats[0]) {
    const R value = fn(*x);
    for (int64_t i = 0; i < run.size; ++i) out[i] = value;
    return;
  }
  TFRT_INDEPENDENT_ITERATIONS
  for (int64_t i = 0; i < run.size; ++i) out[i] = fn(x[i]);
}

// fn(operand 0, operand 1) for each pair.
template <typename T, typename U, typename R, typename F>
[[gnu::always_inline]] inline void MapTwo(const ElementRun& run, F fn) {
  auto* x = static_cast<const T*>(run.in[0]);
  auto* y = static_cast<const U*>(run.in[1]);
  auto* out = static_cast<R*>(run.out);
  if (run.repeats[0] && run.repeats[1]) {
    const R value = fn(*x, *y);
    for (int64_t i = 0; i < run.size; ++i) out[i] = value;
  } else if (run.repeats[0]) {
    const T a = *x;
    TFRT_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < run.size; ++i) out[i] = fn(a, y[i]);
  } else if (run.repeats[1]) {
    const U b = *y;
    TFRT_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < run.size; ++i) out[i] = fn(x[i], b);
  } else {
    TFRT_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < run.size; ++i) out[i] = fn(x[i], y[i]);
  }
}

// The largest whole number that is not above x / y, of floats. With the remainder that has the sign
// of y it gives x again.
template <typename T>
[[gnu::always_inline]] inline T FloorQuotient(T x, T y) {
  if (y == 0) return x / y;
  const T r = std::fmod(x, y);
  T quotient = (x - r) / y;
  if (r != 0 && (r < 0) != (y < 0)) quotient -= 1;
  if (quotient == 0) return std::copysign(T(0), x / y);
  // The quotient was rounded: it is near the whole number that it is.
  const T whole = std::floor(quotient);
  return quotient - whole > T(0.5) ? whole + 1 : whole;
}

[[gnu::always_inline]] inline bool IsRelation(ElementwiseOp op) {
  return op >= ElementwiseOp::kLess && op <= ElementwiseOp::kNotEqual;
}
// A relation of two T, as R: 1 where it holds, else 0.
template <typename T, typename R>
[[gnu::always_inline]] inline void RunRelation(ElementwiseOp op, const ElementRun& run) {
  switch (op) {
    case ElementwiseOp::kLess:
      return MapTwo<T, T, R>(run, TFRT_ELEMENT(T x, T y) { return R(x < y); });
    case ElementwiseOp::kLessEqual:
      return MapTwo<T, T, R>(run, TFRT_ELEMENT(T x, T y) { return R(x <= y); });
    case ElementwiseOp::kGreater:
      return MapTwo<T, T, R>(run, TFRT_ELEMENT(T x, T y) { return R(x > y); });
    case ElementwiseOp::kGreaterEqual:
      return MapTwo<T, T, R>(run, TFRT_ELEMENT(T x, T y) { return R(x >= y); });
    case ElementwiseOp::kEqual:
      return MapTwo<T, T, R>(run, TFRT_ELEMENT(T x, T y) { return R(x == y); });
    default:
      return MapTwo<T, T, R>(run, TFRT_ELEMENT(T x, T y) { return R(x != y); });
  }
}

// min(max(x, low), high); NaN stays NaN.
template <typename T>
[[gnu::always_inline]] inline void ClipRun(const ElementRun& run) {
  auto* x = static_cast<const T*>(run.in[0]);
  auto* low = static_cast<const T*>(run.in[1]);
  auto* high = static_cast<const T*>(run.in[2]);
  auto* out = static_cast<T*>(run.out);
  auto clip = [](T value, T least, T most) __attribute__((always_inline)) {
    value = value < least ? least : value;
    return value > most ? most : value;
  };
  if (!run.repeats[0] && run.repeats[1] && run.repeats[2]) {
    const T least = *low, most = *high;
    TFRT_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < run.size; ++i) out[i] = clip(x[i], least, most);
    return;
  }
  for (int64_t i = 0; i < run.size; ++i) {
    out[i] =
        clip(x[run.repeats[0] ? 0 : i], low[run.repeats[1] ? 0 : i], high[run.repeats[2] ? 0 : i]);
  }
}

// Operand 1 where operand 0, of C, is not 0, operand 2 elsewhere.
template <typename C, typename T>
[[gnu::always_inline]] inline void SelectRun(const ElementRun& run) {
  auto* c = static_cast<const C*>(run.in[0]);
  auto* x = static_cast<const T*>(run.in[1]);
  auto* y = static_cast<const T*>(run.in[2]);
  auto* out = static_cast<T*>(run.out);
  if (run.repeats[0]) {
    const bool first = *c != C(0);
    const T* from = first ? x : y;
    if (run.repeats[first ? 1 : 2]) {
      const T value = *from;
      for (int64_t i = 0; i < run.size; ++i) out[i] = value;
    } else if (from != out) {
      std::copy_n(from, run.size, out);
    }
  } else if (run.repeats[1] && run.repeats[2]) {
    const T a = *x, b = *y;
    TFRT_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < run.size; ++i) out[i] = c[i] != C(0) ? a : b;
  } else if (run.repeats[1]) {
    const T a = *x;
    TFRT_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < run.size; ++i) out[i] = c[i] != C(0) ? a : y[i];
  } else if (run.repeats[2]) {
    const T b = *y;
    TFRT_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < run.size; ++i) out[i] = c[i] != C(0) ? x[i] : b;
  } else {
    TFRT_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < run.size; ++i) out[i] = c[i] != C(0) ? x[i] : y[i];
  }
}

}  // namespace
}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_ELEMENT_LOOPS_H_
