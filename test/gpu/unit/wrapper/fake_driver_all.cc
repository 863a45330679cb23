// A library with the names of the CUDA driver that does nothing: each function succeeds. What a
// test wants otherwise is in fake_driver.cc; a function is left out by renaming it on the command
// line.
#include "gpu/abi/cuda_driver_exports.h"

namespace tfrt::gpu::cuda {

#define TFRT_FAKE(result, name, since, parameters, arguments) \
  [[gnu::weak]] result name parameters { return CUDA_SUCCESS; }
TFRT_CUDA_DRIVER_FUNCTIONS(TFRT_FAKE)
TFRT_CUDA_DRIVER_TEST_FUNCTIONS(TFRT_FAKE)

}  // namespace tfrt::gpu::cuda
