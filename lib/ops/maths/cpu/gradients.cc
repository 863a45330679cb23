#include "gradients.h"

#include <algorithm>
#include <cmath>

#include "isa_clones.h"
#include "row_sums.h"
#include "tfrt/support/half.h"
#include "vector_math.h"

namespace tfrt::cpu {
namespace {

template <typename F>
[[gnu::always_inline]] inline void Scale(const float* out_grad, const float* in, float* in_grad,
                                         int64_t size, F slope) {
  TFRT_INDEPENDENT_ITERATIONS
  for (int64_t i = 0; i < size; ++i) in_grad[i] = out_grad[i] * slope(in[i]);
}

double SlopeOf(bool approximate, double x) {
  if (std::fabs(x) > 40) return x < 0 ? 0 : 1;  // infinities, too
  if (!approximate) {
    return 0.5 * std::erfc(-x * M_SQRT1_2) +
           x * std::exp(-0.5 * x * x) * (0.5 * M_2_SQRTPI * M_SQRT1_2);
  }
  const double factor = M_2_SQRTPI * M_SQRT2;  // 2 sqrt(2 / pi)
  const double e = std::exp(-factor * std::fabs(x + 0.044715 * x * x * x));
  const double r = 1 / (1 + e), s = x < 0 ? e * r : r;
  return s + x * (e * r * r) * factor * (1 + 0.134145 * x * x);
}

}  // namespace

TFRT_ISA_CLONES
void GeluGrad(bool approximate, const float* out_grad, const float* in, float* in_grad,
              int64_t size) {
  if (approximate) {
    Scale(out_grad, in, in_grad, size, GeluTanhSlope);
  } else {
    Scale(out_grad, in, in_grad, size, GeluSlope);
  }
}

template <typename T>
void GeluGrad(bool approximate, const T* out_grad, const T* in, T* in_grad, int64_t size) {
  for (int64_t i = 0; i < size; ++i) {
    in_grad[i] =
        T(static_cast<double>(out_grad[i]) * SlopeOf(approximate, static_cast<double>(in[i])));
  }
}

TFRT_ISA_CLONES
void SoftmaxGradRows(int64_t columns, const float* out_grad, const float* out, float* in_grad,
                     int64_t begin, int64_t end) {
  for (int64_t row = begin; row < end; ++row) {
    const float* dy = out_grad + row * columns;
    const float* y = out + row * columns;
    float* dx = in_grad + row * columns;
    const auto sum = static_cast<float>(DotOf(dy, y, columns));
    TFRT_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < columns; ++i) dx[i] = (dy[i] - sum) * y[i];
  }
}

template <typename T>
void SoftmaxGradRows(int64_t columns, const T* out_grad, const T* out, T* in_grad, int64_t begin,
                     int64_t end) {
  for (int64_t first = begin * columns; first < end * columns; first += columns) {
    double sum = 0;
    for (int64_t i = first; i < first + columns; ++i) {
      sum += static_cast<double>(out_grad[i]) * static_cast<double>(out[i]);
    }
    for (int64_t i = first; i < first + columns; ++i) {
      in_grad[i] = T((static_cast<double>(out_grad[i]) - sum) * static_cast<double>(out[i]));
    }
  }
}

TFRT_ISA_CLONES
void LogSoftmaxGradRows(int64_t columns, const float* out_grad, const float* out, float* in_grad,
                        int64_t begin, int64_t end) {
  for (int64_t row = begin; row < end; ++row) {
    const float* dy = out_grad + row * columns;
    const float* y = out + row * columns;
    float* dx = in_grad + row * columns;
    const auto sum = static_cast<float>(
        SumOf(dy, columns, [](auto v) __attribute__((always_inline)) { return v; }));
    TFRT_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < columns; ++i) dx[i] = dy[i] - Exp(y[i]) * sum;
  }
}

template <typename T>
void LogSoftmaxGradRows(int64_t columns, const T* out_grad, const T* out, T* in_grad, int64_t begin,
                        int64_t end) {
  for (int64_t first = begin * columns; first < end * columns; first += columns) {
    double sum = 0;
    for (int64_t i = first; i < first + columns; ++i) sum += static_cast<double>(out_grad[i]);
    for (int64_t i = first; i < first + columns; ++i) {
      in_grad[i] =
          T(static_cast<double>(out_grad[i]) - std::exp(static_cast<double>(out[i])) * sum);
    }
  }
}

TFRT_ISA_CLONES
void LayerNormGradRows(int64_t columns, const float* scale, float epsilon, const float* out_grad,
                       const float* in, float* in_grad, double* scale_sums, double* offset_sums,
                       int64_t begin, int64_t end) {
  // Elements at a time: what is computed of them stays in the nearest cache.
  constexpr int64_t kPart = 512;
  const auto count = static_cast<double>(columns);
  for (int64_t row = begin; row < end; ++row) {
    const float* dy = out_grad + row * columns;
    const float* x = in + row * columns;
    float* dx = in_grad + row * columns;
    const auto mean = static_cast<float>(
        SumOf(x, columns, [](auto v) __attribute__((always_inline)) { return v; }) / count);
    const double variance =
        SumOf(x, columns,
              [mean](auto v) __attribute__((always_inline)) { return (v - mean) * (v - mean); }) /
        count;
    const auto r = static_cast<float>(1 / std::sqrt(variance + epsilon));
    double g_sum = 0, product_sum = 0;
    for (int64_t first = 0; first < columns; first += kPart) {
      const int64_t size = std::min(kPart, columns - first);
      float normal[kPart], g[kPart];
      TFRT_INDEPENDENT_ITERATIONS
      for (int64_t i = 0; i < size; ++i) {
        normal[i] = (x[first + i] - mean) * r;
        g[i] = dy[first + i] * scale[first + i];
      }
      TFRT_INDEPENDENT_ITERATIONS
      for (int64_t i = 0; i < size; ++i) {
        scale_sums[first + i] += static_cast<double>(dy[first + i]) * normal[i];
        offset_sums[first + i] += dy[first + i];
      }
      g_sum += SumOf(g, size, [](auto v) __attribute__((always_inline)) { return v; });
      product_sum += DotOf(g, normal, size);
    }
    const auto g_mean = static_cast<float>(g_sum / count);
    const auto slope = static_cast<float>(product_sum / count);
    TFRT_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < columns; ++i) {
      dx[i] = r * (dy[i] * scale[i] - g_mean - (x[i] - mean) * r * slope);
    }
  }
}

TFRT_ISA_CLONES
void GradientDescent(float rate, const float* gradient, float* out, int64_t size) {
  TFRT_INDEPENDENT_ITERATIONS
  for (int64_t i = 0; i < size; ++i) out[i] -= rate * gradient[i];
}

#define TFRT_INSTANTIATE(T)                                                         \
  template void GeluGrad(bool, const T*, const T*, T*, int64_t);                    \
  template void SoftmaxGradRows(int64_t, const T*, const T*, T*, int64_t, int64_t); \
  template void LogSoftmaxGradRows(int64_t, const T*, const T*, T*, int64_t, int64_t);
TFRT_INSTANTIATE(Fp16)
TFRT_INSTANTIATE(Bf16)
TFRT_INSTANTIATE(double)
#undef TFRT_INSTANTIATE

}  // namespace tfrt::cpu
