// cuDNN as a table of function pointers.
#ifndef TFRT_GPU_ABI_CUDNN_TABLE_H_
#define TFRT_GPU_ABI_CUDNN_TABLE_H_

#include "cudnn_functions.h"
#include "function_info.h"

namespace tfrt::gpu::cudnn {

// As cuda::DriverTable. Pointers to functions that came after kMinCudnnVersion may be null.
struct Table {
#define TFRT_GPU_MEMBER(result, name, since, parameters, arguments) \
  result(*name) parameters = nullptr;
  TFRT_CUDNN_FUNCTIONS(TFRT_GPU_MEMBER)
#undef TFRT_GPU_MEMBER
};

// In the order of Table's members.
inline constexpr FunctionInfo kFunctions[] = {
#define TFRT_GPU_INFO(result, name, since, parameters, arguments) \
  {#name, since, since <= kMinCudnnVersion},
    TFRT_CUDNN_FUNCTIONS(TFRT_GPU_INFO)
#undef TFRT_GPU_INFO
};

}  // namespace tfrt::gpu::cudnn

#endif  // TFRT_GPU_ABI_CUDNN_TABLE_H_
