#include "gemm.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <vector>

namespace tfrt::gpu::cublas_double {
namespace {

// Numbers column by column. Plain loops on them compile in a tenth of the time of a library's
// product for five types, and are as fast as the sizes of tests need.
template <typename T>
class Dense {
 public:
  Dense(int64_t rows, int64_t cols)
      : rows_(rows), cols_(cols), elements_(static_cast<size_t>(rows * cols)) {}
  int64_t rows() const { return rows_; }
  int64_t cols() const { return cols_; }
  T* col(int64_t i) { return elements_.data() + i * rows_; }
  const T* col(int64_t i) const { return elements_.data() + i * rows_; }

 private:
  int64_t rows_, cols_;
  std::vector<T> elements_;
};

// op(X) of one matrix, as numbers of the type that sums have.
template <typename Sum>
Dense<Sum> Load(const Matrices& matrices, int64_t batch, cublasOperation_t operation) {
  const bool is_turned = operation != CUBLAS_OP_N;
  Dense<Sum> dense(is_turned ? matrices.cols : matrices.rows,
                   is_turned ? matrices.rows : matrices.cols);
  WithElement(matrices.type, [&](auto element) {
    using Element = decltype(element);
    const auto* elements = View<const Element>(matrices.AddressOf(batch));
    for (int64_t col = 0; col < matrices.cols; ++col) {
      for (int64_t row = 0; row < matrices.rows; ++row) {
        auto value = Convert<Sum>(elements[col * matrices.ld + row]);
        if constexpr (kIsComplex<Sum>) {
          if (operation == CUBLAS_OP_C) value = std::conj(value);
        }
        (is_turned ? dense.col(row)[col] : dense.col(col)[row]) = value;
      }
    }
  });
  return dense;
}

// Adds alpha * a * b.
template <typename Sum>
void AddProduct(Sum alpha, const Dense<Sum>& a, const Dense<Sum>& b, Dense<Sum>& sums) {
  std::vector<Sum> column(static_cast<size_t>(sums.rows()));
  for (int64_t col = 0; col < sums.cols(); ++col) {
    std::ranges::fill(column, Sum(0));
    for (int64_t depth = 0; depth < a.cols(); ++depth) {
      const Sum factor = b.col(col)[depth];
      const Sum* from = a.col(depth);
      for (size_t row = 0; row < column.size(); ++row) column[row] += from[row] * factor;
    }
    for (size_t row = 0; row < column.size(); ++row) sums.col(col)[row] += alpha * column[row];
  }
}

template <typename Sum>
Sum Apply(Activation activation, Sum value) {
  if constexpr (std::is_floating_point_v<Sum>) {
    switch (activation) {
      case Activation::kNone:
        return value;
      case Activation::kRelu:
        return value > 0 ? value : Sum{0};
      case Activation::kGeluTanh: {
        const double x = static_cast<double>(value);
        const double inner = std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x);
        return static_cast<Sum>(0.5 * x * (1 + std::tanh(inner)));
      }
    }
  }
  return value;
}

template <typename Sum>
void RunWith(const Product& product) {
  const auto alpha = Convert<Sum>(product.alpha), beta = Convert<Sum>(product.beta);
  for (int64_t batch = 0; batch < product.batch_count; ++batch) {
    Dense<Sum> sums(product.m, product.n);
    if (alpha != Sum(0) && product.k > 0) {
      AddProduct(alpha, Load<Sum>(product.a, batch, product.transa),
                 Load<Sum>(product.b, batch, product.transb), sums);
    }
    if (beta != Sum(0)) {
      const Dense<Sum> addend = Load<Sum>(product.c, batch, CUBLAS_OP_N);
      for (int64_t col = 0; col < product.n; ++col) {
        for (int64_t row = 0; row < product.m; ++row) {
          sums.col(col)[row] += beta * addend.col(col)[row];
        }
      }
    }
    WithElement(product.d.type, [&](auto element) {
      using Element = decltype(element);
      auto* elements = View<Element>(product.d.AddressOf(batch));
      const auto* bias = product.bias ? View<const Element>(product.bias) : nullptr;
      for (int64_t col = 0; col < product.n; ++col) {
        for (int64_t row = 0; row < product.m; ++row) {
          Sum value = sums.col(col)[row];
          if (bias) value += Convert<Sum>(bias[row]);
          elements[col * product.d.ld + row] = Convert<Element>(Apply(product.activation, value));
        }
      }
    });
  }
}

}  // namespace

void Matrices::AppendRanges(int64_t batch_count, Use use,
                            std::vector<tfrtDoubleRange>* ranges) const {
  if (rows == 0 || cols == 0) return;
  const auto bytes = static_cast<uint64_t>(element_bytes());
  for (int64_t batch = 0; batch < batch_count; ++batch) {
    const uint64_t first = AddressOf(batch);
    if (ld == rows) {
      ranges->push_back({first, static_cast<uint64_t>(rows * cols) * bytes, use});
      continue;
    }
    for (int64_t col = 0; col < cols; ++col) {
      ranges->push_back({first + static_cast<uint64_t>(col * ld) * bytes,
                         static_cast<uint64_t>(rows) * bytes, use});
    }
  }
}

std::vector<tfrtDoubleRange> Product::Ranges() const {
  std::vector<tfrtDoubleRange> ranges;
  if (alpha != 0.0 && k > 0) {
    a.AppendRanges(batch_count, kReads, &ranges);
    b.AppendRanges(batch_count, kReads, &ranges);
  }
  const bool is_in_place = c.address == d.address;
  if (beta != 0.0 && !is_in_place) c.AppendRanges(batch_count, kReads, &ranges);
  d.AppendRanges(batch_count, beta != 0.0 && is_in_place ? kReadsAndWrites : kWrites, &ranges);
  if (bias) {
    ranges.push_back({bias, static_cast<uint64_t>(m * d.element_bytes()), kReads});
  }
  return ranges;
}

std::optional<cudaDataType> ScaleTypeOf(cublasComputeType_t compute_type, cudaDataType a,
                                        cudaDataType b, cudaDataType c) {
  if (a != b) return std::nullopt;
  switch (compute_type) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      if (a == CUDA_R_16F && c == CUDA_R_16F) return CUDA_R_16F;
      break;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      if (a == CUDA_R_8I && c == CUDA_R_32I) return CUDA_R_32I;
      break;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
      if (c == CUDA_R_32F &&
          (a == CUDA_R_32F || a == CUDA_R_16F || a == CUDA_R_16BF || a == CUDA_R_8I)) {
        return CUDA_R_32F;
      }
      if (a == c && (a == CUDA_R_16F || a == CUDA_R_16BF)) return CUDA_R_32F;
      if (a == CUDA_C_32F && c == CUDA_C_32F) return CUDA_C_32F;
      break;
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
      if (a == c && (a == CUDA_R_32F || a == CUDA_C_32F)) return a;
      break;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
      if (a == c && (a == CUDA_R_64F || a == CUDA_C_64F)) return a;
      break;
  }
  return std::nullopt;
}

std::complex<double> ReadScalar(cudaDataType type, const void* scalar) {
  std::complex<double> value;
  WithElement(type, [&](auto element) {
    std::memcpy(&element, scalar, sizeof(element));
    value = Convert<std::complex<double>>(element);
  });
  return value;
}

bool IsOperation(cublasOperation_t operation) {
  return operation == CUBLAS_OP_N || operation == CUBLAS_OP_T || operation == CUBLAS_OP_C;
}

void Run(const Product& product) {
  switch (product.scale_type) {
    case CUDA_R_64F:
      return RunWith<double>(product);
    case CUDA_C_32F:
      return RunWith<std::complex<float>>(product);
    case CUDA_C_64F:
      return RunWith<std::complex<double>>(product);
    case CUDA_R_32I:
      return RunWith<int32_t>(product);
    default:
      return RunWith<float>(product);
  }
}

}  // namespace tfrt::gpu::cublas_double
