// Making and destroying contexts, with all that belongs to them.
#ifndef TFRT_TEST_GPU_VENDOR_DRIVER_CONTEXTS_H_
#define TFRT_TEST_GPU_VENDOR_DRIVER_CONTEXTS_H_

#include "driver.h"

namespace tfrt::gpu::cuda_double {

Context* MakeContext(Driver& driver, Device& device, unsigned flags, bool is_primary);
// Its streams, events, modules and memory go as well. Commands that have not run never will: nobody
// has promised that they would.
void DestroyContext(Driver& driver, Context& context);

}  // namespace tfrt::gpu::cuda_double

#endif  // TFRT_TEST_GPU_VENDOR_DRIVER_CONTEXTS_H_
