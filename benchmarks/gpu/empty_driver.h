// A driver that does nothing: what is counted with it is the runtime's part alone.
#ifndef TFRT_BENCHMARKS_GPU_EMPTY_DRIVER_H_
#define TFRT_BENCHMARKS_GPU_EMPTY_DRIVER_H_

#include "gpu/abi/cuda_driver_table.h"

namespace tfrt::bench {

// Has the functions that the cases need. All that is enqueued is done.
const gpu::cuda::DriverTable& EmptyDriver();

}  // namespace tfrt::bench

#endif  // TFRT_BENCHMARKS_GPU_EMPTY_DRIVER_H_
