// Normalisation of rows and of groups of channels, and the gradient of the former.
//
//   layer_norm_TYPE(out, in, scale, offset, rows, columns, epsilon)
//     (x - mean) / sqrt(variance + epsilon) * scale + offset of each row; scale, offset [columns]
//   rms_norm_TYPE(out, in, scale, rows, columns, epsilon)
//     x / sqrt(mean(x^2) + epsilon) * scale
//   group_norm_TYPE(out, in, scale, offset, images, groups, channels, places, channels_last,
//                   epsilon)
//     in [images,groups,channels,places] or, with `channels_last` (i32), [images,places,groups,
//     channels]: as layer_norm for each group of each image; scale, offset [groups,channels]. A
//     group has less than 2^31 elements.
//   layer_norm_grad_TYPE(in_grad, moments, out_grad, in, scale, rows, columns, epsilon)
//     the gradient with respect to the rows. moments [rows,2], f32 or for f64 f64: the mean and
//     1 / sqrt(variance + epsilon) of each row.
//   layer_norm_grad_sums_TYPE(parts, out_grad, in, moments, rows, columns, num_parts)
//     parts [num_parts,2,columns], f64: sums over parts of the rows
//   layer_norm_grad_vectors_TYPE(scale_grad, offset_grad, parts, columns, num_parts)
//     [columns] each, from the sums
//   lrn_TYPE(out, in, images, channels, places, channels_last, size, alpha, beta, bias)
//     x / (bias + alpha / size * sum(x^2))^beta, summed over `size` channels, of which (size - 1) /
//     2 come before the element's own. in as for group_norm. alpha, beta and bias are f32.
//
// Rows are [rows,columns]. epsilon is f32, other numbers are i64. Moments are f64 sums, in an order
// that sizes alone decide. out and in_grad may be the inputs of their size, but not those of lrn.

#include "column_parts.h"
#include "device_math.h"
#include "dims.h"
#include "ops_by_type.h"
#include "teams.h"

namespace tfrt::gpu::device {
namespace {

using Element = TFRT_TYPE;
using C = Compute<Element>;

struct Moments {
  f64 mean;
  f64 factor;  // 1 / sqrt(variance + epsilon)
};
// Of `size` elements value(i).
template <typename Team, typename F>
TFRT_DEVICE Moments MomentsOf(Team team, int64_t size, float epsilon, F value) {
  const auto count = static_cast<f64>(size);
  const f64 mean = team.SumOf(size, value) / count;
  const f64 variance = team.SumOf(size, [&](int64_t i) {
    const f64 d = static_cast<f64>(value(i)) - mean;
    return d * d;
  }) / count;
  return {mean, 1 / Sqrt(variance + static_cast<f64>(epsilon))};
}

TFRT_DEVICE C Normalized(C x, const Moments& moments, C scale, C offset) {
  return (x - static_cast<C>(moments.mean)) * static_cast<C>(moments.factor) * scale + offset;
}

TFRT_DEVICE void LayerNorm(Element* out, const Element* in, const Element* scale,
                           const Element* offset, int64_t rows, int64_t columns, float epsilon) {
  ForEachRow(rows, columns, [=](int64_t row, auto team) {
    const Element* x = in + row * columns;
    Element* y = out + row * columns;
    const Moments moments =
        MomentsOf(team, columns, epsilon, [=](int64_t i) { return Decode(x[i]); });
    team.ForEach(columns, [=](int64_t i) {
      y[i] =
          Encode<Element>(Normalized(Decode(x[i]), moments, Decode(scale[i]), Decode(offset[i])));
    });
  });
}

TFRT_DEVICE void RmsNorm(Element* out, const Element* in, const Element* scale, int64_t rows,
                         int64_t columns, float epsilon) {
  ForEachRow(rows, columns, [=](int64_t row, auto team) {
    const Element* x = in + row * columns;
    Element* y = out + row * columns;
    const f64 sum = team.SumOf(columns, [=](int64_t i) {
      const auto value = static_cast<f64>(Decode(x[i]));
      return value * value;
    });
    const auto factor =
        static_cast<C>(1 / Sqrt(sum / static_cast<f64>(columns) + static_cast<f64>(epsilon)));
    team.ForEach(columns, [=](int64_t i) {
      y[i] = Encode<Element>(Decode(x[i]) * factor * Decode(scale[i]));
    });
  });
}

TFRT_DEVICE void GroupNorm(Element* out, const Element* in, const Element* scale,
                           const Element* offset, int64_t images, int64_t groups, int64_t channels,
                           int64_t places, bool channels_last, float epsilon) {
  const int64_t size = channels * places;
  // The faster dimension of the elements of a group, by its length.
  const auto fast = static_cast<uint32_t>(channels_last ? channels : places);
  ForEachRow(images * groups, size, [=](int64_t row, auto team) {
    const int64_t image = row / groups, first_channel = (row - image * groups) * channels;
    const int64_t first = image * groups * size + first_channel * (channels_last ? 1 : places);
    auto at = [=](int64_t i) {
      if (!channels_last) return first + i;
      return first + static_cast<uint32_t>(i) / fast * (groups * channels) +
             static_cast<uint32_t>(i) % fast;
    };
    const Moments moments =
        MomentsOf(team, size, epsilon, [=](int64_t i) { return Decode(in[at(i)]); });
    team.ForEach(size, [=](int64_t i) {
      const auto number = static_cast<uint32_t>(i);
      const int64_t channel = first_channel + (channels_last ? number % fast : number / fast);
      out[at(i)] = Encode<Element>(
          Normalized(Decode(in[at(i)]), moments, Decode(scale[channel]), Decode(offset[channel])));
    });
  });
}

TFRT_DEVICE void LayerNormGrad(Element* in_grad, C* moments_out, const Element* out_grad,
                               const Element* in, const Element* scale, int64_t rows,
                               int64_t columns, float epsilon) {
  ForEachRow(rows, columns, [=](int64_t row, auto team) {
    const Element *x = in + row * columns, *dy = out_grad + row * columns;
    Element* dx = in_grad + row * columns;
    const Moments moments =
        MomentsOf(team, columns, epsilon, [=](int64_t i) { return Decode(x[i]); });
    const auto mean = static_cast<C>(moments.mean), factor = static_cast<C>(moments.factor);
    auto normal = [=](int64_t i) { return (Decode(x[i]) - mean) * factor; };
    auto slope = [=](int64_t i) { return Decode(dy[i]) * Decode(scale[i]); };
    const auto count = static_cast<f64>(columns);
    const auto slope_mean = static_cast<C>(team.SumOf(columns, slope) / count);
    const auto product_mean = static_cast<C>(team.SumOf(columns, [=](int64_t i) {
      return static_cast<f64>(slope(i)) * static_cast<f64>(normal(i));
    }) / count);
    team.ForEach(columns, [=](int64_t i) {
      dx[i] = Encode<Element>(factor * (slope(i) - slope_mean - normal(i) * product_mean));
    });
    if (team.thread() == 0) {
      moments_out[2 * row] = mean;
      moments_out[2 * row + 1] = factor;
    }
  });
}

TFRT_DEVICE void Lrn(Element* out, const Element* in, int64_t images, int64_t channels,
                     int64_t places, bool last, int64_t size, float alpha, float beta, float bias) {
  const int64_t before = (size - 1) / 2, after = size / 2;
  const int64_t step = last ? 1 : places;
  const f64 factor = static_cast<f64>(alpha) / static_cast<f64>(size);
  ForEachPlace(Dims<3>{images, last ? places : channels, last ? channels : places},
               [=](int64_t i, const Dims<3>& place) {
                 const int64_t channel = place.at[last ? 2 : 1];
                 const int64_t end = channel + after < channels ? channel + after : channels - 1;
                 f64 sum = 0;
                 for (int64_t c = channel > before ? channel - before : 0; c <= end; ++c) {
                   const auto x = static_cast<f64>(Decode(in[i + (c - channel) * step]));
                   sum += x * x;
                 }
                 const auto base = static_cast<C>(static_cast<f64>(bias) + factor * sum);
                 out[i] = Encode<Element>(Decode(in[i]) * Pow(base, static_cast<C>(-beta)));
               });
}

}  // namespace

TFRT_BLOCK_KERNEL TFRT_ENTRY(layer_norm)(Element* out, const Element* in, const Element* scale,
                                         const Element* offset, int64_t rows, int64_t columns,
                                         float epsilon) {
  LayerNorm(out, in, scale, offset, rows, columns, epsilon);
}

TFRT_LARGE_BLOCK_KERNEL TFRT_ENTRY(rms_norm)(Element* out, const Element* in, const Element* scale,
                                             int64_t rows, int64_t columns, float epsilon) {
  RmsNorm(out, in, scale, rows, columns, epsilon);
}

TFRT_BLOCK_KERNEL TFRT_ENTRY(group_norm)(Element* out, const Element* in, const Element* scale,
                                         const Element* offset, int64_t images, int64_t groups,
                                         int64_t channels, int64_t places, int32_t channels_last,
                                         float epsilon) {
  GroupNorm(out, in, scale, offset, images, groups, channels, places, channels_last != 0, epsilon);
}

TFRT_BLOCK_KERNEL TFRT_ENTRY(layer_norm_grad)(Element* in_grad, C* moments, const Element* out_grad,
                                              const Element* in, const Element* scale, int64_t rows,
                                              int64_t columns, float epsilon) {
  LayerNormGrad(in_grad, moments, out_grad, in, scale, rows, columns, epsilon);
}

TFRT_BLOCK_KERNEL TFRT_ENTRY(layer_norm_grad_sums)(f64* parts, const Element* out_grad,
                                                   const Element* in, const C* moments,
                                                   int64_t rows, int64_t columns,
                                                   int64_t num_parts) {
  SumColumnParts<2>(parts, rows, columns, num_parts,
                    [=](int64_t row, int64_t column, f64(&sums)[2]) {
                      const int64_t at = row * columns + column;
                      const C normal = (Decode(in[at]) - moments[2 * row]) * moments[2 * row + 1];
                      const auto dy = static_cast<f64>(Decode(out_grad[at]));
                      sums[0] += dy * static_cast<f64>(normal);
                      sums[1] += dy;
                    });
}

TFRT_BLOCK_KERNEL TFRT_ENTRY(layer_norm_grad_vectors)(Element* scale_grad, Element* offset_grad,
                                                      const f64* parts, int64_t columns,
                                                      int64_t num_parts) {
  ForEach(columns, [=](int64_t i) {
    scale_grad[i] = Cast<Element>(SumOfParts(parts, num_parts, 2, columns, 0, i));
    offset_grad[i] = Cast<Element>(SumOfParts(parts, num_parts, 2, columns, 1, i));
  });
}

TFRT_BLOCK_KERNEL TFRT_ENTRY(lrn)(Element* out, const Element* in, int64_t images, int64_t channels,
                                  int64_t places, int32_t channels_last, int64_t size, float alpha,
                                  float beta, float bias) {
  Lrn(out, in, images, channels, places, channels_last != 0, size, alpha, beta, bias);
}

}  // namespace tfrt::gpu::device
