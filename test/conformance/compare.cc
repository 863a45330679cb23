#include "compare.h"

#include <cmath>
#include <cstring>

#include "tfrt/support/str_cat.h"

namespace tfrt::conformance {
namespace {

double Widened(uint16_t bits, bool is_bf16) {
  if (is_bf16) {
    uint32_t wide = static_cast<uint32_t>(bits) << 16;
    float value;
    std::memcpy(&value, &wide, sizeof(value));
    return value;
  }
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  if (exponent == 31) value = fraction == 0 ? INFINITY : NAN;
  return (bits & 0x8000) != 0 ? -value : value;
}

struct Tolerance {
  double relative, absolute;
};

Tolerance ToleranceOf(DType dtype) {
  switch (dtype) {
    case DType::kBF16:
      return {2e-2, 1e-2};
    case DType::kF16:
      return {2e-3, 1e-3};
    case DType::kF64:
      return {1e-3, 1e-7};
    default:
      return {1e-3, 1e-5};
  }
}

// NaN if the dtype is none of floats.
double FloatAt(const DenseHostTensor& tensor, int64_t index) {
  switch (tensor.dtype()) {
    case DType::kF32:
    case DType::kComplex64:
      return static_cast<const float*>(tensor.data())[index];
    case DType::kF64:
    case DType::kComplex128:
      return static_cast<const double*>(tensor.data())[index];
    case DType::kF16:
    case DType::kBF16:
      return Widened(static_cast<const uint16_t*>(tensor.data())[index],
                     tensor.dtype() == DType::kBF16);
    default:
      return NAN;
  }
}

bool HasFloats(DType dtype) {
  return dtype == DType::kF16 || dtype == DType::kBF16 || dtype == DType::kF32 ||
         dtype == DType::kF64 || dtype == DType::kComplex64 || dtype == DType::kComplex128;
}

}  // namespace

std::string Difference(const DenseHostTensor& actual, const DenseHostTensor& expected) {
  if (actual.metadata() != expected.metadata()) {
    return StrCat("is ", DTypeName(actual.dtype()), " ", actual.shape().ToString(), ", expected ",
                  DTypeName(expected.dtype()), " ", expected.shape().ToString());
  }
  int64_t count = expected.num_elements();
  if (!HasFloats(expected.dtype())) {
    const size_t size = DTypeSize(expected.dtype());
    const auto *a = static_cast<const char*>(actual.data()),
               *b = static_cast<const char*>(expected.data());
    for (int64_t i = 0; i < count; ++i) {
      if (std::memcmp(a + i * size, b + i * size, size) == 0) continue;
      return StrCat("differs at ", i, ": ", actual.ToString(), ", expected ", expected.ToString());
    }
    return "";
  }
  if (expected.dtype() == DType::kComplex64 || expected.dtype() == DType::kComplex128) count *= 2;
  const Tolerance tolerance = ToleranceOf(expected.dtype());
  for (int64_t i = 0; i < count; ++i) {
    const double a = FloatAt(actual, i), b = FloatAt(expected, i);
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    if (std::abs(a - b) <= tolerance.absolute + tolerance.relative * std::abs(b)) continue;
    return StrCat("differs at ", i, ": ", a, ", expected ", b);
  }
  return "";
}

}  // namespace tfrt::conformance
