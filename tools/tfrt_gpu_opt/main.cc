// tfrt_gpu_opt: tfrt_opt with the dialects that programs for GPUs are compiled from, and the passes
// that compile them.

#include <string>

#include "lib/compiler/gpu/register_gpu_passes.h"
#include "lib/compiler/passes/register_passes.h"
#include "lib/compiler/translation/child_process.h"
#include "lib/compiler/translation/dialects.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char** argv) {
  mlir::DialectRegistry registry;
  tfrt::compiler::registerAllTfrtDialects(registry);
  registry
      .insert<mlir::arith::ArithDialect, mlir::async::AsyncDialect, mlir::cf::ControlFlowDialect,
              mlir::gpu::GPUDialect, mlir::memref::MemRefDialect>();
  tfrt::compiler::registerTfrtPasses();
  tfrt::compiler::registerGpuPasses();
  const auto [input, output] =
      mlir::registerAndParseCLIOptions(argc, argv, "TFRT GPU pass driver\n", registry);
  return tfrt::compiler::runInChild("tfrt_gpu_opt", output, [&](const std::string& file) {
    return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, input, file, registry));
  });
}
