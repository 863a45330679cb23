// Dispatches from a dtype known at run time to a C++ type.
#ifndef TFRT_LIB_RUNTIME_TENSOR_DTYPE_DISPATCH_H_
#define TFRT_LIB_RUNTIME_TENSOR_DTYPE_DISPATCH_H_

#include <type_traits>

#include "tfrt/opinfo/element_type.h"

namespace tfrt {

// Calls fn(std::type_identity<T>()) for the T with DTypeOf<T>() == dtype. Returns false, without a
// call, for dtypes without a C++ type.
template <typename F>
bool DispatchDType(DType dtype, F&& fn) {
  switch (dtype) {
#define TFRT_DISPATCH(name, type)   \
  case DType::name:                 \
    fn(std::type_identity<type>()); \
    return true;
    TFRT_CPP_ELEMENT_TYPES(TFRT_DISPATCH)
#undef TFRT_DISPATCH
    default:
      return false;
  }
}

}  // namespace tfrt

#endif  // TFRT_LIB_RUNTIME_TENSOR_DTYPE_DISPATCH_H_
