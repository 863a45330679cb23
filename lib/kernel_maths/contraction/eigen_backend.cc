// Matrix products and convolutions by Eigen, on the calling thread.

#define EIGEN_MPL2_ONLY
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>

#include "aligned_buffer.h"
#include "backend.h"

namespace tfrt::contraction {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Strided = Eigen::OuterStride<>;
using ConstMap = Eigen::Map<const Matrix, Eigen::Unaligned, Strided>;
using Map = Eigen::Map<Matrix, Eigen::Unaligned, Strided>;

// A copy: what Eigen reads fastest it arranges by itself, piece by piece.
class PlainWeights final : public PackedWeights {
 public:
  static std::unique_ptr<PlainWeights> Create(const float* weights, size_t count) {
    std::unique_ptr<PlainWeights> made(new PlainWeights);
    made->size_bytes_ = count * sizeof(float);
    if (!made->buffer_.Reserve(made->size_bytes_)) return nullptr;
    if (count > 0) std::memcpy(made->buffer_.data(), weights, made->size_bytes_);
    return made;
  }
  size_t size_bytes() const override { return size_bytes_; }
  const float* data() const { return static_cast<const float*>(buffer_.data()); }

 private:
  size_t size_bytes_ = 0;
  AlignedBuffer buffer_;
};

const float* Weights(const Operands& operands) {
  return operands.packed ? static_cast<const PlainWeights*>(operands.packed)->data() : operands.b;
}

template <typename F>
void ForEachElement(float* out, int64_t rows, int64_t columns, int64_t row_stride, F f) {
  for (int64_t i = 0; i < rows; ++i, out += row_stride) {
    for (int64_t j = 0; j < columns; ++j) out[j] = f(out[j]);
  }
}

void Activate(Activation activation, float* out, int64_t rows, int64_t columns,
              int64_t row_stride) {
  auto each = [&](auto f) { ForEachElement(out, rows, columns, row_stride, f); };
  switch (activation) {
    case Activation::kNone:
      return;
    case Activation::kRelu:
      return each([](float x) { return x < 0 ? 0 : x; });
    case Activation::kGelu:
      return each([](float x) { return 0.5f * x * (1 + std::erf(x * 0.70710678f)); });
    case Activation::kGeluTanh:
      return each([](float x) {
        return 0.5f * x * (1 + std::tanh(0.79788456f * (x + 0.044715f * x * x * x)));
      });
    case Activation::kTanh:
      return each([](float x) { return std::tanh(x); });
    case Activation::kSigmoid:
      return each([](float x) { return 1 / (1 + std::exp(-x)); });
  }
}

// out = alpha * a b + bias + beta * out, by whichever of a and b are transposed in memory.
template <typename A, typename B>
void Multiply(const A& a, const B& b, float alpha, float beta, const float* bias, Map& out) {
  if (beta == 0) {
    out.noalias() = alpha * a * b;
  } else {
    if (beta != 1) out *= beta;
    out.noalias() += alpha * a * b;
  }
  if (bias) out.rowwise() += Eigen::Map<const Eigen::RowVectorXf>(bias, out.cols());
}

class MatMulPlan final : public Plan {
 public:
  explicit MatMulPlan(const MatMulProblem& problem) : p_(problem) {}

  bool Run(const Operands& operands) const override {
    const float* b_data = Weights(operands);
    int64_t a_rows = p_.transpose_a ? p_.k : p_.m, a_columns = p_.transpose_a ? p_.m : p_.k;
    int64_t b_rows = p_.transpose_b ? p_.n : p_.k, b_columns = p_.transpose_b ? p_.k : p_.n;
    for (int64_t i = 0; i < p_.batch; ++i) {
      ConstMap a(operands.a + i * a_rows * p_.a_row_stride, a_rows, a_columns,
                 Strided(p_.a_row_stride));
      ConstMap b(b_data + i * b_rows * p_.b_row_stride, b_rows, b_columns,
                 Strided(p_.b_row_stride));
      float* out_data = operands.out + i * p_.m * p_.out_row_stride;
      Map out(out_data, p_.m, p_.n, Strided(p_.out_row_stride));
      auto multiply = [&](const auto& x, const auto& y) {
        Multiply(x, y, p_.alpha, p_.beta, operands.bias, out);
      };
      if (p_.transpose_a && p_.transpose_b) {
        multiply(a.transpose(), b.transpose());
      } else if (p_.transpose_a) {
        multiply(a.transpose(), b);
      } else if (p_.transpose_b) {
        multiply(a, b.transpose());
      } else {
        multiply(a, b);
      }
      Activate(p_.activation, out_data, p_.m, p_.n, p_.out_row_stride);
    }
    return true;
  }

  std::unique_ptr<PackedWeights> Pack(const float* weights) const override {
    return PlainWeights::Create(weights, (p_.transpose_b ? p_.n : p_.k) * p_.b_row_stride);
  }

 private:
  MatMulProblem p_;
};

// A sum over nothing: the output is bias and its old contents. Reads no weights.
class NoProductsPlan final : public Plan {
 public:
  NoProductsPlan(int64_t rows, int64_t columns, int64_t row_stride, float beta,
                 Activation activation)
      : rows_(rows),
        columns_(columns),
        row_stride_(row_stride),
        beta_(beta),
        activation_(activation) {}

  bool Run(const Operands& operands) const override {
    Map out(operands.out, rows_, columns_, Strided(row_stride_));
    if (beta_ == 0) {
      out.setZero();
    } else {
      out *= beta_;
    }
    if (operands.bias)
      out.rowwise() += Eigen::Map<const Eigen::RowVectorXf>(operands.bias, columns_);
    Activate(activation_, operands.out, rows_, columns_, row_stride_);
    return true;
  }
  std::unique_ptr<PackedWeights> Pack(const float*) const override {
    return PlainWeights::Create(nullptr, 0);
  }

 private:
  int64_t rows_, columns_, row_stride_;
  float beta_;
  Activation activation_;
};

thread_local AlignedBuffer columns_buffer;

// Convolution as products: each block of output rows is a matrix [pixels, out_channels], the
// product of the filter as a matrix [taps * in_channels, out_channels] with the inputs under the
// pixels' windows, which are first copied next to each other (im2col), unless they already lie that
// way.
class ConvolutionPlan final : public Plan {
 public:
  explicit ConvolutionPlan(const ConvolutionProblem& problem) : p_(problem) {
    inputs_per_pixel_ = p_.filter_height * p_.filter_width * p_.in_channels;
    reads_in_place_ = p_.filter_height == 1 && p_.filter_width == 1 && p_.stride_height == 1 &&
                      p_.stride_width == 1 && p_.out_height == p_.in_height &&
                      p_.out_width == p_.in_width;
    // A quarter of a common L2 cache; more where each block has to read a large filter anew.
    constexpr int64_t kBlockFloats = 1 << 16, kMaxBlockFloats = 1 << 20;
    int64_t block = std::clamp(inputs_per_pixel_ * p_.out_channels, kBlockFloats, kMaxBlockFloats);
    // A single row of windows may be too large for any memory: then the plan cannot run.
    constexpr int64_t kMaxRowFloats = int64_t{1} << 40;
    is_too_large_ = inputs_per_pixel_ > kMaxRowFloats / p_.out_width;
    if (is_too_large_) return;
    int64_t row_floats = inputs_per_pixel_ * p_.out_width;
    rows_per_block_ = std::clamp<int64_t>(block / row_floats, 1, p_.out_height);
  }

  bool Run(const Operands& operands) const override {
    const float* filter = Weights(operands);
    int64_t in_image = p_.in_height * p_.in_width * p_.in_channels;
    int64_t out_row = p_.out_width * p_.out_channels;
    float* columns = nullptr;
    if (!reads_in_place_) {
      if (is_too_large_) return false;
      size_t floats = static_cast<size_t>(rows_per_block_ * p_.out_width * inputs_per_pixel_);
      if (!columns_buffer.Reserve(floats * sizeof(float))) return false;
      columns = static_cast<float*>(columns_buffer.data());
    }
    for (int64_t image = 0; image < p_.batch; ++image) {
      const float* in = operands.a + image * in_image;
      float* out = operands.out + image * p_.out_height * out_row;
      if (reads_in_place_) {
        Product(in, p_.out_height * p_.out_width, filter, operands.bias, out);
        continue;
      }
      for (int64_t row = 0; row < p_.out_height; row += rows_per_block_) {
        int64_t rows = std::min(rows_per_block_, p_.out_height - row);
        for (int64_t i = 0; i < rows; ++i) {
          CopyRow(in, row + i, columns + i * p_.out_width * inputs_per_pixel_);
        }
        Product(columns, rows * p_.out_width, filter, operands.bias, out + row * out_row);
      }
    }
    return true;
  }

  std::unique_ptr<PackedWeights> Pack(const float* weights) const override {
    return PlainWeights::Create(weights, inputs_per_pixel_ * p_.out_channels);
  }

 private:
  void Product(const float* inputs, int64_t pixels, const float* filter, const float* bias,
               float* out) const {
    ConstMap a(inputs, pixels, inputs_per_pixel_, Strided(inputs_per_pixel_));
    ConstMap b(filter, inputs_per_pixel_, p_.out_channels, Strided(p_.out_channels));
    Map result(out, pixels, p_.out_channels, Strided(p_.out_channels));
    Multiply(a, b, 1, p_.beta, bias, result);
    Activate(p_.activation, out, pixels, p_.out_channels, p_.out_channels);
  }

  // The inputs of the output pixels of row `out_row`, [out_width, filter_height, filter_width,
  // in_channels], zeros where a window leaves the image.
  void CopyRow(const float* image, int64_t out_row, float* to) const {
    int64_t tap_row_floats = p_.filter_width * p_.in_channels;
    int64_t first_row = out_row * p_.stride_height - p_.pad_top;
    for (int64_t x = 0; x < p_.out_width; ++x) {
      int64_t first_column = x * p_.stride_width - p_.pad_left;
      for (int64_t i = 0; i < p_.filter_height; ++i, to += tap_row_floats) {
        int64_t row = first_row + i * p_.dilation_height;
        if (row < 0 || row >= p_.in_height) {
          std::fill_n(to, tap_row_floats, 0.0f);
          continue;
        }
        CopyTapRow(image + row * p_.in_width * p_.in_channels, first_column, to);
      }
    }
  }
  void CopyTapRow(const float* row, int64_t first_column, float* to) const {
    int64_t end_column = first_column + (p_.filter_width - 1) * p_.dilation_width + 1;
    if (p_.dilation_width == 1 && first_column >= 0 && end_column <= p_.in_width) {
      std::copy_n(row + first_column * p_.in_channels, p_.filter_width * p_.in_channels, to);
      return;
    }
    for (int64_t j = 0; j < p_.filter_width; ++j, to += p_.in_channels) {
      int64_t column = first_column + j * p_.dilation_width;
      if (column < 0 || column >= p_.in_width) {
        std::fill_n(to, p_.in_channels, 0.0f);
      } else {
        std::copy_n(row + column * p_.in_channels, p_.in_channels, to);
      }
    }
  }

  ConvolutionProblem p_;
  int64_t inputs_per_pixel_;
  int64_t rows_per_block_ = 1;
  bool reads_in_place_;
  bool is_too_large_ = false;
};

class EigenBackend final : public Backend {
 public:
  std::string_view name() const override { return "Eigen"; }
  std::unique_ptr<Plan> Prepare(const MatMulProblem& problem, const PackedWeights*, bool) override {
    const auto& p = problem;
    if (!p.has_products()) {
      return std::make_unique<NoProductsPlan>(p.batch * p.m, p.n, p.out_row_stride, p.beta,
                                              p.activation);
    }
    return std::make_unique<MatMulPlan>(p);
  }
  std::unique_ptr<Plan> Prepare(const ConvolutionProblem& problem, const PackedWeights*,
                                bool) override {
    const auto& p = problem;
    if (!p.has_products()) {
      return std::make_unique<NoProductsPlan>(p.batch * p.out_height * p.out_width, p.out_channels,
                                              p.out_channels, p.beta, p.activation);
    }
    return std::make_unique<ConvolutionPlan>(p);
  }
};

}  // namespace

std::unique_ptr<Backend> CreateEigenBackend() { return std::make_unique<EigenBackend>(); }

}  // namespace tfrt::contraction
