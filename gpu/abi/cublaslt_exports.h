// Declares the functions of cublasLt as a library exports them: for libraries that replace it in
// tests. See cuda_driver_exports.h.
#ifndef TFRT_GPU_ABI_CUBLASLT_EXPORTS_H_
#define TFRT_GPU_ABI_CUBLASLT_EXPORTS_H_

#include "cublaslt_functions.h"

namespace tfrt::gpu::cublaslt {

extern "C" {
#define TFRT_GPU_DECLARE(result, name, since, parameters, arguments) \
  [[gnu::visibility("default")]] result name parameters;
TFRT_CUBLASLT_FUNCTIONS(TFRT_GPU_DECLARE)
#undef TFRT_GPU_DECLARE
}

}  // namespace tfrt::gpu::cublaslt

#endif  // TFRT_GPU_ABI_CUBLASLT_EXPORTS_H_
