// The cases of the GPU runtime.
#ifndef TFRT_BENCHMARKS_GPU_GPU_CASES_H_
#define TFRT_BENCHMARKS_GPU_GPU_CASES_H_

#include "case.h"
#include "gpu/abi/cuda_driver_table.h"

namespace tfrt::bench {

// On device 0 of `driver`, which is initialised and outlives the cases. A floor comes before the
// cases that name it.
Cases GpuCases(const gpu::cuda::DriverTable& driver);
// Their part that is eager ops.
void AddGpuEagerCases(const gpu::cuda::DriverTable& driver, Cases* cases);
// Their part that is programs.
void AddGpuProgramCases(const gpu::cuda::DriverTable& driver, Cases* cases);

}  // namespace tfrt::bench

#endif  // TFRT_BENCHMARKS_GPU_GPU_CASES_H_
