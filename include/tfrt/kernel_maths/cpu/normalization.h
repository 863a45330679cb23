// Normalisation, f32.
#ifndef TFRT_KERNEL_MATHS_CPU_NORMALIZATION_H_
#define TFRT_KERNEL_MATHS_CPU_NORMALIZATION_H_

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

// Mean and variance of the channels of a batch [rows,C], in parts that may be computed in any
// order: sums and squares, [C], get the sums over the rows [begin, end) of d and d^2, where d is
// what a row differs from the first one by. So a large mean does not swallow the variance.
void BatchMomentSums(int64_t channels, const float* in, double* sums, double* squares,
                     int64_t begin, int64_t end);
// mean and variance, [C], from the sums over all rows of which `in` is the first. The variance is
// sum((x - mean)^2) / rows. NaN if there are no rows.
void BatchMoments(int64_t channels, int64_t rows, const float* in, const double* sums,
                  const double* squares, float* mean, float* variance);

// The gradients of a normalisation with the mean and the variance of the batch itself, which is in
// [rows,C]. in_grad may be out_grad. parameters.offset is not read.
void BatchNormGrad(const BatchNormParameters& parameters, int64_t rows, const float* out_grad,
                   const float* in, float* in_grad, float* scale_grad, float* offset_grad);
// That in parts. Over the rows [begin, end) sums, [C], gets the sums of out_grad, and products
// those of out_grad * (in - mean).
void BatchNormGradSums(const BatchNormParameters& parameters, const float* out_grad,
                       const float* in, double* sums, double* products, int64_t begin, int64_t end);
// The gradients of scale and offset from the sums over all rows.
void BatchNormGradVectors(const BatchNormParameters& parameters, const double* sums,
                          const double* products, float* scale_grad, float* offset_grad);
// in_grad of rows [begin, end) from the sums over all `rows`; without sums that of a normalisation
// with a mean and a variance that do not depend on the batch. in_grad may be out_grad.
void BatchNormGradRows(const BatchNormParameters& parameters, int64_t rows, const double* sums,
                       const double* products, const float* out_grad, const float* in,
                       float* in_grad, int64_t begin, int64_t end);

// out = (in - mean) / sqrt(variance + epsilon) * scale + offset with the mean and the variance of
// each row, for rows [begin, end) of [rows,columns]. scale and offset have `columns` elements.
// `out` may be `in`.
void LayerNormRows(int64_t columns, const float* scale, const float* offset, float epsilon,
                   const float* in, float* out, int64_t begin, int64_t end);

}  // namespace tfrt::cpu

#endif  // TFRT_KERNEL_MATHS_CPU_NORMALIZATION_H_
