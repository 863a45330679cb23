#include "tfrt/kernels/cpu/normalization.h"

#include <algorithm>
#include <cmath>

#include "isa_clones.h"
#include "row_sums.h"

namespace tfrt::cpu {
namespace {

// Channels at a time: what is known of them stays in registers or the nearest cache.
constexpr int64_t kGroup = 64;

}  // namespace

TFRT_ISA_CLONES
void BatchNormRows(const BatchNormParameters& p, const float* in, float* out, int64_t begin,
                   int64_t end) {
  for (int64_t first = 0; first < p.channels; first += kGroup) {
    const int64_t count = std::min(kGroup, p.channels - first);
    float factor[kGroup];
    for (int64_t i = 0; i < count; ++i) {
      factor[i] = p.scale[first + i] / std::sqrt(p.variance[first + i] + p.epsilon);
    }
    for (int64_t row = begin; row < end; ++row) {
      const float* x = in + row * p.channels + first;
      float* y = out + row * p.channels + first;
      TFRT_INDEPENDENT_ITERATIONS
      for (int64_t i = 0; i < count; ++i) {
        y[i] = (x[i] - p.mean[first + i]) * factor[i] + p.offset[first + i];
      }
    }
  }
}

// With r = 1 / sqrt(variance + epsilon), x' = (x - mean) * r and M rows:
//   offset' = sum(dy)    scale' = sum(dy * x')    dx = scale * r * (dy - offset' / M - x' * scale'
//   / M)
TFRT_ISA_CLONES
void BatchNormGrad(const BatchNormParameters& p, int64_t rows, const float* out_grad,
                   const float* in, float* in_grad, float* scale_grad, float* offset_grad) {
  for (int64_t first = 0; first < p.channels; first += kGroup) {
    const int64_t count = std::min(kGroup, p.channels - first);
    double sums[kGroup] = {};
    double products[kGroup] = {};
    for (int64_t row = 0; row < rows; ++row) {
      const float* dy = out_grad + row * p.channels + first;
      const float* x = in + row * p.channels + first;
      for (int64_t i = 0; i < count; ++i) {
        sums[i] += dy[i];
        products[i] += static_cast<double>(dy[i]) * (x[i] - p.mean[first + i]);
      }
    }
    float factor[kGroup], dy_mean[kGroup], slope[kGroup];
    for (int64_t i = 0; i < count; ++i) {
      double variance = static_cast<double>(p.variance[first + i]) + p.epsilon;
      double r = 1 / std::sqrt(variance);
      factor[i] = static_cast<float>(p.scale[first + i] * r);
      dy_mean[i] = static_cast<float>(sums[i] / static_cast<double>(rows));
      slope[i] = static_cast<float>(products[i] / variance / static_cast<double>(rows));
      scale_grad[first + i] = static_cast<float>(products[i] * r);
      offset_grad[first + i] = static_cast<float>(sums[i]);
    }
    for (int64_t row = 0; row < rows; ++row) {
      const float* dy = out_grad + row * p.channels + first;
      const float* x = in + row * p.channels + first;
      float* dx = in_grad + row * p.channels + first;
      TFRT_INDEPENDENT_ITERATIONS
      for (int64_t i = 0; i < count; ++i) {
        dx[i] = factor[i] * (dy[i] - dy_mean[i] - (x[i] - p.mean[first + i]) * slope[i]);
      }
    }
  }
}

TFRT_ISA_CLONES
void LayerNormRows(int64_t columns, const float* scale, const float* offset, float epsilon,
                   const float* in, float* out, int64_t begin, int64_t end) {
  for (int64_t row = begin; row < end; ++row) {
    const float* x = in + row * columns;
    float* y = out + row * columns;
    const auto count = static_cast<double>(columns);
    auto mean = static_cast<float>(
        SumOf(x, columns, [](auto v) __attribute__((always_inline)) { return v; }) / count);
    double variance =
        SumOf(x, columns,
              [mean](auto v) __attribute__((always_inline)) { return (v - mean) * (v - mean); }) /
        count;
    auto factor = static_cast<float>(1 / std::sqrt(variance + epsilon));
    TFRT_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < columns; ++i) y[i] = (x[i] - mean) * factor * scale[i] + offset[i];
  }
}

}  // namespace tfrt::cpu
