// From a dtype to a C++ type, for ops on some kinds of numbers. False, without a call, for the
// rest.
#ifndef TFRT_LIB_OPS_OP_CALL_NUMBER_DISPATCH_H_
#define TFRT_LIB_OPS_OP_CALL_NUMBER_DISPATCH_H_

#include <type_traits>

#include "lib/runtime/tensor/cast.h"
#include "lib/runtime/tensor/dtype_dispatch.h"

namespace tfrt {

// f16, bf16, f32, f64.
template <typename T>
inline constexpr bool kIsFloat = internal::kIsHalf<T> || std::is_floating_point_v<T>;
// These and the integers; i1 is none.
template <typename T>
inline constexpr bool kIsReal = kIsFloat<T> || (std::is_integral_v<T> && !std::is_same_v<T, bool>);
// These and complex numbers.
template <typename T>
inline constexpr bool kIsNumber = kIsReal<T> || internal::kIsComplex<T>;

template <typename F>
bool DispatchFloat(DType dtype, F&& fn) {
  bool called = false;
  DispatchDType(dtype, [&]<typename T>(std::type_identity<T> type) {
    if constexpr (kIsFloat<T>) fn(type), called = true;
  });
  return called;
}

template <typename F>
bool DispatchReal(DType dtype, F&& fn) {
  bool called = false;
  DispatchDType(dtype, [&]<typename T>(std::type_identity<T> type) {
    if constexpr (kIsReal<T>) fn(type), called = true;
  });
  return called;
}

template <typename F>
bool DispatchNumber(DType dtype, F&& fn) {
  bool called = false;
  DispatchDType(dtype, [&]<typename T>(std::type_identity<T> type) {
    if constexpr (kIsNumber<T>) fn(type), called = true;
  });
  return called;
}

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_OP_CALL_NUMBER_DISPATCH_H_
