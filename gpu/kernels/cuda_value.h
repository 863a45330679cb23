// Values of CUDA's enumerations in attributes of ops.
#ifndef TFRT_GPU_KERNELS_CUDA_VALUE_H_
#define TFRT_GPU_KERNELS_CUDA_VALUE_H_

#include <cstdint>

#include "lib/format/op_table/gpu_enums.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

// Returns the vendor's number of an enumeration's attribute. Fails for other platforms than CUDA.
StatusOr<int32_t> CudaNumber(GpuEnum which, int64_t value);
template <typename T>
StatusOr<T> CudaValue(GpuEnum which, int64_t value) {
  TFRT_ASSIGN_OR_RETURN(int32_t number, CudaNumber(which, value));
  return static_cast<T>(number);
}

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_KERNELS_CUDA_VALUE_H_
