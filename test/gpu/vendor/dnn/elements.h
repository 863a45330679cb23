// Elements of tensors as numbers to compute with.
#ifndef TFRT_TEST_GPU_VENDOR_DNN_ELEMENTS_H_
#define TFRT_TEST_GPU_VENDOR_DNN_ELEMENTS_H_

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "layout.h"

namespace tfrt::gpu::cudnn_double {

// Calls `f` with a value of the C++ type of the elements.
template <typename F>
void WithElement(cudnnDataType_t type, F&& f) {
  switch (type) {
    case cudnn::CUDNN_DATA_FLOAT:
      return f(float());
    case cudnn::CUDNN_DATA_DOUBLE:
      return f(double());
    case cudnn::CUDNN_DATA_HALF:
      return f(Eigen::half());
    case cudnn::CUDNN_DATA_BFLOAT16:
      return f(Eigen::bfloat16());
    case cudnn::CUDNN_DATA_INT8:
    case cudnn::CUDNN_DATA_INT8x4:
    case cudnn::CUDNN_DATA_INT8x32:
      return f(int8_t());
    case cudnn::CUDNN_DATA_UINT8:
    case cudnn::CUDNN_DATA_UINT8x4:
    case cudnn::CUDNN_DATA_BOOLEAN:
      return f(uint8_t());
    case cudnn::CUDNN_DATA_INT32:
      return f(int32_t());
    case cudnn::CUDNN_DATA_INT64:
      return f(int64_t());
  }
}

template <typename To, typename From>
To Convert(From value) {
  if constexpr (std::is_integral_v<To> && !std::is_integral_v<From>) {
    // To the nearest, saturated.
    const double rounded = std::nearbyint(static_cast<double>(value));
    if (!(rounded > static_cast<double>(std::numeric_limits<To>::min()))) {
      return std::isnan(rounded) ? To{0} : std::numeric_limits<To>::min();
    }
    if (rounded >= static_cast<double>(std::numeric_limits<To>::max())) {
      return std::numeric_limits<To>::max();
    }
    return static_cast<To>(rounded);
  } else if constexpr (std::is_same_v<To, Eigen::half> || std::is_same_v<To, Eigen::bfloat16>) {
    return static_cast<To>(static_cast<float>(value));
  } else if constexpr (std::is_same_v<From, Eigen::half> || std::is_same_v<From, Eigen::bfloat16>) {
    return static_cast<To>(static_cast<float>(value));
  } else {
    return static_cast<To>(value);
  }
}

// Calls `f(dense, offset)` for each element of the part of a tensor whose first indices, `fixed` of
// them, are `first`: its number in that part, in the order of the dimensions, and in memory.
template <typename F>
void ForEachElement(const Layout& layout, const int64_t* first, int fixed, F&& f) {
  constexpr int kMaxRank = 8;
  int64_t index[kMaxRank] = {};
  std::copy(first, first + fixed, index);
  const int rank = layout.rank();
  const int64_t inner = rank > fixed ? layout.dims[rank - 1] : 1;
  const int64_t inner_stride = rank > fixed && rank > 2 ? layout.strides[rank - 1] : 0;
  int64_t dense = 0;
  for (;;) {
    const int64_t offset = layout.Offset(index);
    if (inner_stride != 0 || inner == 1) {
      for (int64_t i = 0; i < inner; ++i) {
        f(dense++, offset + i * inner_stride * layout.vector_size);
      }
    } else {
      // The last dimension is the one with vectors.
      for (int64_t i = 0; i < inner; ++i) {
        index[rank - 1] = i;
        f(dense++, layout.Offset(index));
      }
      index[rank - 1] = 0;
    }
    int d = rank - 2;
    while (d >= fixed && ++index[d] == layout.dims[d]) index[d--] = 0;
    if (d < fixed) return;
  }
}

// The elements of that part, in the order of the dimensions.
template <typename T>
void ReadDense(const Layout& layout, const std::byte* tensor, const int64_t* first, int fixed,
               T* dense) {
  WithElement(layout.type, [&](auto element) {
    using Element = decltype(element);
    const auto* elements = reinterpret_cast<const Element*>(tensor);
    ForEachElement(layout, first, fixed,
                   [&](int64_t at, int64_t offset) { dense[at] = Convert<T>(elements[offset]); });
  });
}

// Writes alpha * dense + beta * what is there, which is not read if beta is 0.
template <typename T>
void WriteDense(const Layout& layout, std::byte* tensor, const int64_t* first, int fixed,
                const T* dense, double alpha, double beta) {
  using Scale = std::conditional_t<std::is_same_v<T, double>, double, float>;
  const auto by = static_cast<Scale>(alpha), prior = static_cast<Scale>(beta);
  WithElement(layout.type, [&](auto element) {
    using Element = decltype(element);
    auto* elements = reinterpret_cast<Element*>(tensor);
    ForEachElement(layout, first, fixed, [&](int64_t at, int64_t offset) {
      Scale value = by * static_cast<Scale>(dense[at]);
      if (prior != 0) value += prior * Convert<Scale>(elements[offset]);
      elements[offset] = Convert<Element>(value);
    });
  });
}

}  // namespace tfrt::gpu::cudnn_double

#endif  // TFRT_TEST_GPU_VENDOR_DNN_ELEMENTS_H_
