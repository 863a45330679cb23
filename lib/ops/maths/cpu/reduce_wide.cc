// Reductions that need no speed.

#include <cmath>
#include <limits>
#include <type_traits>

#include "lib/runtime/tensor/cast.h"
#include "reduce.h"
#include "tfrt/support/half.h"

namespace tfrt::cpu {
namespace {

// Names the type in which sums and extremes of T are computed.
template <typename T>
struct Accumulator {
  using Type = double;
};
template <typename T>
  requires std::is_integral_v<T>
struct Accumulator<T> {
  using Type = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
};

template <ReduceOp op, typename A>
A Combine(A a, A b) {
  if constexpr (op == ReduceOp::kMax) return a > b || a != a ? a : b;
  if constexpr (op == ReduceOp::kMin) return a < b || a != a ? a : b;
  if constexpr (std::is_integral_v<A>) {
    const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
    return static_cast<A>(op == ReduceOp::kProduct ? x * y : x + y);
  } else {
    return op == ReduceOp::kProduct ? a * b : a + b;
  }
}

// Returns the value of an element that is combined.
template <ReduceOp op, typename A>
A Before(A a) {
  if constexpr (op == ReduceOp::kL1) {
    if constexpr (std::is_integral_v<A>) return a < 0 ? static_cast<A>(0 - uint64_t(a)) : a;
    return a < 0 ? -a : a;
  }
  if constexpr (op == ReduceOp::kL2 || op == ReduceOp::kSumSquare) {
    if constexpr (std::is_integral_v<A>) return static_cast<A>(uint64_t(a) * uint64_t(a));
    return a * a;
  }
  return a;
}

template <ReduceOp op, typename T, typename A>
T After(A a, int64_t count) {
  if constexpr (op == ReduceOp::kMean) return static_cast<T>(a / static_cast<A>(count));
  if constexpr (op == ReduceOp::kL2) return CastElement<T>(std::sqrt(static_cast<double>(a)));
  if constexpr (op == ReduceOp::kLogSum) return CastElement<T>(std::log(static_cast<double>(a)));
  return static_cast<T>(a);
}

// Calls fn(first, offset) for output element by output element of [begin, end): where its first
// input is.
template <typename T, typename F>
void ForEachOutput(const ReducePlan& plan, const T* in, int64_t begin, int64_t end, F fn) {
  const int64_t kept_run = plan.run_is_reduced ? 1 : plan.run;
  Odometer<1> kept(plan.kept, begin / kept_run);
  for (int64_t i = begin; i < end; ++i) {
    fn(in + kept.offset(0) + i % kept_run, i);
    if ((i + 1) % kept_run == 0) kept.Advance();
  }
}

// Calls fn(element) for each input of an output whose first input is at `from`.
template <typename T, typename F>
void ForEachInput(const ReducePlan& plan, const T* from, F fn) {
  const int64_t run = plan.run_is_reduced ? plan.run : 1;
  const int64_t runs = plan.reduced.num_elements();
  Odometer<1> reduced(plan.reduced, 0);
  for (int64_t k = 0; k < runs; ++k, reduced.Advance()) {
    const T* x = from + reduced.offset(0);
    for (int64_t r = 0; r < run; ++r) fn(x[r]);
  }
}

template <ReduceOp op, typename T>
void ReduceElements(const ReducePlan& plan, const T* in, T* out, int64_t begin, int64_t end) {
  using A = typename Accumulator<T>::Type;
  ForEachOutput(plan, in, begin, end, [&](const T* from, int64_t i) {
    A result = 0;
    bool first = true;
    ForEachInput(plan, from, [&](T x) {
      const A value = Before<op>(static_cast<A>(x));
      result = first ? value : Combine<op>(result, value);
      first = false;
    });
    out[i] = After<op, T>(result, plan.num_reduced());
  });
}

// The largest element is subtracted before, so that nothing overflows.
template <typename T>
void LogSumExpElements(const ReducePlan& plan, const T* in, T* out, int64_t begin, int64_t end) {
  ForEachOutput(plan, in, begin, end, [&](const T* from, int64_t i) {
    auto largest = static_cast<double>(*from);
    ForEachInput(plan, from,
                 [&](T x) { largest = Combine<ReduceOp::kMax>(largest, static_cast<double>(x)); });
    if (!(std::fabs(largest) <= std::numeric_limits<double>::max())) {
      out[i] = CastElement<T>(largest);  // an infinity, or NaN
      return;
    }
    double sum = 0;
    ForEachInput(plan, from, [&](T x) { sum += std::exp(static_cast<double>(x) - largest); });
    out[i] = CastElement<T>(largest + std::log(sum));
  });
}

}  // namespace

template <typename T>
void ReduceWide(ReduceOp op, const ReducePlan& plan, const T* in, T* out, int64_t begin,
                int64_t end) {
  switch (op) {
#define TFRT_REDUCE(name) \
  case ReduceOp::name:    \
    return ReduceElements<ReduceOp::name>(plan, in, out, begin, end);
    TFRT_REDUCE(kSum)
    TFRT_REDUCE(kMean)
    TFRT_REDUCE(kMax)
    TFRT_REDUCE(kMin)
    TFRT_REDUCE(kProduct)
    TFRT_REDUCE(kL1)
    TFRT_REDUCE(kL2)
    TFRT_REDUCE(kSumSquare)
    TFRT_REDUCE(kLogSum)
#undef TFRT_REDUCE
    case ReduceOp::kLogSumExp:
      return LogSumExpElements(plan, in, out, begin, end);
  }
}

#define TFRT_INSTANTIATE(name, T) \
  template void ReduceWide(ReduceOp, const ReducePlan&, const T*, T*, int64_t, int64_t);
TFRT_CPP_REALS(TFRT_INSTANTIATE)
#undef TFRT_INSTANTIATE

}  // namespace tfrt::cpu
