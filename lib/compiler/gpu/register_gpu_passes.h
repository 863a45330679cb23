// The passes that make programs of tfrt_gpu from those of MLIR's dialects gpu, async and memref.
#ifndef TFRT_LIB_COMPILER_GPU_REGISTER_GPU_PASSES_H_
#define TFRT_LIB_COMPILER_GPU_REGISTER_GPU_PASSES_H_

namespace tfrt::compiler {

// Registers, once, the passes of gpu_passes.td, MLIR's -gpu-async-region, and the pipeline
// -gpu-to-tfrt-gpu (docs/reference/gpu_passes.md). Thread-safe.
void registerGpuPasses();

}  // namespace tfrt::compiler

#endif  // TFRT_LIB_COMPILER_GPU_REGISTER_GPU_PASSES_H_
