// Declares the functions of CUPTI as a library exports them: for libraries that take its place in
// tests. See cuda_driver_exports.h.
#ifndef TFRT_GPU_ABI_CUPTI_EXPORTS_H_
#define TFRT_GPU_ABI_CUPTI_EXPORTS_H_

#include "cupti_functions.h"

namespace tfrt::gpu::cupti {

extern "C" {
#define TFRT_GPU_DECLARE(result, name, is_required, parameters, arguments) \
  [[gnu::visibility("default")]] result name parameters;
TFRT_CUPTI_FUNCTIONS(TFRT_GPU_DECLARE)
#undef TFRT_GPU_DECLARE
}

}  // namespace tfrt::gpu::cupti

#endif  // TFRT_GPU_ABI_CUPTI_EXPORTS_H_
