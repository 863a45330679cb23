// Batch normalisation of [rows,channels], and its gradients. Scales, means and other vectors
// [channels] are f32, for f64 f64.
//
//   batch_norm_TYPE(out, in, scale, offset, mean, variance, addend, activation, rows, channels,
//                   epsilon)
//     activation((x - mean) / sqrt(variance + epsilon) * scale + offset + addend). The addend is
//     like `in` and may be null. `activation` (i32): 0 none, 1 relu.
//   batch_moments_TYPE(parts, in, rows, channels, num_parts)
//     parts [num_parts,2,channels], f64: sums over parts of the rows, of differences from row 0
//   batch_moments_vectors_TYPE(mean, variance, batch_mean, batch_variance, old_mean, old_variance,
//                              parts, in, rows, channels, num_parts, factor)
//     from the sums the mean of the batch and its variance, sum((x - mean)^2) / rows. And (1 -
//     factor) * old_mean + factor * batch_mean; the same with the variances, divided by rows - 1.
//     The old ones may be null: then the factor is taken for 1.
//   batch_norm_grad_sums_TYPE(parts, out_grad, in, mean, rows, channels, num_parts)
//     parts [num_parts,2,channels], f64: sums over parts of the rows
//   batch_norm_grad_vectors_TYPE(scale_grad, offset_grad, means, parts, variance, rows, channels,
//                                num_parts, epsilon)
//     from the sums the gradients of scale and offset, and means [2,channels] for the next
//   batch_norm_grad_TYPE(in_grad, out_grad, in, scale, mean, variance, means, rows, channels,
//                        epsilon)
//     the gradient with respect to `in`. means may be null: mean and variance are then numbers that
//     do not depend on it.
//
// epsilon and factor are f32, other numbers are i64. The order of sums follows from sizes and from
// `num_parts`. out and in_grad may be the inputs of their size.

#include "column_parts.h"
#include "device_math.h"
#include "dims.h"
#include "ops_by_type.h"

namespace tfrt::gpu::device {

using Element = TFRT_TYPE;
using C = Compute<Element>;

TFRT_BLOCK_KERNEL TFRT_ENTRY(batch_norm)(Element* out, const Element* in, const C* scale,
                                         const C* offset, const C* mean, const C* variance,
                                         const Element* addend, int32_t activation, int64_t rows,
                                         int64_t channels, float epsilon) {
  ForEachPlace(Dims<2>{rows, channels}, [=](int64_t i, const Dims<2>& place) {
    const int64_t c = place.at[1];
    const C factor = scale[c] / Sqrt(variance[c] + static_cast<C>(epsilon));
    C y = (Decode(in[i]) - mean[c]) * factor + offset[c];
    if (addend != nullptr) y += Decode(addend[i]);
    out[i] = Encode<Element>(activation == 1 && y < 0 ? C(0) : y);
  });
}

TFRT_BLOCK_KERNEL TFRT_ENTRY(batch_moments)(f64* parts, const Element* in, int64_t rows,
                                            int64_t channels, int64_t num_parts) {
  SumColumnParts<2>(parts, rows, channels, num_parts, [=](int64_t row, int64_t c, f64(&sums)[2]) {
    const f64 d =
        static_cast<f64>(Decode(in[row * channels + c])) - static_cast<f64>(Decode(in[c]));
    sums[0] += d;
    sums[1] += d * d;
  });
}

TFRT_BLOCK_KERNEL TFRT_ENTRY(batch_moments_vectors)(C* mean, C* variance, C* batch_mean,
                                                    C* batch_variance, const C* old_mean,
                                                    const C* old_variance, const f64* parts,
                                                    const Element* in, int64_t rows,
                                                    int64_t channels, int64_t num_parts,
                                                    float factor) {
  ForEach(channels, [=](int64_t c) {
    const auto count = static_cast<f64>(rows);
    const f64 d_mean = SumOfParts(parts, num_parts, 2, channels, 0, c) / count;
    const f64 squares = SumOfParts(parts, num_parts, 2, channels, 1, c) / count;
    const f64 from_mean = squares - d_mean * d_mean;
    const f64 first = rows > 0 ? static_cast<f64>(Decode(in[c])) : 0;
    const auto new_mean = static_cast<C>(first + d_mean);
    const auto new_variance = static_cast<C>(from_mean < 0 ? 0 : from_mean);
    const f64 correction = rows > 1 ? count / (count - 1) : 1;
    const auto population = static_cast<C>(static_cast<f64>(new_variance) * correction);
    const C part = static_cast<C>(factor), rest = 1 - part;
    batch_mean[c] = new_mean;
    batch_variance[c] = new_variance;
    mean[c] = old_mean != nullptr ? rest * old_mean[c] + part * new_mean : new_mean;
    variance[c] = old_variance != nullptr ? rest * old_variance[c] + part * population : population;
  });
}

TFRT_BLOCK_KERNEL TFRT_ENTRY(batch_norm_grad_sums)(f64* parts, const Element* out_grad,
                                                   const Element* in, const C* mean, int64_t rows,
                                                   int64_t channels, int64_t num_parts) {
  SumColumnParts<2>(parts, rows, channels, num_parts, [=](int64_t row, int64_t c, f64(&sums)[2]) {
    const int64_t at = row * channels + c;
    const auto dy = static_cast<f64>(Decode(out_grad[at]));
    sums[0] += dy;
    sums[1] += dy * static_cast<f64>(Decode(in[at]) - mean[c]);
  });
}

TFRT_BLOCK_KERNEL TFRT_ENTRY(batch_norm_grad_vectors)(C* scale_grad, C* offset_grad, C* means,
                                                      const f64* parts, const C* variance,
                                                      int64_t rows, int64_t channels,
                                                      int64_t num_parts, float epsilon) {
  ForEach(channels, [=](int64_t c) {
    const f64 sum = SumOfParts(parts, num_parts, 2, channels, 0, c);
    const f64 product = SumOfParts(parts, num_parts, 2, channels, 1, c);
    const f64 wide = static_cast<f64>(variance[c]) + static_cast<f64>(epsilon);
    const auto count = static_cast<f64>(rows);
    offset_grad[c] = static_cast<C>(sum);
    scale_grad[c] = static_cast<C>(product / Sqrt(wide));
    means[c] = static_cast<C>(sum / count);
    means[channels + c] = static_cast<C>(product / wide / count);
  });
}

TFRT_BLOCK_KERNEL TFRT_ENTRY(batch_norm_grad)(Element* in_grad, const Element* out_grad,
                                              const Element* in, const C* scale, const C* mean,
                                              const C* variance, const C* means, int64_t rows,
                                              int64_t channels, float epsilon) {
  ForEachPlace(Dims<2>{rows, channels}, [=](int64_t i, const Dims<2>& place) {
    const int64_t c = place.at[1];
    const C factor = scale[c] / Sqrt(variance[c] + static_cast<C>(epsilon));
    C slope = Decode(out_grad[i]);
    if (means != nullptr) {
      slope = slope - means[c] - (Decode(in[i]) - mean[c]) * means[channels + c];
    }
    in_grad[i] = Encode<Element>(factor * slope);
  });
}

}  // namespace tfrt::gpu::device
