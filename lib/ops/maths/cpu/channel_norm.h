// Normalisation of groups of channels and of rows. T is float; Fp16, Bf16 or double, computed in
// double. Outputs may be inputs where nothing else is said.
#ifndef TFRT_LIB_OPS_MATHS_CPU_CHANNEL_NORM_H_
#define TFRT_LIB_OPS_MATHS_CPU_CHANNEL_NORM_H_

#include <cstdint>

namespace tfrt::cpu {

// Images [images,channels,places], or [images,places,channels] with channels_last.
struct ChannelLayout {
  int64_t channels = 0;
  int64_t places = 0;
  bool channels_last = false;

  int64_t channel_stride() const { return channels_last ? 1 : places; }
  int64_t place_stride() const { return channels_last ? channels : 1; }
};

// Computes out = (in - mean) / sqrt(variance + epsilon) * scale + offset. The mean and the variance
// are those of each group of channels of each image. Covers groups [begin, end) of all images. The
// vectors scale and offset have an element for each channel; `groups` divides their number.
template <typename T>
void GroupNorm(const ChannelLayout& layout, int64_t groups, const T* scale, const T* offset,
               float epsilon, const T* in, T* out, int64_t begin, int64_t end);

// out = in / sqrt(mean(in^2) + epsilon) * scale for rows [begin, end) of [rows,columns].
template <typename T>
void RmsNormRows(int64_t columns, const T* scale, float epsilon, const T* in, T* out, int64_t begin,
                 int64_t end);

// As LayerNormRows of floats (normalization.h).
template <typename T>
void LayerNormRowsOf(int64_t columns, const T* scale, const T* offset, float epsilon, const T* in,
                     T* out, int64_t begin, int64_t end);

// Computes out = in / (bias + alpha / size * sum(in^2))^beta for images [begin, end). The sum is
// over `size` channels, of which (size - 1) / 2 come before the element's own. `out` is apart from
// `in`.
struct LocalResponse {
  int64_t size = 1;
  float alpha = 0;
  float beta = 0;
  float bias = 0;
};
template <typename T>
void LocalResponseNorm(const ChannelLayout& layout, const LocalResponse& response, const T* in,
                       T* out, int64_t begin, int64_t end);

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_CHANNEL_NORM_H_
