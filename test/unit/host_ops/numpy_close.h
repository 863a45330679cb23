// Compares results with NumPy's.
#ifndef TFRT_TEST_UNIT_HOST_OPS_NUMPY_CLOSE_H_
#define TFRT_TEST_UNIT_HOST_OPS_NUMPY_CLOSE_H_

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <type_traits>

#include "test/unit/host_ops/numpy_op_cases.h"
#include "tfrt/support/half.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt {

template <typename T>
auto Wide(T value) {
  if constexpr (std::is_same_v<T, Fp16> || std::is_same_v<T, Bf16>) {
    return static_cast<double>(value);
  } else {
    return value;
  }
}

template <typename T>
void ExpectClose(const NumpyOpCase::Result& expected, const DenseHostTensor& tensor) {
  auto* actual = static_cast<const T*>(tensor.data());
  for (int64_t i = 0; i < tensor.num_elements(); ++i) {
    T element;
    std::memcpy(&element, expected.tensor.bytes.data() + i * sizeof(T), sizeof(T));
    auto e = Wide(element), x = Wide(actual[i]);
    if (x == e || (x != x && e != e)) continue;
    if constexpr (!std::is_integral_v<T>) {
      if (std::abs(x - e) <= expected.atol + expected.rtol * std::abs(e)) continue;
    }
    ADD_FAILURE() << "element " << i << " is " << x << ", expected " << e;
    return;
  }
}

}  // namespace tfrt

#endif  // TFRT_TEST_UNIT_HOST_OPS_NUMPY_CLOSE_H_
