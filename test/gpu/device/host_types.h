// The host's types of elements, for tests that compare with the host's kernels.
#ifndef TFRT_TEST_GPU_DEVICE_HOST_TYPES_H_
#define TFRT_TEST_GPU_DEVICE_HOST_TYPES_H_

#include <cstring>
#include <vector>

#include "gpu/device_code/element.h"
#include "tfrt/opinfo/element_type.h"
#include "tfrt/support/half.h"

namespace tfrt::gpu {

template <typename T>
DType HostDType() {
  using namespace device;  // NOLINT
  if constexpr (kSame<T, f16>) return DType::kF16;
  if constexpr (kSame<T, bf16>) return DType::kBF16;
  if constexpr (kSame<T, f32>) return DType::kF32;
  if constexpr (kSame<T, f64>) return DType::kF64;
  if constexpr (kSame<T, i32>) return DType::kI32;
  if constexpr (kSame<T, i64>) return DType::kI64;
  if constexpr (kSame<T, u8>) return DType::kUI8;
  if constexpr (kSame<T, i1>) return DType::kI1;
}

template <typename T>
struct HostTypeOf {
  using Type = T;
};
template <>
struct HostTypeOf<device::f16> {
  using Type = Fp16;
};
template <>
struct HostTypeOf<device::bf16> {
  using Type = Bf16;
};
template <typename T>
using HostType = typename HostTypeOf<T>::Type;

// The same bits.
template <typename T>
std::vector<HostType<T>> ToHost(const std::vector<T>& elements) {
  std::vector<HostType<T>> result(elements.size());
  if (!elements.empty()) std::memcpy(result.data(), elements.data(), elements.size() * sizeof(T));
  return result;
}
template <typename T>
std::vector<T> ToDevice(const std::vector<HostType<T>>& elements) {
  std::vector<T> result(elements.size());
  if (!elements.empty()) std::memcpy(result.data(), elements.data(), elements.size() * sizeof(T));
  return result;
}

}  // namespace tfrt::gpu

#endif  // TFRT_TEST_GPU_DEVICE_HOST_TYPES_H_
