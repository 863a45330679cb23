// Helpers that launches and kernel nodes share: checks of the shape, and the parameters as one
// buffer.
#ifndef TFRT_TEST_GPU_VENDOR_DRIVER_LAUNCHES_H_
#define TFRT_TEST_GPU_VENDOR_DRIVER_LAUNCHES_H_

#include "call.h"
#include "kernel_operation.h"

namespace tfrt::gpu::cuda_double {

// The operation for a launch, or the code with which it is refused. `operation` may be null: checks
// only.
CUresult MakeKernelOperation(Call& call, const LaunchShape& shape, void** parameters, void** extra,
                             std::shared_ptr<KernelOperation>* operation);

}  // namespace tfrt::gpu::cuda_double

#endif  // TFRT_TEST_GPU_VENDOR_DRIVER_LAUNCHES_H_
