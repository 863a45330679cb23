// Ops that op handlers of programs have on GPUs besides the rows of the op table, or in place of
// them (OpRunner::program_ops). Programs for the original runtime's GPU handler expect them.
#ifndef TFRT_GPU_OPS_PROGRAMS_PROGRAM_OPS_H_
#define TFRT_GPU_OPS_PROGRAMS_PROGRAM_OPS_H_

#include "gpu/ops/gpu_op_runner.h"
#include "tfrt/core_runtime/op_registry.h"

namespace tfrt::gpu {

// All of them.
void RegisterProgramOps(OpRegistry* registry);

// By family: ops of networks that differ from their rows, and ops of tests.
void RegisterLayerProgramOps(OpRegistry* registry);
void RegisterTestProgramOps(OpRegistry* registry);

// A composite op of what `make` makes.
template <GpuOpMaker make>
OpOutcome RunMade(const OpRun& run) {
  return RunGpuOp(make, run);
}

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_OPS_PROGRAMS_PROGRAM_OPS_H_
