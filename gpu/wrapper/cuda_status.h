// Results of the CUDA driver as Status.
#ifndef TFRT_GPU_WRAPPER_CUDA_STATUS_H_
#define TFRT_GPU_WRAPPER_CUDA_STATUS_H_

#include <string_view>

#include "gpu/abi/cuda_driver_table.h"
#include "gpu/abi/cuda_result.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu::cuda {

namespace internal {
[[gnu::cold]] Status ErrorOf(const DriverTable& driver, CUresult result, std::string_view what);
}  // namespace internal

// Returns OK, or an error "WHAT: CUDA_ERROR_NAME (what the driver says of it)", with the code of
// CodeOf. The text `what` names the function, and its purpose as far as that helps. It is used only
// if there is an error.
inline Status StatusOf(const DriverTable& driver, CUresult result, std::string_view what) {
  if (result == CUDA_SUCCESS) [[likely]]
    return OkStatus();
  return internal::ErrorOf(driver, result, what);
}

// The code that an error of the driver has as a Status; kUnknown if it is newer than our table.
StatusCode CodeOf(CUresult result);

// Whether the context is lost by this error: later calls on it answer the same, and what its memory
// holds is undefined.
bool LosesContext(CUresult result);

}  // namespace tfrt::gpu::cuda

#endif  // TFRT_GPU_WRAPPER_CUDA_STATUS_H_
