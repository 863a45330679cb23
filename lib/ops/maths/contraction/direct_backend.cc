#include "direct_backend.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "aligned_buffer.h"
#include "lib/ops/maths/cpu/activate.h"
#include "lib/ops/maths/cpu/isa_clones.h"

namespace tfrt::contraction {
namespace {

// Vectors of eight floats at any address: 32 bytes are one register from AVX2 on, and processors
// that compute 64 bytes at once do so in two halves or with a lower clock.
typedef float Lanes __attribute__((vector_size(32), aligned(4), may_alias));
constexpr int64_t kLanes = 8;

// Rows of a matrix product: row r of `a` is at a + r * a_stride and so on. A row of `a` lies in
// chunks of depth_chunk elements, the starts of which are chunk_stride apart, as the rows of a
// window on an image.
struct Rows {
  const float* a;
  int64_t a_stride;
  int64_t depth_chunk;
  int64_t chunk_stride;
  int64_t chunks;
  const float* b;  // [chunks * depth_chunk, columns]
  int64_t b_stride;
  const float* bias;  // or null
  float* out;
  int64_t out_stride;
  bool relu;
};

// kRows rows from `row` on, `columns` columns from `column` on, in kVectors vectors: all sums stay
// in registers. Vectors that would pass the last column are moved back, and compute some columns
// twice, with the same values.
template <int kRows, int kVectors>
[[gnu::always_inline]] inline void Block(const Rows& p, int64_t row, int64_t column,
                                         int64_t columns) {
  int64_t offsets[kVectors];
  for (int v = 0; v < kVectors; ++v) offsets[v] = std::min(v * kLanes, columns - kLanes);
  Lanes sums[kRows][kVectors];
  for (int v = 0; v < kVectors; ++v) {
    Lanes start = {};
    if (p.bias) start = *reinterpret_cast<const Lanes*>(p.bias + column + offsets[v]);
    for (int r = 0; r < kRows; ++r) sums[r][v] = start;
  }
  const float* a = p.a + row * p.a_stride;
  const float* b = p.b + column;
  for (int64_t chunk = 0; chunk < p.chunks; ++chunk) {
    for (int64_t k = 0; k < p.depth_chunk; ++k, b += p.b_stride) {
      Lanes weights[kVectors];
      for (int v = 0; v < kVectors; ++v) {
        weights[v] = *reinterpret_cast<const Lanes*>(b + offsets[v]);
      }
      for (int r = 0; r < kRows; ++r) {
        float x = a[r * p.a_stride + k];
        for (int v = 0; v < kVectors; ++v) sums[r][v] += x * weights[v];
      }
    }
    a += p.chunk_stride;
  }
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) {
      Lanes sum = sums[r][v];
      if (p.relu) sum = sum < 0 ? Lanes{} : sum;  // keeps NaN
      float* out = p.out + (row + r) * p.out_stride + column + offsets[v];
      *reinterpret_cast<Lanes*>(out) = sum;
    }
  }
}

// Some rows, all columns, of which there are at least eight.
template <int kRows, int kVectors>
[[gnu::always_inline]] inline void AllColumns(const Rows& p, int64_t row, int64_t columns) {
  constexpr int64_t kWidth = kVectors * kLanes;
  int64_t column = 0;
  for (; column + kWidth <= columns; column += kWidth) {
    Block<kRows, kVectors>(p, row, column, kWidth);
  }
  int64_t rest = columns - column;
  if (rest == 0) return;
  if constexpr (kVectors > 8) {
    if (rest > kWidth * 3 / 4) return Block<kRows, kVectors>(p, row, column, rest);
    if (rest > kWidth / 2) return Block<kRows, kVectors * 3 / 4>(p, row, column, rest);
  }
  if constexpr (kVectors > 4) {
    if (rest > 4 * kLanes) return Block<kRows, 8>(p, row, column, rest);
  }
  if constexpr (kVectors > 2) {
    if (rest > 2 * kLanes) return Block<kRows, 4>(p, row, column, rest);
  }
  if (rest > kLanes) return Block<kRows, 2>(p, row, column, rest);
  // Fewer than eight columns of a wider matrix: move back.
  int64_t back = std::max<int64_t>(0, kLanes - rest);
  Block<kRows, 1>(p, row, column - back, rest + back);
}

// Each shape of block keeps as many sums as there are registers, and enough of them to hide the
// time that an addition takes. A single row is bound by reading the weights, which is fastest
// straight on.
TFRT_ISA_CLONES
void MultiplyRows(const Rows& p, int64_t rows, int64_t columns) {
  int64_t row = 0;
  if (columns == kLanes) {
    for (; row + 14 <= rows; row += 14) Block<14, 1>(p, row, 0, kLanes);
    for (; row + 10 <= rows; row += 10) Block<10, 1>(p, row, 0, kLanes);
  }
  for (; row + 6 <= rows; row += 6) AllColumns<6, 2>(p, row, columns);
  for (; row + 4 <= rows; row += 4) AllColumns<4, 2>(p, row, columns);
  for (; row + 2 <= rows; row += 2) AllColumns<2, 4>(p, row, columns);
  for (; row < rows; ++row) AllColumns<1, 16>(p, row, columns);
}

// out [columns] = bias + a [depth] * b [depth, columns]: a matrix that lies in slow memory is read
// straight on, eight rows at a time, while the sums stay in the first-level cache.
TFRT_ISA_CLONES
void StreamRow(const Rows& p, int64_t columns) {
  constexpr int64_t kDepth = 8;
  if (p.bias) {
    std::copy_n(p.bias, columns, p.out);
  } else {
    std::fill_n(p.out, columns, 0.0f);
  }
  int64_t depth = p.depth_chunk;
  int64_t k = 0;
  for (; k + kDepth <= depth; k += kDepth) {
    const float* a = p.a + k;
    const float* b = p.b + k * p.b_stride;
    auto at = [&](int64_t row, int64_t column) -> const Lanes& {
      return *reinterpret_cast<const Lanes*>(b + row * p.b_stride + column);
    };
    int64_t column = 0;
    for (; column + kLanes <= columns; column += kLanes) {
      Lanes* out = reinterpret_cast<Lanes*>(p.out + column);
      Lanes even = *out + a[0] * at(0, column), odd = a[1] * at(1, column);
      even += a[2] * at(2, column);
      odd += a[3] * at(3, column);
      even += a[4] * at(4, column);
      odd += a[5] * at(5, column);
      even += a[6] * at(6, column);
      odd += a[7] * at(7, column);
      *out = even + odd;
    }
    for (; column < columns; ++column) {
      float sum = p.out[column];
      for (int64_t i = 0; i < kDepth; ++i) sum += a[i] * b[i * p.b_stride + column];
      p.out[column] = sum;
    }
  }
  for (; k < depth; ++k) {
    for (int64_t column = 0; column < columns; ++column) {
      p.out[column] += p.a[k] * p.b[k * p.b_stride + column];
    }
  }
  if (!p.relu) return;
  for (int64_t column = 0; column < columns; ++column) {
    p.out[column] = p.out[column] < 0 ? 0 : p.out[column];
  }
}

// Activations that the loops do not compute with the sums are applied to the output afterwards: it
// is small.
void Finish(const maths::ActivationWithParameters& activation, float* out, int64_t rows,
            int64_t columns, int64_t stride) {
  if (activation.kind != Activation::kRelu) {
    cpu::ActivateRows(activation, out, rows, columns, stride);
  }
}

class DirectMatMul final : public Plan {
 public:
  explicit DirectMatMul(const MatMulProblem& problem) : p_(problem) {}
  bool Run(const Operands& o) const override {
    Rows rows{o.a,
              p_.a_row_stride,
              p_.k,
              0,
              1,
              o.b,
              p_.b_row_stride,
              o.bias,
              o.out,
              p_.out_row_stride,
              p_.activation == Activation::kRelu};
    if (p_.m == 1 && p_.n * p_.k * sizeof(float) > kMaxDirectWeightBytes) {
      StreamRow(rows, p_.n);
    } else {
      MultiplyRows(rows, p_.m, p_.n);
    }
    Finish(p_.function(), o.out, p_.m, p_.n, p_.out_row_stride);
    return true;
  }
  std::unique_ptr<PackedWeights> Pack(const void*) const override { return nullptr; }

 private:
  MatMulProblem p_;
};

// `columns` sums of a row: `a` and `b` begin where it does, their elements are so far apart.
template <int columns>
[[gnu::always_inline]] inline void TinySums(const float* a, int64_t a_step, const float* b,
                                            int64_t b_row, int64_t b_column, int64_t depth,
                                            const float* bias, float* out) {
  float sums[columns];
  for (int i = 0; i < columns; ++i) sums[i] = bias ? bias[i] : 0;
  for (int64_t k = 0; k < depth; ++k, a += a_step, b += b_row) {
    for (int i = 0; i < columns; ++i) sums[i] += *a * b[i * b_column];
  }
  for (int i = 0; i < columns; ++i) out[i] = sums[i];
}

// Computes so few products that anything else would cost more than they do. Either factor may be
// transposed in memory.
class TinyMatMul final : public Plan {
 public:
  explicit TinyMatMul(const MatMulProblem& problem) : p_(problem) {}
  bool Run(const Operands& o) const override {
    const int64_t a_row = p_.transpose_a ? 1 : p_.a_row_stride;
    const int64_t a_step = p_.transpose_a ? p_.a_row_stride : 1;
    const int64_t b_row = p_.transpose_b ? 1 : p_.b_row_stride;
    const int64_t b_column = p_.transpose_b ? p_.b_row_stride : 1;
    for (int64_t row = 0; row < p_.m; ++row) {
      const float* a = o.a + row * a_row;
      float* out = o.out + row * p_.out_row_stride;
      auto sums = [&]<int columns>(std::integral_constant<int, columns>, int64_t first) {
        TinySums<columns>(a, a_step, o.b + first * b_column, b_row, b_column, p_.k,
                          o.bias ? o.bias + first : nullptr, out + first);
      };
      int64_t column = 0;
      for (; column + 4 <= p_.n; column += 4) sums(std::integral_constant<int, 4>(), column);
      for (; column < p_.n; ++column) sums(std::integral_constant<int, 1>(), column);
    }
    cpu::ActivateRows(p_.function(), o.out, p_.m, p_.n, p_.out_row_stride);
    return true;
  }
  std::unique_ptr<PackedWeights> Pack(const void*) const override { return nullptr; }

 private:
  MatMulProblem p_;
};

// A library takes as long as some hundred products before it begins.
bool IsTiny(const MatMulProblem& p) {
  constexpr int64_t kFew = 512, kShort = 32;
  return p.m <= kFew && p.n <= kFew && p.k <= kShort && p.m * p.n * p.k <= kFew;
}

// Memory of the thread: the image with its padding, the filter and the bias with channels in whole
// vectors, and a row of the output with the same.
struct Working {
  AlignedBuffer image, filter, row;
};
thread_local Working working;

// A row of output pixels is a product: its rows are pixels, its columns channels, and the inputs of
// neighbouring pixels lie a stride apart.
class DirectConvolution final : public Plan {
 public:
  explicit DirectConvolution(const ConvolutionProblem& problem) : p_(problem) {
    pads_ = p_.pad_top || p_.pad_bottom || p_.pad_left || p_.pad_right;
    height_ = p_.in_height + p_.pad_top + p_.pad_bottom;
    width_ = p_.in_width + p_.pad_left + p_.pad_right;
    depth_ = p_.filter_height * p_.filter_width * p_.in_channels;
    channels_ = (p_.out_channels + kLanes - 1) / kLanes * kLanes;
  }

  bool Run(const Operands& o) const override {
    Working& w = working;
    size_t image_floats = static_cast<size_t>(height_ * width_ * p_.in_channels);
    size_t filter_floats = static_cast<size_t>((depth_ + 1) * channels_);
    size_t row_floats = static_cast<size_t>(p_.out_width * channels_);
    bool widens = channels_ != p_.out_channels;
    if ((pads_ && !w.image.Reserve(image_floats * sizeof(float))) ||
        (widens && (!w.filter.Reserve(filter_floats * sizeof(float)) ||
                    !w.row.Reserve(row_floats * sizeof(float))))) {
      return false;
    }
    Rows rows;
    rows.a_stride = p_.out_width > 1 ? p_.stride_width * p_.in_channels : 0;
    rows.depth_chunk = p_.filter_width * p_.in_channels;
    rows.chunk_stride = width_ * p_.in_channels;
    rows.chunks = p_.filter_height;
    rows.b = o.b;
    rows.b_stride = channels_;
    rows.bias = o.bias;
    rows.relu = p_.activation == Activation::kRelu;
    if (widens) Widen(o, static_cast<float*>(w.filter.data()), &rows);
    for (int64_t image = 0; image < p_.batch; ++image) {
      const float* in = o.a + image * p_.in_height * p_.in_width * p_.in_channels;
      if (pads_) {
        in = Pad(in, static_cast<float*>(w.image.data()));
      }
      for (int64_t y = 0; y < p_.out_height; ++y) {
        float* out = o.out + (image * p_.out_height + y) * p_.out_width * p_.out_channels;
        rows.a = in + y * p_.stride_height * width_ * p_.in_channels;
        // A pixel's channels that there are not lie where the next pixels are written afterwards,
        // but behind the last ones is nothing of ours.
        int64_t rows_left = (p_.batch - image) * p_.out_height - y - 1;
        bool apart = rows_left * p_.out_width * p_.out_channels < channels_ - p_.out_channels;
        rows.out = apart ? static_cast<float*>(w.row.data()) : out;
        rows.out_stride = apart ? channels_ : p_.out_channels;
        MultiplyRows(rows, p_.out_width, channels_);
        if (apart) Narrow(rows.out, out);
      }
    }
    const int64_t pixels = p_.batch * p_.out_pixels();
    Finish(p_.function(), o.out, pixels, p_.out_channels, p_.out_channels);
    return true;
  }
  std::unique_ptr<PackedWeights> Pack(const void*) const override { return nullptr; }

 private:
  // Filter and bias with zeros for the channels that there are not.
  void Widen(const Operands& o, float* to, Rows* rows) const {
    rows->b = to;
    auto copy = [&](const float* from) {
      std::copy_n(from, p_.out_channels, to);
      std::fill(to + p_.out_channels, to + channels_, 0.0f);
      to += channels_;
    };
    for (int64_t i = 0; i < depth_; ++i) copy(o.b + i * p_.out_channels);
    if (o.bias) {
      rows->bias = to;
      copy(o.bias);
    }
  }
  void Narrow(const float* from, float* to) const {
    for (int64_t x = 0; x < p_.out_width; ++x, from += channels_, to += p_.out_channels) {
      for (int64_t c = 0; c < p_.out_channels; ++c) to[c] = from[c];
    }
  }
  const float* Pad(const float* in, float* to) const {
    int64_t row = p_.in_width * p_.in_channels, padded_row = width_ * p_.in_channels;
    int64_t left = p_.pad_left * p_.in_channels;
    std::fill_n(to, p_.pad_top * padded_row, 0.0f);
    float* line = to + p_.pad_top * padded_row;
    for (int64_t y = 0; y < p_.in_height; ++y, line += padded_row, in += row) {
      std::fill_n(line, left, 0.0f);
      std::memcpy(line + left, in, row * sizeof(float));
      std::fill(line + left + row, line + padded_row, 0.0f);
    }
    std::fill_n(line, p_.pad_bottom * padded_row, 0.0f);
    return to;
  }

  ConvolutionProblem p_;
  bool pads_;
  int64_t height_, width_;  // with padding
  int64_t depth_;
  int64_t channels_;  // of the output, in whole vectors
};

}  // namespace

bool IsDirect(const MatMulProblem& p) {
  constexpr int64_t kFewRows = 4, kSmall = 1 << 16;
  constexpr int64_t kCachedSums = 4096;  // floats in half of a first-level cache
  if (p.batch != 1 || p.alpha != 1 || !p.has_products() || p.beta != 0) return false;
  if (p.transpose_a || p.transpose_b || p.n < kLanes) return IsTiny(p);
  bool is_cached = p.k <= kSmall && p.n <= kSmall &&
                   p.k * p.n * int64_t{sizeof(float)} <= int64_t{kMaxDirectWeightBytes};
  if (is_cached) return p.m <= kFewRows || p.m <= kSmall / (p.k * p.n);
  return p.m == 1 && p.n >= 64 && p.n <= kCachedSums;
}

bool IsDirect(const ConvolutionProblem& p) {
  constexpr int64_t kFewChannels = 16, kMaxTaps = 49, kMaxImage = 1 << 16;
  auto is_small = [](int64_t pad) { return pad >= 0 && pad < kMaxTaps; };
  return p.has_products() && p.beta == 0 && p.groups == 1 && p.in_depth == 1 &&
         p.filter_depth == 1 && p.out_depth == 1 && !p.channels_first && !p.filter_first &&
         p.all_outputs == 0 && p.dilation_height == 1 && p.dilation_width == 1 &&
         p.out_channels <= kFewChannels && p.in_channels <= kFewChannels &&
         p.filter_height <= kMaxTaps && p.filter_width <= kMaxTaps &&
         p.filter_height * p.filter_width <= kMaxTaps && is_small(p.pad_top) &&
         is_small(p.pad_bottom) && is_small(p.pad_left) && is_small(p.pad_right) &&
         p.in_height <= kMaxImage && p.in_width <= kMaxImage &&
         p.in_height * p.in_width <= kMaxImage;
}

std::unique_ptr<Plan> PrepareDirect(const MatMulProblem& problem) {
  if (problem.transpose_a || problem.transpose_b || problem.n < kLanes) {
    return std::make_unique<TinyMatMul>(problem);
  }
  return std::make_unique<DirectMatMul>(problem);
}
std::unique_ptr<Plan> PrepareDirect(const ConvolutionProblem& problem) {
  return std::make_unique<DirectConvolution>(problem);
}

}  // namespace tfrt::contraction
