#include "tfrt/kernels/cpu/softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "isa_clones.h"
#include "row_sums.h"
#include "vector_math.h"

namespace tfrt::cpu {
namespace {

constexpr auto kIdentity = [](auto x) __attribute__((always_inline)) { return x; };

// out = exp(in - largest); returns the sum.
[[gnu::always_inline]] inline double ExpRow(const float* in, float* out, int64_t size,
                                            float largest) {
  TFRT_INDEPENDENT_ITERATIONS
  for (int64_t i = 0; i < size; ++i) out[i] = Exp(in[i] - largest);
  return SumOf(out, size, kIdentity);
}

[[gnu::always_inline]] inline void SoftmaxRow(const float* in, float* out, int64_t size) {
  auto factor = static_cast<float>(1 / ExpRow(in, out, size, MaxOf(in, size)));
  for (int64_t i = 0; i < size; ++i) out[i] *= factor;
}

// log(sum(exp(in - largest)))
[[gnu::always_inline]] inline double LogSumOfRow(const float* in, int64_t size, float largest) {
  float part[kSumRun];
  double sum = 0;
  for (int64_t i = 0; i < size; i += kSumRun) {
    sum += ExpRow(in + i, part, std::min(kSumRun, size - i), largest);
  }
  return std::log(sum);
}

}  // namespace

TFRT_ISA_CLONES
void SoftmaxRows(int64_t columns, const float* in, float* out, int64_t begin, int64_t end) {
  for (int64_t row = begin; row < end; ++row) {
    SoftmaxRow(in + row * columns, out + row * columns, columns);
  }
}

TFRT_ISA_CLONES
void LogSoftmaxRows(int64_t columns, const float* in, float* out, int64_t begin, int64_t end) {
  for (int64_t row = begin; row < end; ++row) {
    const float* x = in + row * columns;
    float* y = out + row * columns;
    float largest = MaxOf(x, columns);
    auto log_sum = static_cast<float>(LogSumOfRow(x, columns, largest));
    TFRT_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < columns; ++i) y[i] = (x[i] - largest) - log_sum;
  }
}

TFRT_ISA_CLONES
void SoftmaxCrossEntropyRows(int64_t columns, const float* logits, const int32_t* labels,
                             float* loss, int64_t begin, int64_t end) {
  for (int64_t row = begin; row < end; ++row) {
    int64_t label = labels[row];
    if (label < 0 || label >= columns) {
      loss[row] = std::numeric_limits<float>::quiet_NaN();
      continue;
    }
    const float* x = logits + row * columns;
    float largest = MaxOf(x, columns);
    double log_sum = LogSumOfRow(x, columns, largest);
    loss[row] = static_cast<float>(log_sum - (static_cast<double>(x[label]) - largest));
  }
}

TFRT_ISA_CLONES
void SoftmaxCrossEntropyGradRows(int64_t columns, const float* logits, const int32_t* labels,
                                 const float* loss_grad, float* logits_grad, int64_t begin,
                                 int64_t end) {
  for (int64_t row = begin; row < end; ++row) {
    float* grad = logits_grad + row * columns;
    int64_t label = labels[row];
    SoftmaxRow(logits + row * columns, grad, columns);
    if (label >= 0 && label < columns) grad[label] -= 1.0f;
    float factor = loss_grad[row];
    for (int64_t i = 0; i < columns; ++i) grad[i] *= factor;
  }
}

}  // namespace tfrt::cpu
