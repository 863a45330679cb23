// cublasLt as a table of function pointers.
#ifndef TFRT_GPU_ABI_CUBLASLT_TABLE_H_
#define TFRT_GPU_ABI_CUBLASLT_TABLE_H_

#include "cublaslt_functions.h"
#include "function_info.h"

namespace tfrt::gpu::cublaslt {

// As cuda::DriverTable.
struct Table {
#define TFRT_GPU_MEMBER(result, name, since, parameters, arguments) \
  result(*name) parameters = nullptr;
  TFRT_CUBLASLT_FUNCTIONS(TFRT_GPU_MEMBER)
#undef TFRT_GPU_MEMBER
};

// In the order of Table's members.
inline constexpr FunctionInfo kFunctions[] = {
#define TFRT_GPU_INFO(result, name, since, parameters, arguments) \
  {#name, since, since <= kMinCublasLtVersion},
    TFRT_CUBLASLT_FUNCTIONS(TFRT_GPU_INFO)
#undef TFRT_GPU_INFO
};

}  // namespace tfrt::gpu::cublaslt

#endif  // TFRT_GPU_ABI_CUBLASLT_TABLE_H_
