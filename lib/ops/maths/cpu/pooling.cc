#include "pooling.h"

#include <algorithm>
#include <limits>

#include "isa_clones.h"

namespace tfrt::cpu {
namespace {

using Taps = WindowDimension::Taps;

// The larger one, or NaN if one is.
[[gnu::always_inline]] inline float MaxOrNan(float a, float b) {
  return ((b > a) | (b != b)) ? b : a;
}

// Calls fn(offset of the element in the image) for the positions of one window.
template <typename F>
[[gnu::always_inline]] inline void ForEachTap(const Pool2d& pool, const Taps& rows,
                                              const Taps& columns, F fn) {
  const WindowDimension& height = pool.window.rows;
  const WindowDimension& width = pool.window.columns;
  for (int64_t r = rows.begin; r < rows.end; ++r) {
    int64_t y = rows.first_position + r * height.dilation;
    for (int64_t c = columns.begin; c < columns.end; ++c) {
      int64_t x = columns.first_position + c * width.dilation;
      fn((y * width.input + x) * pool.channels);
    }
  }
}

// out = the larger of out and in, element by element.
[[gnu::always_inline]] inline void MaxInto(const float* in, float* out, int64_t count) {
  TFRT_INDEPENDENT_ITERATIONS
  for (int64_t i = 0; i < count; ++i) out[i] = MaxOrNan(out[i], in[i]);
}

[[gnu::always_inline]] inline void MaxRow(const Pool2d& pool, const float* image, float* out,
                                          int64_t row) {
  const int64_t channels = pool.channels;
  Taps rows = pool.window.rows.TapsOf(row);
  for (int64_t column = 0; column < pool.window.columns.output; ++column, out += channels) {
    std::fill_n(out, channels, -std::numeric_limits<float>::infinity());
    ForEachTap(pool, rows, pool.window.columns.TapsOf(column),
               [&](int64_t offset)
                   __attribute__((always_inline)) { MaxInto(image + offset, out, channels); });
  }
}

// Bytes are few enough for the nearest cache, whatever their number of channels.
template <typename T>
[[gnu::always_inline]] inline void MaxRowsOfBytes(const Pool2d& pool, const T* in, T* out,
                                                  int64_t begin, int64_t end) {
  const int64_t channels = pool.channels;
  for (int64_t i = begin; i < end; ++i) {
    const T* image = in + i / pool.window.rows.output * pool.input_image_size();
    T* to = out + i * pool.output_row_size();
    const Taps rows = pool.window.rows.TapsOf(i % pool.window.rows.output);
    for (int64_t column = 0; column < pool.window.columns.output; ++column, to += channels) {
      std::fill_n(to, channels, std::numeric_limits<T>::min());
      ForEachTap(pool, rows, pool.window.columns.TapsOf(column),
                 [=](int64_t offset) __attribute__((always_inline)) {
                   const T* from = image + offset;
                   TFRT_INDEPENDENT_ITERATIONS
                   for (int64_t c = 0; c < channels; ++c) to[c] = to[c] < from[c] ? from[c] : to[c];
                 });
    }
  }
}

// Floats of few channels, where a loop over them is too short to be worth vectors: first the
// maximum of the window's rows, over whole rows of the image, then that of its columns, eight
// channels at a time. Channels that there are not belong to the next column, which is written
// afterwards.
constexpr int64_t kFewChannels = 16;
constexpr int64_t kMaxImageRow = 4096;
typedef float Lanes __attribute__((vector_size(32), aligned(4), may_alias));
constexpr int64_t kLanes = 8;

[[gnu::always_inline]] inline void MaxRowOfFewChannels(const Pool2d& pool, const float* image,
                                                       float* out, int64_t row) {
  constexpr float kNone = -std::numeric_limits<float>::infinity();
  const WindowDimension& height = pool.window.rows;
  const WindowDimension& width = pool.window.columns;
  const int64_t channels = pool.channels;
  const int64_t row_size = width.input * channels;
  float largest[kMaxImageRow + kLanes];
  Taps rows = height.TapsOf(row);
  auto image_row = [&](int64_t r) __attribute__((always_inline)) {
    return image + (rows.first_position + r * height.dilation) * row_size;
  };
  if (rows.begin == rows.end) {
    std::fill_n(largest, row_size, kNone);
  } else {
    std::copy_n(image_row(rows.begin), row_size, largest);
  }
  for (int64_t r = rows.begin + 1; r < rows.end; ++r) MaxInto(image_row(r), largest, row_size);
  std::fill_n(largest + row_size, kLanes, kNone);  // read, and not used

  float* const out_end = out + width.output * channels;
  for (int64_t column = 0; column < width.output; ++column, out += channels) {
    Taps columns = width.TapsOf(column);
    const float* in =
        largest + (columns.first_position + columns.begin * width.dilation) * channels;
    const int64_t step = width.dilation * channels;
    const int64_t taps = columns.end - columns.begin;
    for (int64_t channel = 0; channel < channels; channel += kLanes) {
      if (out_end - (out + channel) < kLanes) {
        for (int64_t i = channel; i < channels; ++i) {
          float value = kNone;
          for (int64_t c = 0; c < taps; ++c) value = MaxOrNan(value, in[c * step + i]);
          out[i] = value;
        }
        break;
      }
      Lanes value = Lanes{} + kNone;
      for (int64_t c = 0; c < taps; ++c) {
        Lanes next = *reinterpret_cast<const Lanes*>(in + c * step + channel);
        value = ((next > value) | (next != next)) ? next : value;
      }
      *reinterpret_cast<Lanes*>(out + channel) = value;
    }
  }
}

[[gnu::always_inline]] inline void AverageRow(const Pool2d& pool, const float* image, float* out,
                                              int64_t row) {
  const int64_t channels = pool.channels;
  Taps rows = pool.window.rows.TapsOf(row);
  for (int64_t column = 0; column < pool.window.columns.output; ++column, out += channels) {
    Taps columns = pool.window.columns.TapsOf(column);
    std::fill_n(out, channels, 0.0f);
    ForEachTap(pool, rows, columns, [&](int64_t offset) __attribute__((always_inline)) {
      const float* in = image + offset;
      TFRT_INDEPENDENT_ITERATIONS
      for (int64_t i = 0; i < channels; ++i) out[i] += in[i];
    });
    auto count = static_cast<float>((rows.end - rows.begin) * (columns.end - columns.begin));
    for (int64_t i = 0; i < channels; ++i) out[i] /= count;
  }
}

}  // namespace

TFRT_ISA_CLONES
void MaxPool2dRowsU8(const Pool2d& pool, const uint8_t* in, uint8_t* out, int64_t begin,
                     int64_t end) {
  MaxRowsOfBytes(pool, in, out, begin, end);
}
TFRT_ISA_CLONES
void MaxPool2dRowsI8(const Pool2d& pool, const int8_t* in, int8_t* out, int64_t begin,
                     int64_t end) {
  MaxRowsOfBytes(pool, in, out, begin, end);
}

TFRT_ISA_CLONES
void MaxPool2dRows(const Pool2d& pool, const float* in, float* out, int64_t begin, int64_t end) {
  const bool few_channels =
      pool.channels < kFewChannels && pool.window.columns.input <= kMaxImageRow / pool.channels;
  for (int64_t i = begin; i < end; ++i) {
    const float* image = in + i / pool.window.rows.output * pool.input_image_size();
    float* out_row = out + i * pool.output_row_size();
    int64_t row = i % pool.window.rows.output;
    if (few_channels) {
      MaxRowOfFewChannels(pool, image, out_row, row);
    } else {
      MaxRow(pool, image, out_row, row);
    }
  }
}

TFRT_ISA_CLONES
void AveragePool2dRows(const Pool2d& pool, const float* in, float* out, int64_t begin,
                       int64_t end) {
  for (int64_t i = begin; i < end; ++i) {
    int64_t image = i / pool.window.rows.output;
    int64_t row = i % pool.window.rows.output;
    AverageRow(pool, in + image * pool.input_image_size(), out + i * pool.output_row_size(), row);
  }
}

void MaxPool2dGradImages(const Pool2d& pool, const float* in, const float* out,
                         const float* out_grad, float* in_grad, int64_t begin, int64_t end) {
  const int64_t channels = pool.channels;
  for (int64_t image = begin; image < end; ++image) {
    const float* image_in = in + image * pool.input_image_size();
    float* image_grad = in_grad + image * pool.input_image_size();
    std::fill_n(image_grad, pool.input_image_size(), 0.0f);
    int64_t position = image * pool.output_image_size();
    for (int64_t row = 0; row < pool.window.rows.output; ++row) {
      Taps rows = pool.window.rows.TapsOf(row);
      for (int64_t column = 0; column < pool.window.columns.output; ++column) {
        Taps columns = pool.window.columns.TapsOf(column);
        for (int64_t c = 0; c < channels; ++c, ++position) {
          float largest = out[position];
          int64_t found = -1;
          ForEachTap(pool, rows, columns, [&](int64_t offset) __attribute__((always_inline)) {
            if (found < 0 && !(image_in[offset + c] < largest)) found = offset + c;
          });
          if (found >= 0) image_grad[found] += out_grad[position];
        }
      }
    }
  }
}

TFRT_ISA_CLONES
void GlobalAveragePoolImages(int64_t positions, int64_t channels, const float* in, float* out,
                             int64_t begin, int64_t end) {
  // Groups of channels, so that their sums stay in registers and in double precision.
  constexpr int64_t kGroup = 16;
  for (int64_t image = begin; image < end; ++image) {
    const float* image_in = in + image * positions * channels;
    float* image_out = out + image * channels;
    for (int64_t first = 0; first < channels; first += kGroup) {
      int64_t count = std::min(kGroup, channels - first);
      double sums[kGroup] = {};
      for (int64_t p = 0; p < positions; ++p) {
        const float* row = image_in + p * channels + first;
        if (count == kGroup) {
          for (int64_t i = 0; i < kGroup; ++i) sums[i] += row[i];
        } else {
          for (int64_t i = 0; i < count; ++i) sums[i] += row[i];
        }
      }
      for (int64_t i = 0; i < count; ++i) {
        image_out[first + i] = static_cast<float>(sums[i] / static_cast<double>(positions));
      }
    }
  }
}

TFRT_ISA_CLONES
void MaxLine(const float* in, float* out, int64_t count) { MaxInto(in, out, count); }

TFRT_ISA_CLONES
void AddLine(const float* in, float* out, int64_t count) {
  TFRT_INDEPENDENT_ITERATIONS
  for (int64_t i = 0; i < count; ++i) out[i] += in[i];
}

}  // namespace tfrt::cpu
