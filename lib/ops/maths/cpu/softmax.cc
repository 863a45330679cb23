#include "softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "isa_clones.h"
#include "row_sums.h"
#include "tfrt/support/half.h"
#include "vector_math.h"

namespace tfrt::cpu {
namespace {

// log(x) to a few units in the last place. The C library's depends on the CPU.
double LogOf(double x) {
  if (!(x > 0) || x > std::numeric_limits<double>::max()) return std::log(x);
  int exponent;
  double m = std::frexp(x, &exponent);  // in [1/2, 1)
  if (m < 0.70710678118654752) {
    m *= 2;
    --exponent;
  }
  // log(m) = 2 * atanh(s) = 2 * (s + s^3 / 3 + s^5 / 5 + ...)
  double s = (m - 1) / (m + 1);
  double square = s * s;
  double sum = 0;
  for (int k = 21; k > 1; k -= 2) sum = (sum + 1.0 / k) * square;
  return 2 * s * (1 + sum) + exponent * 0.69314718055994531;
}

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
  return LogOf(sum);
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

namespace {

template <typename T>
void SoftmaxRow(bool log, int64_t columns, const T* in, T* out) {
  double largest = static_cast<double>(in[0]);
  for (int64_t i = 1; i < columns; ++i) largest = std::max(largest, static_cast<double>(in[i]));
  double sum = 0;
  for (int64_t i = 0; i < columns; ++i) sum += std::exp(static_cast<double>(in[i]) - largest);
  for (int64_t i = 0; i < columns; ++i) {
    const double x = static_cast<double>(in[i]) - largest;
    out[i] = T(log ? x - std::log(sum) : std::exp(x) / sum);
  }
}

}  // namespace

template <typename T>
void SoftmaxRows(int64_t columns, const T* in, T* out, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) {
    SoftmaxRow(false, columns, in + i * columns, out + i * columns);
  }
}

template <typename T>
void LogSoftmaxRows(int64_t columns, const T* in, T* out, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) {
    SoftmaxRow(true, columns, in + i * columns, out + i * columns);
  }
}

#define TFRT_INSTANTIATE(T)                                           \
  template void SoftmaxRows(int64_t, const T*, T*, int64_t, int64_t); \
  template void LogSoftmaxRows(int64_t, const T*, T*, int64_t, int64_t);
TFRT_INSTANTIATE(Fp16)
TFRT_INSTANTIATE(Bf16)
TFRT_INSTANTIATE(double)
#undef TFRT_INSTANTIATE

}  // namespace tfrt::cpu
