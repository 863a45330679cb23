// The vendor's names, which the double implements.
#ifndef TFRT_TEST_GPU_VENDOR_DRIVER_ABI_H_
#define TFRT_TEST_GPU_VENDOR_DRIVER_ABI_H_

#include "gpu/abi/cuda_driver_exports.h"
#include "gpu/abi/cuda_types.h"

namespace tfrt::gpu::cuda_double {

using namespace tfrt::gpu::cuda;  // NOLINT: this library is that interface

}  // namespace tfrt::gpu::cuda_double

#endif  // TFRT_TEST_GPU_VENDOR_DRIVER_ABI_H_
