// The error of graph ops for a dtype that they do not compute with.
#ifndef TFRT_LIB_OPS_HOST_OPS_UNSUPPORTED_DTYPE_H_
#define TFRT_LIB_OPS_HOST_OPS_UNSUPPORTED_DTYPE_H_

#include "tfrt/core_runtime/op_call.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dtype.h"

namespace tfrt {

// "graph.reduce_sum: unsupported dtype str"
inline Status UnsupportedDType(const OpCall& call, DType dtype) {
  return InvalidArgumentError(StrCat(call.op_name(), ": unsupported dtype ", DTypeName(dtype)));
}

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_HOST_OPS_UNSUPPORTED_DTYPE_H_
