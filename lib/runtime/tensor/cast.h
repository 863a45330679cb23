// Casts between the element types of dense tensors.
#ifndef TFRT_LIB_RUNTIME_TENSOR_CAST_H_
#define TFRT_LIB_RUNTIME_TENSOR_CAST_H_

#include <complex>
#include <limits>
#include <type_traits>

#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt {
namespace internal {

template <typename T>
inline constexpr bool kIsHalf = std::is_same_v<T, Fp16> || std::is_same_v<T, Bf16>;
template <typename T>
inline constexpr bool kIsComplex = false;
template <typename T>
inline constexpr bool kIsComplex<std::complex<T>> = true;

}  // namespace internal

// Casts one element. Integers wrap around. Floating-point numbers are rounded to nearest, ties to
// even. A cast from floating point to an integer truncates. A value outside the range becomes the
// nearest integer, and NaN becomes 0. A cast to bool tests whether the value is not 0. A cast from
// real to complex sets the imaginary part to 0. No cast from complex to real exists.
template <typename To, typename From>
constexpr To CastElement(From value) {
  static_assert(internal::kIsComplex<To> || !internal::kIsComplex<From>);
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (internal::kIsHalf<From>) {
    return CastElement<To>(value.ToFloat());
  } else if constexpr (internal::kIsComplex<To>) {
    using Part = typename To::value_type;
    if constexpr (internal::kIsComplex<From>) {
      return To(static_cast<Part>(value.real()), static_cast<Part>(value.imag()));
    } else {
      return To(static_cast<Part>(value), 0);
    }
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != 0;
  } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    // The limits are powers of two, which From holds exactly.
    constexpr From kAboveMax = From(To{1} << (std::numeric_limits<To>::digits - 1)) * 2;
    if (value >= kAboveMax) return std::numeric_limits<To>::max();
    if (value <= From(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
    return value == value ? static_cast<To>(value) : To{0};
  } else {
    return static_cast<To>(value);
  }
}

// Casts `count` elements from one memory to another.
using CastFunction = void (*)(const void* from, void* to, size_t count);
// Returns null where CastTensor has no cast.
CastFunction FindCast(DType from, DType to);

// Returns a new tensor of `dtype` with the elements of `tensor`, each cast. Fails with
// InvalidArgument "cannot cast a tensor of complex64 to f32" from complex to real and for dtypes
// without a C++ type. Fails with ResourceExhausted if there is no memory.
StatusOr<DenseHostTensor> CastTensor(const DenseHostTensor& tensor, DType dtype,
                                     HostAllocator* allocator);

}  // namespace tfrt

#endif  // TFRT_LIB_RUNTIME_TENSOR_CAST_H_
