// cuBLAS as a table of function pointers.
#ifndef TFRT_GPU_ABI_CUBLAS_TABLE_H_
#define TFRT_GPU_ABI_CUBLAS_TABLE_H_

#include "cublas_functions.h"
#include "function_info.h"

namespace tfrt::gpu::cublas {

// As cuda::DriverTable.
struct Table {
#define TFRT_GPU_MEMBER(result, name, since, parameters, arguments) \
  result(*name) parameters = nullptr;
  TFRT_CUBLAS_FUNCTIONS(TFRT_GPU_MEMBER)
#undef TFRT_GPU_MEMBER
};

// In the order of Table's members.
inline constexpr FunctionInfo kFunctions[] = {
#define TFRT_GPU_INFO(result, name, since, parameters, arguments) \
  {#name, since, since <= kMinCublasVersion},
    TFRT_CUBLAS_FUNCTIONS(TFRT_GPU_INFO)
#undef TFRT_GPU_INFO
};

}  // namespace tfrt::gpu::cublas

#endif  // TFRT_GPU_ABI_CUBLAS_TABLE_H_
