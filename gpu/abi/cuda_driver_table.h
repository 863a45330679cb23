// The CUDA driver as a table of function pointers.
#ifndef TFRT_GPU_ABI_CUDA_DRIVER_TABLE_H_
#define TFRT_GPU_ABI_CUDA_DRIVER_TABLE_H_

#include "cuda_driver_functions.h"
#include "function_info.h"

namespace tfrt::gpu::cuda {

// Has one pointer per function, with the function's name: table->cuInit(0). Plain data: a copy with
// some pointers replaced acts as another driver. Pointers to functions that came after
// kMinDriverVersion may be null.
struct DriverTable {
#define TFRT_GPU_MEMBER(result, name, since, parameters, arguments) \
  result(*name) parameters = nullptr;
  TFRT_CUDA_DRIVER_FUNCTIONS(TFRT_GPU_MEMBER)
#undef TFRT_GPU_MEMBER
};

using gpu::FunctionInfo;

// In the order of DriverTable's members.
inline constexpr FunctionInfo kDriverFunctions[] = {
#define TFRT_GPU_INFO(result, name, since, parameters, arguments) \
  {#name, since, since <= kMinDriverVersion},
    TFRT_CUDA_DRIVER_FUNCTIONS(TFRT_GPU_INFO)
#undef TFRT_GPU_INFO
};

}  // namespace tfrt::gpu::cuda

#endif  // TFRT_GPU_ABI_CUDA_DRIVER_TABLE_H_
