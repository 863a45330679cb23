// Declares the functions of cuBLAS as a library exports them: for libraries that replace it in
// tests. See cuda_driver_exports.h.
#ifndef TFRT_GPU_ABI_CUBLAS_EXPORTS_H_
#define TFRT_GPU_ABI_CUBLAS_EXPORTS_H_

#include "cublas_functions.h"

namespace tfrt::gpu::cublas {

extern "C" {
#define TFRT_GPU_DECLARE(result, name, since, parameters, arguments) \
  [[gnu::visibility("default")]] result name parameters;
TFRT_CUBLAS_FUNCTIONS(TFRT_GPU_DECLARE)
#undef TFRT_GPU_DECLARE
}

}  // namespace tfrt::gpu::cublas

#endif  // TFRT_GPU_ABI_CUBLAS_EXPORTS_H_
