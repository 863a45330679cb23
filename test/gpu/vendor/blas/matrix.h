// Matrices of the doubles of cuBLAS and cublasLt: where their elements are, and what they are.
#ifndef TFRT_TEST_GPU_VENDOR_BLAS_MATRIX_H_
#define TFRT_TEST_GPU_VENDOR_BLAS_MATRIX_H_

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "gpu/abi/cublas_types.h"
#include "work.h"

namespace tfrt::gpu::cublas_double {

// Calls `f` with a value of the C++ type of elements; returns false for a type without one.
template <typename F>
bool WithElement(cudaDataType type, F&& f) {
  switch (type) {
    case CUDA_R_32F:
      return f(float()), true;
    case CUDA_R_64F:
      return f(double()), true;
    case CUDA_R_16F:
      return f(Eigen::half()), true;
    case CUDA_R_16BF:
      return f(Eigen::bfloat16()), true;
    case CUDA_R_8I:
      return f(int8_t()), true;
    case CUDA_R_32I:
      return f(int32_t()), true;
    case CUDA_C_32F:
      return f(std::complex<float>()), true;
    case CUDA_C_64F:
      return f(std::complex<double>()), true;
  }
  return false;
}

template <typename T>
inline constexpr bool kIsComplex = false;
template <typename T>
inline constexpr bool kIsComplex<std::complex<T>> = true;
template <typename T>
inline constexpr bool kIsHalf =
    std::is_same_v<T, Eigen::half> || std::is_same_v<T, Eigen::bfloat16>;

// A value of another type: rounded to the nearest, of integers saturated.
template <typename To, typename From>
To Convert(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (kIsComplex<From> && !kIsComplex<To>) {
    return Convert<To>(value.real());
  } else if constexpr (kIsComplex<From>) {
    return To(static_cast<typename To::value_type>(value.real()),
              static_cast<typename To::value_type>(value.imag()));
  } else if constexpr (kIsComplex<To>) {
    return To(Convert<typename To::value_type>(value));
  } else if constexpr (kIsHalf<To> || kIsHalf<From>) {
    if constexpr (kIsHalf<To>) {
      return static_cast<To>(static_cast<float>(value));
    } else {
      return Convert<To>(static_cast<float>(value));
    }
  } else if constexpr (std::is_integral_v<To> && !std::is_integral_v<From>) {
    const double rounded = std::nearbyint(static_cast<double>(value));
    if (std::isnan(rounded)) return To{0};
    return static_cast<To>(std::clamp(rounded, static_cast<double>(std::numeric_limits<To>::min()),
                                      static_cast<double>(std::numeric_limits<To>::max())));
  } else {
    return static_cast<To>(value);
  }
}

// Column-major matrices in memory of the device, one after the other.
struct Matrices {
  uint64_t address = 0;
  cudaDataType type = CUDA_R_32F;
  int64_t rows = 0, cols = 0, ld = 0;
  int64_t stride = 0;  // in elements, to the next matrix

  int64_t element_bytes() const {
    int64_t bytes = 0;
    WithElement(type, [&](auto element) { bytes = sizeof(element); });
    return bytes;
  }
  uint64_t AddressOf(int64_t batch) const {
    return address + static_cast<uint64_t>(batch * stride * element_bytes());
  }
  // Appends the bytes of `batch_count` matrices, without those between columns.
  void AppendRanges(int64_t batch_count, Use use, std::vector<tfrtDoubleRange>* ranges) const;
};

}  // namespace tfrt::gpu::cublas_double

#endif  // TFRT_TEST_GPU_VENDOR_BLAS_MATRIX_H_
