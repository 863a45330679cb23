// When two elements count as equal.
#ifndef TFRT_LIB_COMPAT_TENSOR_KERNELS_IS_CLOSE_H_
#define TFRT_LIB_COMPAT_TENSOR_KERNELS_IS_CLOSE_H_

#include <cmath>
#include <limits>
#include <type_traits>

namespace tfrt {

// Floating-point numbers: at most num_ulps machine epsilons of their sum apart, or less than the
// smallest normal number. Complex numbers: in both parts. Others: equal.
template <typename T, int num_ulps>
bool IsClose(const T& x, const T& y) {
  if constexpr (std::is_floating_point_v<T>) {
    T difference = std::abs(x - y);
    return difference <= std::numeric_limits<T>::epsilon() * std::abs(x + y) * num_ulps ||
           difference < std::numeric_limits<T>::min();
  } else if constexpr (std::is_integral_v<T>) {
    return x == y;
  } else {
    using Part = typename T::value_type;
    return IsClose<Part, num_ulps>(x.real(), y.real()) &&
           IsClose<Part, num_ulps>(x.imag(), y.imag());
  }
}

}  // namespace tfrt

#endif  // TFRT_LIB_COMPAT_TENSOR_KERNELS_IS_CLOSE_H_
