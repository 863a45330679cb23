// From a dtype known at run time to a C++ type.
#ifndef TFRT_TENSOR_DTYPE_DISPATCH_H_
#define TFRT_TENSOR_DTYPE_DISPATCH_H_

#include <complex>
#include <cstdint>
#include <type_traits>

#include "tfrt/tensor/dtype.h"

namespace tfrt {

// Calls fn(std::type_identity<T>()) for the T with DTypeOf<T>() == dtype. False, without a call,
// for dtypes without a C++ type.
template <typename F>
bool DispatchDType(DType dtype, F&& fn) {
  switch (dtype) {
    case DType::kUI8:
      fn(std::type_identity<uint8_t>());
      return true;
    case DType::kUI16:
      fn(std::type_identity<uint16_t>());
      return true;
    case DType::kUI32:
      fn(std::type_identity<uint32_t>());
      return true;
    case DType::kUI64:
      fn(std::type_identity<uint64_t>());
      return true;
    case DType::kI1:
      fn(std::type_identity<bool>());
      return true;
    case DType::kI8:
      fn(std::type_identity<int8_t>());
      return true;
    case DType::kI16:
      fn(std::type_identity<int16_t>());
      return true;
    case DType::kI32:
      fn(std::type_identity<int32_t>());
      return true;
    case DType::kI64:
      fn(std::type_identity<int64_t>());
      return true;
    case DType::kF32:
      fn(std::type_identity<float>());
      return true;
    case DType::kF64:
      fn(std::type_identity<double>());
      return true;
    case DType::kComplex64:
      fn(std::type_identity<std::complex<float>>());
      return true;
    case DType::kComplex128:
      fn(std::type_identity<std::complex<double>>());
      return true;
    case DType::kF16:
      fn(std::type_identity<Fp16>());
      return true;
    case DType::kBF16:
      fn(std::type_identity<Bf16>());
      return true;
    default:
      return false;
  }
}

}  // namespace tfrt

#endif  // TFRT_TENSOR_DTYPE_DISPATCH_H_
