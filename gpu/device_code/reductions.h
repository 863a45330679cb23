// The reductions and their states.
#ifndef TFRT_GPU_DEVICE_CODE_REDUCTIONS_H_
#define TFRT_GPU_DEVICE_CODE_REDUCTIONS_H_

#include "device_math.h"

#ifdef __CUDA__
#pragma clang force_cuda_host_device begin
#endif

namespace tfrt::gpu::device {

// --- Reductions are structs for a type T of elements. State is the type that is combined. None()
// is the state of no elements. Add(state, element, its index) adds an element to a state of
// elements with lower indices. The first such state is NoneFrom(index) with the index of the first
// element. Combine(a, b) commutes. Finish(state, number of elements) returns the element of type
// Result that is written. kIsShort: an addition is an instruction or two.

// Sums of floats are in f64, as the host's are: the kernels wait for memory longer than for that.
// Those of integers wrap. Products do the same.
template <typename T>
struct Sum {
  using Result = T;
  static constexpr bool kIsWhole = kIsInteger<T>;
  static constexpr bool kIsShort = true;
  using State = typename WhereElse<kIsWhole, uint64_t, f64>::Type;

  static State None() { return 0; }
  static State NoneFrom(int64_t) { return None(); }
  static State Add(State state, T element, int64_t) {
    return Combine(state, static_cast<State>(Decode(element)));
  }
  static State Combine(State a, State b) { return a + b; }
  static T Finish(State state, int64_t) { return Cast<T>(AsElement(state)); }

 protected:
  static auto AsElement(State state) {
    if constexpr (kIsWhole) {
      return static_cast<i64>(state);
    } else {
      return state;
    }
  }
};

// The mean. For no elements it is NaN, or 0 for integers, whose means are truncated.
template <typename T>
struct Mean : Sum<T> {
  using typename Sum<T>::State;
  static T Finish(State state, int64_t count) {
    if constexpr (Sum<T>::kIsWhole) {
      return Cast<T>(count == 0 ? i64{0} : static_cast<i64>(state) / count);
    } else {
      return Cast<T>(state / static_cast<f64>(count));
    }
  }
};

// The product, which of no elements is 1.
template <typename T>
struct ProductOf : Sum<T> {
  using typename Sum<T>::State;

  static State None() { return 1; }
  static State NoneFrom(int64_t) { return None(); }
  static State Add(State state, T element, int64_t) {
    return Combine(state, static_cast<State>(Decode(element)));
  }
  static State Combine(State a, State b) { return a * b; }
};

// The largest element, or the smallest; NaN if there is one. For no elements it is the neutral
// value: the least one for the largest, the greatest one for the smallest.
template <typename T, bool smallest>
struct Extreme {
  using Result = T;
  using State = Compute<T>;
  static constexpr bool kIsShort = true;

  static State None() {
    if constexpr (kIsInteger<T>) {
      return smallest ? IntegerRange<T>::kMost : IntegerRange<T>::kLeast;
    } else {
      return smallest ? Format<State>::kInfinity : -Format<State>::kInfinity;
    }
  }
  static State NoneFrom(int64_t) { return None(); }
  static State Add(State state, T element, int64_t) {
    const State value = Decode(element);
    return (smallest ? value < state : value > state) || value != value ? value : state;
  }
  static State Combine(State a, State b) {
    if (a == b) return BitCast<Bits>(a) < BitCast<Bits>(b) ? a : b;  // zeros: commutes
    return (smallest ? a < b : a > b) || a != a ? a : b;
  }
  static T Finish(State state, int64_t) { return Encode<T>(state); }

 private:
  using Bits = typename WhereElse<sizeof(State) == 4, uint32_t, uint64_t>::Type;
};
template <typename T>
using Max = Extreme<T, false>;
template <typename T>
using Min = Extreme<T, true>;

// An element and where it is.
template <typename V>
struct Indexed {
  V value;
  i64 index;
};

// Where the largest element is, or the smallest: the first of several, the first NaN if there is
// one.
template <typename T, typename Index, bool smallest>
struct ArgExtreme {
  using Result = Index;
  using Value = Compute<T>;
  using State = Indexed<Value>;
  static constexpr bool kIsShort = false;

  static State None() { return {Extreme<T, smallest>::None(), INT64_MAX}; }
  // The first element's index stays if that is not better than none.
  static State NoneFrom(int64_t index) { return {None().value, index}; }
  static State Add(State state, T element, int64_t index) {
    const Value value = Decode(element);
    const bool is_better = smallest ? !(value >= state.value) : !(value <= state.value);
    const bool takes = is_better && state.value == state.value;
    return {takes ? value : state.value, takes ? index : state.index};
  }
  static State Combine(State a, State b) {
    const bool a_is_nan = a.value != a.value, b_is_nan = b.value != b.value;
    const bool is_better =
        a_is_nan > b_is_nan || (smallest ? a.value < b.value : a.value > b.value);
    const bool is_equal = a.value == b.value || (a_is_nan && b_is_nan);
    const bool takes_a = is_better || (is_equal && a.index < b.index);
    return {takes_a ? a.value : b.value, takes_a ? a.index : b.index};
  }
  static Index Finish(State state, int64_t) { return static_cast<Index>(state.index); }
};

}  // namespace tfrt::gpu::device

#ifdef __CUDA__
#pragma clang force_cuda_host_device end
#endif

#endif  // TFRT_GPU_DEVICE_CODE_REDUCTIONS_H_
