#include "tfrt/compiler/translate.h"

#include "dialects.h"
#include "lib/compiler/conversion/bef_to_mlir.h"
#include "lib/compiler/passes/fold_launches.h"
#include "lib/compiler/passes/register_passes.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

namespace tfrt::compiler {

void prepareContext(mlir::MLIRContext* context) {
  mlir::DialectRegistry registry;
  registerAllTfrtDialects(registry);
  registry
      .insert<mlir::arith::ArithDialect, mlir::async::AsyncDialect, mlir::cf::ControlFlowDialect,
              mlir::linalg::LinalgDialect, mlir::math::MathDialect, mlir::memref::MemRefDialect,
              mlir::scf::SCFDialect, mlir::vector::VectorDialect>();
  context->appendDialectRegistry(registry);
  context->allowUnregisteredDialects();
}

mlir::LogicalResult translateMlirToBef(llvm::SourceMgr& source, llvm::raw_ostream& output,
                                       mlir::MLIRContext* context,
                                       const TranslateOptions& options) {
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(source, context);
  if (!module) return mlir::failure();
  if (!options.pass_pipeline.empty()) {
    registerTfrtPasses();
    if (mlir::failed(runPassPipeline(*module, options.pass_pipeline))) return mlir::failure();
  }
  // Version 0 knows the launch of operands alone.
  if (!options.conversion.v0_exact) foldLaunches(*module);
  MlirToBefOptions consuming = options.conversion;
  consuming.consume_module = true;
  auto bytes = convertMlirToBef(*module, consuming);
  if (mlir::failed(bytes)) return mlir::failure();
  output.write(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  return mlir::success();
}

mlir::LogicalResult translateBefToMlir(llvm::StringRef bef, llvm::raw_ostream& output,
                                       mlir::MLIRContext* context) {
  auto module = convertBefToMlir(bef, context);
  if (!module) return mlir::failure();
  // Text of weights is for tests only.
  constexpr int64_t kMaxResourceText = 1024;
  mlir::OpPrintingFlags flags;
  if (!flags.getLargeResourceStringLimit()) flags.elideLargeResourceString(kMaxResourceText);
  module->print(output, flags);
  output << "\n";
  return mlir::success();
}

}  // namespace tfrt::compiler
