// Declares the functions of the CUDA driver as a library exports them, for libraries that replace
// the driver in tests. Definitions with other parameters do not compile. Code that calls the driver
// includes cuda_driver_table.h instead: nothing may link these names.
#ifndef TFRT_GPU_ABI_CUDA_DRIVER_EXPORTS_H_
#define TFRT_GPU_ABI_CUDA_DRIVER_EXPORTS_H_

#include "cuda_driver_functions.h"

namespace tfrt::gpu::cuda {

extern "C" {
#define TFRT_GPU_DECLARE(result, name, since, parameters, arguments) \
  [[gnu::visibility("default")]] result name parameters;
TFRT_CUDA_DRIVER_FUNCTIONS(TFRT_GPU_DECLARE)
TFRT_CUDA_DRIVER_TEST_FUNCTIONS(TFRT_GPU_DECLARE)
#undef TFRT_GPU_DECLARE
}

}  // namespace tfrt::gpu::cuda

#endif  // TFRT_GPU_ABI_CUDA_DRIVER_EXPORTS_H_
