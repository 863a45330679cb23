// Reductions over any axes of a tensor.
#ifndef TFRT_LIB_OPS_MATHS_CPU_REDUCE_H_
#define TFRT_LIB_OPS_MATHS_CPU_REDUCE_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "odometer.h"
#include "tfrt/tensor/shape.h"

namespace tfrt::cpu {

enum class ReduceOp {
  kSum,   // 0 for no elements
  kMean,  // NaN for no elements; not for integers
  kMax,   // NaN if there is one; not for no elements
  kMin,
  // ReduceWide alone has these.
  kProduct,
  kL1,         // the sum of absolute values
  kL2,         // the root of the sum of squares
  kSumSquare,  // the sum of squares
  kLogSum,     // the logarithm of the sum
  kLogSumExp,  // the logarithm of the sum of exponentials
};

std::string_view Name(ReduceOp op);

// Describes how a reduction walks over its input: kept dimensions outside, reduced ones inside. The
// innermost is a run of consecutive elements, which are either reduced to one or kept side by side.
struct ReducePlan {
  // `axes` are ascending; the input has elements.
  ReducePlan(const TensorShape& in, std::span<const size_t> axes);

  StridedDims<1> kept;
  StridedDims<1> reduced;
  int64_t run = 1;
  bool run_is_reduced = false;

  // Outputs that are handed out in parts: one by one, or groups of kGroup that lie side by side.
  static constexpr int64_t kGroup = 256;
  int64_t groups_per_run() const { return run_is_reduced ? 1 : (run - 1) / kGroup + 1; }
  int64_t num_units() const { return kept.num_elements() * groups_per_run(); }
  int64_t unit_cost() const {
    return reduced.num_elements() * (run_is_reduced || run < kGroup ? run : kGroup);
  }
  int64_t num_reduced() const { return reduced.num_elements() * (run_is_reduced ? run : 1); }
};

// Writes the outputs of units [begin, end).
void Reduce(ReduceOp op, const ReducePlan& plan, const float* in, float* out, int64_t begin,
            int64_t end);
// Sums wrap.
void Reduce(ReduceOp op, const ReducePlan& plan, const int32_t* in, int32_t* out, int64_t begin,
            int64_t end);

// The same of T, any number that is not complex, for elements [begin, end) of the output: in
// double, or in 64 bits, which wrap. Means, roots and logarithms of integers are cut.
template <typename T>
void ReduceWide(ReduceOp op, const ReducePlan& plan, const T* in, T* out, int64_t begin,
                int64_t end);

// Where the first NaN is, or else the first of the largest elements; `size` > 0.
int64_t PlaceOfLargest(const float* in, int64_t size);
int64_t PlaceOfSmallest(const float* in, int64_t size);

// Maps `in` [outer,size,inner] to out [outer,inner] for outer indices [begin, end). Each output is
// the position of the largest element, or the smallest, the first of several. It is the first NaN
// if there is one. `size` > 0 fits Index.
template <bool smallest = false, typename T, typename Index>
void Argmax(int64_t size, int64_t inner, const T* in, Index* out, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) {
    for (int64_t j = 0; j < inner; ++j) {
      const T* x = in + i * size * inner + j;
      if constexpr (std::is_same_v<T, float>) {
        if (inner == 1) {
          out[i] =
              static_cast<Index>(smallest ? PlaceOfSmallest(x, size) : PlaceOfLargest(x, size));
          continue;
        }
      }
      int64_t found = 0;
      T best = x[0];
      for (int64_t k = 1; k < size && best == best; ++k) {
        T value = x[k * inner];
        if ((smallest ? value < best : value > best) || value != value) {
          best = value;
          found = k;
        }
      }
      out[i * inner + j] = static_cast<Index>(found);
    }
  }
}

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_REDUCE_H_
