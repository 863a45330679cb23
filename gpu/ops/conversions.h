// Copies of tensors between the host and GPUs, and between two of these.
#ifndef TFRT_GPU_OPS_CONVERSIONS_H_
#define TFRT_GPU_OPS_CONVERSIONS_H_

#include "lib/runtime/tensor/conversion.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

// Registers the conversions between tensors of CPUs and of GPUs, and of two GPUs. Copies to a GPU
// run in its stream h2d, into memory that is allocated there. They overlap with earlier work of the
// compute stream. Copies to the host run in the stream d2h, into page-locked memory as
// long as there is some. Fails with AlreadyExists if they are registered.
Status RegisterGpuConversions(ConversionRegistry* conversions);

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_OPS_CONVERSIONS_H_
