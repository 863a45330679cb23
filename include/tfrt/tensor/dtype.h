// DType: the element type of a tensor. The numbers are the type codes of BEF files.
#ifndef TFRT_TENSOR_DTYPE_H_
#define TFRT_TENSOR_DTYPE_H_

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "tfrt/support/half.h"

namespace tfrt {

enum class DType : uint8_t {
  kUnsupported = 0,
  kUI8 = 1,
  kUI16 = 2,
  kUI32 = 3,
  kUI64 = 4,
  kI1 = 5,
  kI8 = 6,
  kI16 = 7,
  kI32 = 8,
  kI64 = 9,
  kF32 = 10,
  kF64 = 11,
  kComplex64 = 12,
  kComplex128 = 13,
  kF16 = 14,
  kBF16 = 15,
  kString = 16,
  kResource = 17,
  kVariant = 18,
  kQUI8 = 19,
  kQUI16 = 20,
  kQI8 = 21,
  kQI16 = 22,
  kQI32 = 23,
};

// The dtype with this type code; kUnsupported if there is none.
constexpr DType DTypeFromCode(uint8_t code) {
  return code <= static_cast<uint8_t>(DType::kQI32) ? static_cast<DType>(code)
                                                    : DType::kUnsupported;
}

// As tensors print it: "u8", "i1", "f32", "complex64", "qi32", ...; "unsupported" for the rest.
std::string_view DTypeName(DType dtype);

// Bytes of one element in memory and in BEF files (i1: 1). 0 for string, resource, variant and
// unsupported, which dense tensors cannot hold.
constexpr size_t DTypeSize(DType dtype) {
  switch (dtype) {
    case DType::kUI8:
    case DType::kI1:
    case DType::kI8:
    case DType::kQUI8:
    case DType::kQI8:
      return 1;
    case DType::kUI16:
    case DType::kI16:
    case DType::kF16:
    case DType::kBF16:
    case DType::kQUI16:
    case DType::kQI16:
      return 2;
    case DType::kUI32:
    case DType::kI32:
    case DType::kF32:
    case DType::kQI32:
      return 4;
    case DType::kUI64:
    case DType::kI64:
    case DType::kF64:
    case DType::kComplex64:
      return 8;
    case DType::kComplex128:
      return 16;
    default:
      return 0;
  }
}

// The dtype of a C++ element type; kUnsupported for types that are none. The quantized dtypes have
// no C++ type.
template <typename T>
constexpr DType DTypeOf() {
  if constexpr (std::is_same_v<T, uint8_t>) return DType::kUI8;
  if constexpr (std::is_same_v<T, uint16_t>) return DType::kUI16;
  if constexpr (std::is_same_v<T, uint32_t>) return DType::kUI32;
  if constexpr (std::is_same_v<T, uint64_t>) return DType::kUI64;
  if constexpr (std::is_same_v<T, bool>) return DType::kI1;
  if constexpr (std::is_same_v<T, int8_t>) return DType::kI8;
  if constexpr (std::is_same_v<T, int16_t>) return DType::kI16;
  if constexpr (std::is_same_v<T, int32_t>) return DType::kI32;
  if constexpr (std::is_same_v<T, int64_t>) return DType::kI64;
  if constexpr (std::is_same_v<T, float>) return DType::kF32;
  if constexpr (std::is_same_v<T, double>) return DType::kF64;
  if constexpr (std::is_same_v<T, std::complex<float>>) return DType::kComplex64;
  if constexpr (std::is_same_v<T, std::complex<double>>) return DType::kComplex128;
  if constexpr (std::is_same_v<T, Fp16>) return DType::kF16;
  if constexpr (std::is_same_v<T, Bf16>) return DType::kBF16;
  return DType::kUnsupported;
}

// Appends the element at `data` (DTypeSize(dtype) bytes, any alignment) as tensors print it: "7",
// "2.500000e-01", "fp16(15872)", "(1.000000e+00,-2.000000e+00)", "qu8(2)".
void AppendElement(DType dtype, const void* data, std::string* out);

}  // namespace tfrt

#endif  // TFRT_TENSOR_DTYPE_H_
