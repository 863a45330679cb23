#include "register_gpu_passes.h"

#include "gpu_passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

namespace tfrt::compiler {
namespace gpu {

#define GEN_PASS_REGISTRATION
#include "lib/compiler/gpu_passes.h.inc"

}  // namespace gpu

void registerGpuPasses() {
  [[maybe_unused]] static const bool registered = [] {
    gpu::registerPasses();
    mlir::registerGpuAsyncRegionPass();
    mlir::PassPipelineRegistration<>(
        "gpu-to-tfrt-gpu", "All passes from the gpu dialect to tfrt_gpu, in order",
        [](mlir::OpPassManager& manager) {
          using mlir::func::FuncOp;
          manager.addPass(gpu::createFuncStreamifyPass());
          manager.addNestedPass<FuncOp>(gpu::createAsyncStreamifyPass());
          manager.addPass(gpu::createGpuStreamifyPass());
          manager.addPass(gpu::createCastStreamifyPass());
          manager.addNestedPass<FuncOp>(gpu::createAsyncToTfrtPass());
          manager.addPass(gpu::createHoistingPass());
        });
    return true;
  }();
}

}  // namespace tfrt::compiler
