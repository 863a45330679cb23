#include "channel_norm.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "isa_clones.h"
#include "normalization.h"
#include "row_sums.h"
#include "tfrt/support/half.h"

namespace tfrt::cpu {
namespace {

// Moments of elements that lie at `count` multiples of `stride`, `runs` times.
struct Moments {
  double mean;
  double factor;  // 1 / sqrt(variance + epsilon)
};

template <typename T, typename F>
double SumWhere(const T* in, int64_t runs, int64_t run_stride, int64_t count, int64_t stride,
                F fn) {
  double sum = 0;
  for (int64_t i = 0; i < runs; ++i) {
    for (int64_t j = 0; j < count; ++j) {
      sum += fn(static_cast<double>(in[i * run_stride + j * stride]));
    }
  }
  return sum;
}

template <typename T>
Moments MomentsOf(const T* in, int64_t runs, int64_t run_stride, int64_t count, int64_t stride,
                  float epsilon) {
  const auto size = static_cast<double>(runs * count);
  const double mean =
      SumWhere(in, runs, run_stride, count, stride, [](double x) { return x; }) / size;
  const double variance = SumWhere(in, runs, run_stride, count, stride,
                                   [=](double x) { return (x - mean) * (x - mean); }) /
                          size;
  return {mean, 1 / std::sqrt(variance + epsilon)};
}

TFRT_ISA_CLONES
Moments MomentsOfRun(const float* in, int64_t size, float epsilon) {
  const auto count = static_cast<double>(size);
  const auto mean = static_cast<float>(
      SumOf(in, size, [](auto v) __attribute__((always_inline)) { return v; }) / count);
  const double variance =
      SumOf(in, size,
            [mean](auto v) __attribute__((always_inline)) { return (v - mean) * (v - mean); }) /
      count;
  return {mean, 1 / std::sqrt(variance + epsilon)};
}

// out = in * factor + summand
TFRT_ISA_CLONES
void ScaleRun(const float* in, float* out, int64_t size, float mean, float factor, float summand) {
  TFRT_INDEPENDENT_ITERATIONS
  for (int64_t i = 0; i < size; ++i) out[i] = (in[i] - mean) * factor + summand;
}

TFRT_ISA_CLONES
void RmsNormFloats(int64_t columns, const float* scale, float epsilon, const float* in, float* out,
                   int64_t begin, int64_t end) {
  for (int64_t row = begin; row < end; ++row) {
    const float* x = in + row * columns;
    float* y = out + row * columns;
    const double mean =
        SumOf(x, columns, [](auto v) __attribute__((always_inline)) { return v * v; }) /
        static_cast<double>(columns);
    const auto factor = static_cast<float>(1 / std::sqrt(mean + epsilon));
    TFRT_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < columns; ++i) y[i] = x[i] * factor * scale[i];
  }
}

}  // namespace

template <typename T>
void GroupNorm(const ChannelLayout& layout, int64_t groups, const T* scale, const T* offset,
               float epsilon, const T* in, T* out, int64_t begin, int64_t end) {
  const int64_t channels = layout.channels / groups, places = layout.places;
  for (int64_t group = begin; group < end; ++group) {
    const int64_t first = group % groups * channels;
    const int64_t start =
        group / groups * layout.channels * places + first * layout.channel_stride();
    Moments moments;
    if constexpr (std::is_same_v<T, float>) {
      moments = layout.channels_last
                    ? MomentsOf(in + start, places, layout.channels, channels, 1, epsilon)
                    : MomentsOfRun(in + start, channels * places, epsilon);
    } else {
      moments = MomentsOf(in + start, places, layout.place_stride(), channels,
                          layout.channel_stride(), epsilon);
    }
    for (int64_t c = 0; c < channels; ++c) {
      const int64_t at = start + c * layout.channel_stride();
      const double factor = moments.factor * static_cast<double>(scale[first + c]);
      const auto summand = static_cast<double>(offset[first + c]);
      if constexpr (std::is_same_v<T, float>) {
        if (!layout.channels_last) {
          ScaleRun(in + at, out + at, places, static_cast<float>(moments.mean),
                   static_cast<float>(factor), static_cast<float>(summand));
          continue;
        }
      }
      for (int64_t i = 0; i < places; ++i) {
        const int64_t place = at + i * layout.place_stride();
        out[place] =
            static_cast<T>((static_cast<double>(in[place]) - moments.mean) * factor + summand);
      }
    }
  }
}

template <typename T>
void RmsNormRows(int64_t columns, const T* scale, float epsilon, const T* in, T* out, int64_t begin,
                 int64_t end) {
  if constexpr (std::is_same_v<T, float>) {
    RmsNormFloats(columns, scale, epsilon, in, out, begin, end);
  } else {
    for (int64_t row = begin; row < end; ++row) {
      const T* x = in + row * columns;
      const double mean = SumWhere(x, 1, 0, columns, 1, [](double v) { return v * v; }) /
                          static_cast<double>(columns);
      const double factor = 1 / std::sqrt(mean + epsilon);
      for (int64_t i = 0; i < columns; ++i) {
        out[row * columns + i] =
            static_cast<T>(static_cast<double>(x[i]) * factor * static_cast<double>(scale[i]));
      }
    }
  }
}

template <typename T>
void LayerNormRowsOf(int64_t columns, const T* scale, const T* offset, float epsilon, const T* in,
                     T* out, int64_t begin, int64_t end) {
  if constexpr (std::is_same_v<T, float>) {
    LayerNormRows(columns, scale, offset, epsilon, in, out, begin, end);
  } else {
    for (int64_t row = begin; row < end; ++row) {
      const T* x = in + row * columns;
      const Moments moments = MomentsOf(x, 1, 0, columns, 1, epsilon);
      for (int64_t i = 0; i < columns; ++i) {
        const double normal = (static_cast<double>(x[i]) - moments.mean) * moments.factor;
        out[row * columns + i] =
            static_cast<T>(normal * static_cast<double>(scale[i]) + static_cast<double>(offset[i]));
      }
    }
  }
}

template <typename T>
void LocalResponseNorm(const ChannelLayout& layout, const LocalResponse& response, const T* in,
                       T* out, int64_t begin, int64_t end) {
  const int64_t before = (response.size - 1) / 2, after = response.size / 2;
  const double alpha = static_cast<double>(response.alpha) / static_cast<double>(response.size);
  // Places at a time, whose sums stay near.
  constexpr int64_t kPart = 256;
  double sums[kPart];
  for (int64_t image = begin; image < end; ++image) {
    const int64_t start = image * layout.channels * layout.places;
    for (int64_t part = 0; part < layout.places; part += kPart) {
      const int64_t count = std::min(kPart, layout.places - part);
      for (int64_t c = 0; c < layout.channels; ++c) {
        std::fill_n(sums, count, 0.0);
        const int64_t last = std::min(layout.channels - 1, c + after);
        for (int64_t near = std::max<int64_t>(0, c - before); near <= last; ++near) {
          const T* x = in + start + near * layout.channel_stride() + part * layout.place_stride();
          for (int64_t i = 0; i < count; ++i) {
            const auto v = static_cast<double>(x[i * layout.place_stride()]);
            sums[i] += v * v;
          }
        }
        const int64_t at = start + c * layout.channel_stride() + part * layout.place_stride();
        for (int64_t i = 0; i < count; ++i) {
          const int64_t place = at + i * layout.place_stride();
          out[place] = static_cast<T>(static_cast<double>(in[place]) *
                                      std::pow(response.bias + alpha * sums[i], -response.beta));
        }
      }
    }
  }
}

#define TFRT_INSTANTIATE(T)                                                                       \
  template void GroupNorm(const ChannelLayout&, int64_t, const T*, const T*, float, const T*, T*, \
                          int64_t, int64_t);                                                      \
  template void RmsNormRows(int64_t, const T*, float, const T*, T*, int64_t, int64_t);            \
  template void LayerNormRowsOf(int64_t, const T*, const T*, float, const T*, T*, int64_t,        \
                                int64_t);                                                         \
  template void LocalResponseNorm(const ChannelLayout&, const LocalResponse&, const T*, T*,       \
                                  int64_t, int64_t);
TFRT_INSTANTIATE(float)
TFRT_INSTANTIATE(double)
TFRT_INSTANTIATE(Fp16)
TFRT_INSTANTIATE(Bf16)
#undef TFRT_INSTANTIATE

}  // namespace tfrt::cpu
