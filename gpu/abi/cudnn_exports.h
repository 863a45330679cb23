// Declares the functions of cuDNN as a library exports them: for libraries that take its place in
// tests. See cuda_driver_exports.h.
#ifndef TFRT_GPU_ABI_CUDNN_EXPORTS_H_
#define TFRT_GPU_ABI_CUDNN_EXPORTS_H_

#include "cudnn_functions.h"

namespace tfrt::gpu::cudnn {

extern "C" {
#define TFRT_GPU_DECLARE(result, name, since, parameters, arguments) \
  [[gnu::visibility("default")]] result name parameters;
TFRT_CUDNN_FUNCTIONS(TFRT_GPU_DECLARE)
#undef TFRT_GPU_DECLARE
}

}  // namespace tfrt::gpu::cudnn

#endif  // TFRT_GPU_ABI_CUDNN_EXPORTS_H_
