// Elements that kernels are tested with, and how results are compared.
#ifndef TFRT_TEST_GPU_DEVICE_TEST_ELEMENTS_H_
#define TFRT_TEST_GPU_DEVICE_TEST_ELEMENTS_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/device_code/element.h"
#include "ulp_distance.h"

namespace tfrt::gpu {

// As entry points name it.
template <typename T>
std::string TypeName() {
  using namespace device;  // NOLINT
  if constexpr (kSame<T, f16>) return "f16";
  if constexpr (kSame<T, bf16>) return "bf16";
  if constexpr (kSame<T, f32>) return "f32";
  if constexpr (kSame<T, f64>) return "f64";
  if constexpr (kSame<T, i32>) return "i32";
  if constexpr (kSame<T, i64>) return "i64";
  if constexpr (kSame<T, u8>) return "u8";
  if constexpr (kSame<T, i1>) return "i1";
}

template <typename T>
inline constexpr bool kIsFloatElement = device::kIsFloat<device::Compute<T>>;

// The number that an element is, exactly, in W.
template <typename W, typename T>
W ValueOf(T element) {
  return static_cast<W>(device::Decode(element));
}

// Equal bits, or both NaN.
template <typename T>
bool IsSame(T a, T b) {
  if constexpr (kIsFloatElement<T>) {
    if (std::isnan(ValueOf<double>(a)) && std::isnan(ValueOf<double>(b))) return true;
  }
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <typename T>
T FromBits(uint64_t bits) {
  T element;
  std::memcpy(&element, &bits, sizeof(T));
  return element;
}

// All elements of types of 16 bits and less; of others special ones, numbers of everyday size, and
// bit patterns of all kinds.
template <typename T>
std::vector<T> ManyElements(size_t count) {
  std::vector<T> elements;
  if constexpr (sizeof(T) <= 2) {
    for (uint64_t bits = 0; bits < uint64_t{1} << sizeof(T) * 8; ++bits) {
      elements.push_back(FromBits<T>(bits));
    }
    return elements;
  } else {
    std::mt19937_64 random(sizeof(T));
    std::uniform_real_distribution<double> everyday(-20, 20);
    using Limits = std::numeric_limits<T>;
    elements = {0, 1, T(-1), 2, T(-2), 3, T(-3), 7, Limits::max(), Limits::lowest(), Limits::min()};
    if constexpr (kIsFloatElement<T>) {
      for (T x : {Limits::infinity(), Limits::quiet_NaN(), Limits::denorm_min(), T(0), T(0.5),
                  Limits::epsilon()}) {
        elements.push_back(x);
        elements.push_back(-x);
      }
    }
    while (elements.size() < count) {
      elements.push_back(static_cast<T>(everyday(random)));
      elements.push_back(FromBits<T>(random()));
    }
    return elements;
  }
}

// Some of them: special ones, and others in their midst.
template <typename T>
std::vector<T> SomeElements(size_t count) {
  std::vector<T> all = ManyElements<T>(count);
  if (all.size() <= count) return all;
  std::vector<T> some;
  const size_t step = all.size() / count;
  for (size_t i = 0; i < count; ++i) some.push_back(all[i * step + i % step]);
  if constexpr (kIsFloatElement<T>) {
    for (double x : {0.0, -0.0, 1.0, -1.0, 2.0, -0.5, HUGE_VAL, -HUGE_VAL, std::nan("")}) {
      some.push_back(device::Cast<T>(x));
    }
  }
  return some;
}

}  // namespace tfrt::gpu

#endif  // TFRT_TEST_GPU_DEVICE_TEST_ELEMENTS_H_
