// Normalisation, f32.
#ifndef TFRT_KERNELS_CPU_NORMALIZATION_H_
#define TFRT_KERNELS_CPU_NORMALIZATION_H_

#include <cstdint>

namespace tfrt::cpu {

// What batch normalisation knows of each of `channels` channels.
struct BatchNormParameters {
  int64_t channels = 0;
  const float* scale = nullptr;
  const float* offset = nullptr;
  const float* mean = nullptr;
  const float* variance = nullptr;
  float epsilon = 0;
};

// out = (in - mean) / sqrt(variance + epsilon) * scale + offset for rows [begin, end) of [rows,C].
// `out` may be `in`.
void BatchNormRows(const BatchNormParameters& parameters, const float* in, float* out,
                   int64_t begin, int64_t end);

// The gradients of a normalisation with the mean and the variance of the batch itself, which is in
// [rows,C]. in_grad may be out_grad. parameters.offset is not read.
void BatchNormGrad(const BatchNormParameters& parameters, int64_t rows, const float* out_grad,
                   const float* in, float* in_grad, float* scale_grad, float* offset_grad);

// out = (in - mean) / sqrt(variance + epsilon) * scale + offset with the mean and the variance of
// each row, for rows [begin, end) of [rows,columns]. scale and offset have `columns` elements.
// `out` may be `in`.
void LayerNormRows(int64_t columns, const float* scale, const float* offset, float epsilon,
                   const float* in, float* out, int64_t begin, int64_t end);

}  // namespace tfrt::cpu

#endif  // TFRT_KERNELS_CPU_NORMALIZATION_H_
