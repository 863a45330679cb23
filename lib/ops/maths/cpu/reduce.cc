#include "reduce.h"

#include <algorithm>
#include <cassert>
#include <type_traits>

#include "isa_clones.h"
#include "row_sums.h"

namespace tfrt::cpu {
namespace {

// Defines the type of sums, and the comparison. Sums of floats are in double precision, those of
// integers wrap.
template <typename T>
struct Accumulators;

template <>
struct Accumulators<float> {
  using Sum = double;
  static float Mean(double sum, int64_t count) {
    return static_cast<float>(sum / static_cast<double>(count));
  }
  [[gnu::always_inline]] static float Larger(float a, float b) {
    return ((b > a) | (b != b)) ? b : a;
  }
  [[gnu::always_inline]] static float Smaller(float a, float b) {
    return ((b < a) | (b != b)) ? b : a;
  }
};
template <>
struct Accumulators<int32_t> {
  using Sum = uint32_t;
  [[gnu::always_inline]] static int32_t Larger(int32_t a, int32_t b) { return b > a ? b : a; }
  [[gnu::always_inline]] static int32_t Smaller(int32_t a, int32_t b) { return b < a ? b : a; }
};

template <typename T>
[[gnu::always_inline]] inline typename Accumulators<T>::Sum SumOfRun(const T* in, int64_t size) {
  if constexpr (std::is_same_v<T, float>) {
    return SumOf(in, size, [](auto x) __attribute__((always_inline)) { return x; });
  } else {
    uint32_t sum = 0;
    for (int64_t i = 0; i < size; ++i) sum += static_cast<uint32_t>(in[i]);
    return sum;
  }
}

// out[i] = the reduction of column i of the rows at in, in + ..., for `count` columns.
template <typename T>
[[gnu::always_inline]] inline void ReduceColumns(ReduceOp op, const ReducePlan& plan, const T* in,
                                                 T* out, int64_t count) {
  const int64_t rows = plan.reduced.num_elements();
  Odometer<1> odometer(plan.reduced, 0);
  using A = Accumulators<T>;
  if (op == ReduceOp::kMax || op == ReduceOp::kMin) {
    std::copy_n(in, count, out);
    for (int64_t row = 0; row < rows; ++row, odometer.Advance()) {
      const T* x = in + odometer.offset(0);
      if (op == ReduceOp::kMax) {
        TFRT_INDEPENDENT_ITERATIONS
        for (int64_t i = 0; i < count; ++i) out[i] = A::Larger(out[i], x[i]);
      } else {
        TFRT_INDEPENDENT_ITERATIONS
        for (int64_t i = 0; i < count; ++i) out[i] = A::Smaller(out[i], x[i]);
      }
    }
    return;
  }
  typename A::Sum sums[ReducePlan::kGroup];
  std::fill_n(sums, count, typename A::Sum{});
  for (int64_t row = 0; row < rows; ++row, odometer.Advance()) {
    const T* x = in + odometer.offset(0);
    for (int64_t i = 0; i < count; ++i) sums[i] += static_cast<typename A::Sum>(x[i]);
  }
  for (int64_t i = 0; i < count; ++i) {
    if constexpr (std::is_same_v<T, float>) {
      out[i] = op == ReduceOp::kMean ? A::Mean(sums[i], rows) : static_cast<float>(sums[i]);
    } else {
      out[i] = static_cast<T>(sums[i]);
    }
  }
}

template <typename T>
[[gnu::always_inline]] inline T LargestOfRun(const T* in, int64_t size) {
  if constexpr (std::is_same_v<T, float>) {
    return MaxOf(in, size);
  } else {
    return *std::max_element(in, in + size);
  }
}
template <typename T>
[[gnu::always_inline]] inline T SmallestOfRun(const T* in, int64_t size) {
  if constexpr (std::is_same_v<T, float>) {
    return MinOf(in, size);
  } else {
    return *std::min_element(in, in + size);
  }
}

template <typename T>
[[gnu::always_inline]] inline T ReduceRuns(ReduceOp op, const ReducePlan& plan, const T* in) {
  const int64_t runs = plan.reduced.num_elements();
  Odometer<1> odometer(plan.reduced, 0);
  using A = Accumulators<T>;
  if (op == ReduceOp::kMax || op == ReduceOp::kMin) {
    T result = *in;
    for (int64_t i = 0; i < runs; ++i, odometer.Advance()) {
      const T* x = in + odometer.offset(0);
      result = op == ReduceOp::kMax ? A::Larger(result, LargestOfRun(x, plan.run))
                                    : A::Smaller(result, SmallestOfRun(x, plan.run));
    }
    return result;
  }
  typename A::Sum sum = 0;
  for (int64_t i = 0; i < runs; ++i, odometer.Advance()) {
    sum += SumOfRun(in + odometer.offset(0), plan.run);
  }
  if constexpr (std::is_same_v<T, float>) {
    if (op == ReduceOp::kMean) return A::Mean(sum, plan.num_reduced());
  }
  return static_cast<T>(sum);
}

[[gnu::always_inline]] inline int64_t PlaceIn(float extreme, const float* in, int64_t size) {
  // Blocks without it are passed over by vectors.
  constexpr int64_t kBlock = 64;
  auto is_here = [=](float x) __attribute__((always_inline)) { return (x == extreme) | (x != x); };
  int64_t i = 0;
  for (; i + kBlock <= size; i += kBlock) {
    int found = 0;
    for (int64_t k = 0; k < kBlock; ++k) found |= is_here(in[i + k]);
    if (found != 0) break;
  }
  while (!is_here(in[i])) ++i;
  return i;
}

template <typename T>
[[gnu::always_inline]] inline void ReduceUnits(ReduceOp op, const ReducePlan& plan, const T* in,
                                               T* out, int64_t begin, int64_t end) {
  const int64_t groups = plan.groups_per_run();
  Odometer<1> kept(plan.kept, begin / groups);
  for (int64_t unit = begin; unit < end; ++unit) {
    const T* x = in + kept.offset(0);
    if (plan.run_is_reduced) {
      out[unit] = ReduceRuns(op, plan, x);
      kept.Advance();
      continue;
    }
    int64_t first = unit % groups * ReducePlan::kGroup;
    int64_t count = std::min(ReducePlan::kGroup, plan.run - first);
    ReduceColumns(op, plan, x + first, out + unit / groups * plan.run + first, count);
    if (unit % groups == groups - 1) kept.Advance();
  }
}

}  // namespace

std::string_view Name(ReduceOp op) {
  switch (op) {
    case ReduceOp::kSum:
      return "reduce_sum";
    case ReduceOp::kMean:
      return "reduce_mean";
    case ReduceOp::kMax:
      return "reduce_max";
    case ReduceOp::kMin:
      return "reduce_min";
    case ReduceOp::kProduct:
      return "reduce_prod";
    case ReduceOp::kL1:
      return "reduce_l1";
    case ReduceOp::kL2:
      return "reduce_l2";
    case ReduceOp::kSumSquare:
      return "reduce_sum_square";
    case ReduceOp::kLogSum:
      return "reduce_log_sum";
    case ReduceOp::kLogSumExp:
      return "reduce_log_sum_exp";
  }
  return "";
}

ReducePlan::ReducePlan(const TensorShape& in, std::span<const size_t> axes) {
  struct Group {
    int64_t size;
    int64_t stride;
    bool is_reduced;
  };
  InlineVector<Group, 6> groups;  // innermost first
  int64_t stride = 1;
  for (size_t i = in.rank(); i-- > 0;) {
    int64_t size = in.dim(i);
    bool is_reduced = std::ranges::binary_search(axes, i);
    if (size == 1) continue;
    if (!groups.empty() && groups.back().is_reduced == is_reduced) {
      groups.back().size *= size;
    } else {
      groups.push_back({size, stride, is_reduced});
    }
    stride *= size;
  }
  if (groups.empty()) return;
  run = groups[0].size;
  run_is_reduced = groups[0].is_reduced;
  for (size_t i = groups.size(); i-- > 1;) {
    auto& dims = groups[i].is_reduced ? reduced.dims : kept.dims;
    dims.push_back({groups[i].size, {groups[i].stride}});
  }
}

TFRT_ISA_CLONES
void Reduce(ReduceOp op, const ReducePlan& plan, const float* in, float* out, int64_t begin,
            int64_t end) {
  ReduceUnits(op, plan, in, out, begin, end);
}

TFRT_ISA_CLONES
int64_t PlaceOfLargest(const float* in, int64_t size) { return PlaceIn(MaxOf(in, size), in, size); }
TFRT_ISA_CLONES
int64_t PlaceOfSmallest(const float* in, int64_t size) {
  return PlaceIn(MinOf(in, size), in, size);
}

TFRT_ISA_CLONES
void Reduce(ReduceOp op, const ReducePlan& plan, const int32_t* in, int32_t* out, int64_t begin,
            int64_t end) {
  assert(op != ReduceOp::kMean);
  ReduceUnits(op, plan, in, out, begin, end);
}

}  // namespace tfrt::cpu
