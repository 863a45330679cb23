// Normalisation, f32.
#ifndef TFRT_LIB_OPS_MATHS_CPU_NORMALIZATION_H_
#define TFRT_LIB_OPS_MATHS_CPU_NORMALIZATION_H_

#include <cstdint>

namespace tfrt::cpu {

// The parameters of batch normalisation for each of `channels` channels.
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

// Computes mean and variance of the channels of a batch [rows,C], in parts that may be computed in
// any order. Adds to sums and squares, [C], the sums over the rows [begin, end) of d and d^2. There
// d is the difference of a row from the first one, so that a large mean does not swallow the
// variance.
void BatchMomentSums(int64_t channels, const float* in, double* sums, double* squares,
                     int64_t begin, int64_t end);
// mean and variance, [C], from the sums over all rows of which `in` is the first. The variance is
// sum((x - mean)^2) / rows. NaN if there are no rows.
void BatchMoments(int64_t channels, int64_t rows, const float* in, const double* sums,
                  const double* squares, float* mean, float* variance);

// Computes the gradients of a normalisation with the mean and the variance of the batch `in`
// [rows,C] itself. The gradient in_grad may be out_grad. Does not read parameters.offset.
void BatchNormGrad(const BatchNormParameters& parameters, int64_t rows, const float* out_grad,
                   const float* in, float* in_grad, float* scale_grad, float* offset_grad);
// That in parts. Over the rows [begin, end) sums, [C], gets the sums of out_grad, and products
// those of out_grad * (in - mean).
void BatchNormGradSums(const BatchNormParameters& parameters, const float* out_grad,
                       const float* in, double* sums, double* products, int64_t begin, int64_t end);
// The gradients of scale and offset from the sums over all rows.
void BatchNormGradVectors(const BatchNormParameters& parameters, const double* sums,
                          const double* products, float* scale_grad, float* offset_grad);
// Computes in_grad of rows [begin, end) from the sums over all `rows`. Without sums, the mean and
// the variance of the normalisation do not depend on the batch. The gradient in_grad may be
// out_grad.
void BatchNormGradRows(const BatchNormParameters& parameters, int64_t rows, const double* sums,
                       const double* products, const float* out_grad, const float* in,
                       float* in_grad, int64_t begin, int64_t end);

// Computes out = (in - mean) / sqrt(variance + epsilon) * scale + offset for rows [begin, end) of
// [rows,columns]. The mean and the variance are those of each row. The vectors scale and offset
// have `columns` elements. `out` may be `in`.
void LayerNormRows(int64_t columns, const float* scale, const float* offset, float epsilon,
                   const float* in, float* out, int64_t begin, int64_t end);

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_NORMALIZATION_H_
