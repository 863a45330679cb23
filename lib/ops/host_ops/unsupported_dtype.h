// The dtypes that graph ops compute with, and the error for others.
#ifndef TFRT_LIB_OPS_HOST_OPS_UNSUPPORTED_DTYPE_H_
#define TFRT_LIB_OPS_HOST_OPS_UNSUPPORTED_DTYPE_H_

#include "lib/ops/op_call/number_dispatch.h"
#include "tfrt/core_runtime/op_call.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dtype.h"

namespace tfrt {

// "graph.reduce_sum: unsupported dtype str"
inline Status UnsupportedDType(const OpCall& call, DType dtype) {
  return InvalidArgumentError(StrCat(call.op_name(), ": unsupported dtype ", DTypeName(dtype)));
}

// Returns what fn(std::type_identity<T>()) does for the C++ type of a real dtype.
template <typename F>
Status ForReal(const OpCall& call, DType dtype, F fn) {
  Status status;
  const bool is_real = DispatchReal(dtype, [&](auto type) { status = fn(type); });
  return is_real ? status : UnsupportedDType(call, dtype);
}

// The same of f16, bf16, f32 and f64.
template <typename F>
Status ForFloat(const OpCall& call, DType dtype, F fn) {
  Status status;
  const bool is_float = DispatchFloat(dtype, [&](auto type) { status = fn(type); });
  return is_float ? status : UnsupportedDType(call, dtype);
}

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_HOST_OPS_UNSUPPORTED_DTYPE_H_
