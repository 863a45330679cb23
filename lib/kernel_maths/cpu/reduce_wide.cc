// Reductions of the types that need no speed.

#include <type_traits>

#include "tfrt/kernel_maths/cpu/reduce.h"
#include "tfrt/support/half.h"

namespace tfrt::cpu {
namespace {

// What sums and extremes of T are computed in.
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
  if constexpr (std::is_integral_v<A>) return static_cast<A>(uint64_t(a) + uint64_t(b));
  return a + b;
}

template <ReduceOp op, typename T>
void ReduceElements(const ReducePlan& plan, const T* in, T* out) {
  using A = typename Accumulator<T>::Type;
  const int64_t kept_run = plan.run_is_reduced ? 1 : plan.run;
  const int64_t reduced_run = plan.run_is_reduced ? plan.run : 1;
  const int64_t num_kept = plan.kept.num_elements(), num_reduced = plan.reduced.num_elements();
  Odometer<1> kept(plan.kept, 0);
  for (int64_t i = 0; i < num_kept; ++i, kept.Advance()) {
    for (int64_t j = 0; j < kept_run; ++j) {
      const T* from = in + kept.offset(0) + j;
      A result = static_cast<A>(*from);
      bool first = true;
      Odometer<1> reduced(plan.reduced, 0);
      for (int64_t k = 0; k < num_reduced; ++k, reduced.Advance()) {
        for (int64_t r = 0; r < reduced_run; ++r) {
          if (!first) result = Combine<op>(result, static_cast<A>(from[reduced.offset(0) + r]));
          first = false;
        }
      }
      if constexpr (op == ReduceOp::kMean) result /= static_cast<A>(plan.num_reduced());
      *out++ = static_cast<T>(result);
    }
  }
}

}  // namespace

template <typename T>
void ReduceWide(ReduceOp op, const ReducePlan& plan, const T* in, T* out) {
  switch (op) {
    case ReduceOp::kSum:
      return ReduceElements<ReduceOp::kSum>(plan, in, out);
    case ReduceOp::kMean:
      return ReduceElements<ReduceOp::kMean>(plan, in, out);
    case ReduceOp::kMax:
      return ReduceElements<ReduceOp::kMax>(plan, in, out);
    case ReduceOp::kMin:
      return ReduceElements<ReduceOp::kMin>(plan, in, out);
  }
}

#define TFRT_INSTANTIATE(T) template void ReduceWide(ReduceOp, const ReducePlan&, const T*, T*);
TFRT_INSTANTIATE(Fp16)
TFRT_INSTANTIATE(Bf16)
TFRT_INSTANTIATE(double)
TFRT_INSTANTIATE(int8_t)
TFRT_INSTANTIATE(int16_t)
TFRT_INSTANTIATE(int32_t)
TFRT_INSTANTIATE(int64_t)
TFRT_INSTANTIATE(uint8_t)
TFRT_INSTANTIATE(uint16_t)
TFRT_INSTANTIATE(uint32_t)
TFRT_INSTANTIATE(uint64_t)
#undef TFRT_INSTANTIATE

}  // namespace tfrt::cpu
