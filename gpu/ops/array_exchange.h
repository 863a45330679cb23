// Elements on GPUs that are shared with other libraries of the process.
#ifndef TFRT_GPU_OPS_ARRAY_EXCHANGE_H_
#define TFRT_GPU_OPS_ARRAY_EXCHANGE_H_

#include "lib/runtime/tensor/array_exchange.h"

namespace tfrt::gpu {

// Returns the exchange of the kind "gpu". Other libraries are those that use the primary context of
// a device, as the vendor's runtime does. Elements that they lend must be in its memory.
const ArrayExchange& GpuArrayExchange();

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_OPS_ARRAY_EXCHANGE_H_
