// How ops run on GPUs.
#ifndef TFRT_GPU_OPS_GPU_OP_RUNNER_H_
#define TFRT_GPU_OPS_GPU_OP_RUNNER_H_

#include <memory>

#include "gpu_op.h"
#include "lib/ops/op_call/op_runner.h"

namespace tfrt::gpu {

// Returns a runner that enqueues the ops of gpu_ops.h in the compute stream of their GpuDevice.
std::unique_ptr<const OpRunner> MakeGpuOpRunner();

// Runs a call of an op that is no row: what `make` makes of its attributes and dtypes, on the
// GpuDevice of the call. As OpRunner::Run.
OpOutcome RunGpuOp(GpuOpMaker make, const OpRun& run);

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_OPS_GPU_OP_RUNNER_H_
