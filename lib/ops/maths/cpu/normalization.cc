#include "normalization.h"

#include <algorithm>
#include <cmath>
#include <vector>

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

TFRT_ISA_CLONES
void BatchMomentSums(int64_t channels, const float* in, double* sums, double* squares,
                     int64_t begin, int64_t end) {
  for (int64_t first = 0; first < channels; first += kGroup) {
    const int64_t count = std::min(kGroup, channels - first);
    double sum[kGroup] = {}, square[kGroup] = {};
    for (int64_t row = begin; row < end; ++row) {
      const float* x = in + row * channels + first;
      for (int64_t i = 0; i < count; ++i) {
        const double d = static_cast<double>(x[i]) - in[first + i];
        sum[i] += d;
        square[i] += d * d;
      }
    }
    for (int64_t i = 0; i < count; ++i) {
      sums[first + i] = sum[i];
      squares[first + i] = square[i];
    }
  }
}

void BatchMoments(int64_t channels, int64_t rows, const float* in, const double* sums,
                  const double* squares, float* mean, float* variance) {
  const auto count = static_cast<double>(rows);
  for (int64_t i = 0; i < channels; ++i) {
    const double d = sums[i] / count, square = squares[i] / count - d * d;
    mean[i] = static_cast<float>(rows == 0 ? d : in[i] + d);
    variance[i] = static_cast<float>(square < 0 ? 0 : square);
  }
}

// With r = 1 / sqrt(variance + epsilon), x' = (x - mean) * r and M rows (Ioffe and Szegedy,
// arXiv:1502.03167):
//   offset' = sum(dy)    scale' = sum(dy * x')
//   dx = scale * r * (dy - offset' / M - x' * scale' / M)
TFRT_ISA_CLONES
void BatchNormGradSums(const BatchNormParameters& p, const float* out_grad, const float* in,
                       double* sums, double* products, int64_t begin, int64_t end) {
  for (int64_t first = 0; first < p.channels; first += kGroup) {
    const int64_t count = std::min(kGroup, p.channels - first);
    double sum[kGroup] = {}, product[kGroup] = {};
    for (int64_t row = begin; row < end; ++row) {
      const float* dy = out_grad + row * p.channels + first;
      const float* x = in + row * p.channels + first;
      for (int64_t i = 0; i < count; ++i) {
        sum[i] += dy[i];
        product[i] += static_cast<double>(dy[i]) * (x[i] - p.mean[first + i]);
      }
    }
    for (int64_t i = 0; i < count; ++i) {
      sums[first + i] = sum[i];
      products[first + i] = product[i];
    }
  }
}

void BatchNormGradVectors(const BatchNormParameters& p, const double* sums, const double* products,
                          float* scale_grad, float* offset_grad) {
  for (int64_t i = 0; i < p.channels; ++i) {
    const double r = 1 / std::sqrt(static_cast<double>(p.variance[i]) + p.epsilon);
    scale_grad[i] = static_cast<float>(products[i] * r);
    offset_grad[i] = static_cast<float>(sums[i]);
  }
}

TFRT_ISA_CLONES
void BatchNormGradRows(const BatchNormParameters& p, int64_t rows, const double* sums,
                       const double* products, const float* out_grad, const float* in,
                       float* in_grad, int64_t begin, int64_t end) {
  for (int64_t first = 0; first < p.channels; first += kGroup) {
    const int64_t count = std::min(kGroup, p.channels - first);
    float factor[kGroup], dy_mean[kGroup] = {}, slope[kGroup] = {};
    for (int64_t i = 0; i < count; ++i) {
      const double variance = static_cast<double>(p.variance[first + i]) + p.epsilon;
      factor[i] = static_cast<float>(p.scale[first + i] * (1 / std::sqrt(variance)));
      if (!sums) continue;
      dy_mean[i] = static_cast<float>(sums[first + i] / static_cast<double>(rows));
      slope[i] = static_cast<float>(products[first + i] / variance / static_cast<double>(rows));
    }
    for (int64_t row = begin; row < end; ++row) {
      const float* dy = out_grad + row * p.channels + first;
      const float* x = in + row * p.channels + first;
      float* dx = in_grad + row * p.channels + first;
      if (!sums) {
        TFRT_INDEPENDENT_ITERATIONS
        for (int64_t i = 0; i < count; ++i) dx[i] = factor[i] * dy[i];
        continue;
      }
      TFRT_INDEPENDENT_ITERATIONS
      for (int64_t i = 0; i < count; ++i) {
        dx[i] = factor[i] * (dy[i] - dy_mean[i] - (x[i] - p.mean[first + i]) * slope[i]);
      }
    }
  }
}

void BatchNormGrad(const BatchNormParameters& p, int64_t rows, const float* out_grad,
                   const float* in, float* in_grad, float* scale_grad, float* offset_grad) {
  std::vector<double> sums(2 * p.channels);
  double* products = sums.data() + p.channels;
  BatchNormGradSums(p, out_grad, in, sums.data(), products, 0, rows);
  // The vectors last: they may be in the memory of the scale, say.
  BatchNormGradRows(p, rows, sums.data(), products, out_grad, in, in_grad, 0, rows);
  BatchNormGradVectors(p, sums.data(), products, scale_grad, offset_grad);
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
