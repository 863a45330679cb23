// mlir_to_bef: compiles MLIR (text or bytecode) to a BEF file.

#include <unistd.h>

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "tfrt/compiler/dialects.h"
#include "tfrt/compiler/mlir_to_bef.h"

namespace {
namespace cl = llvm::cl;

int Run(const std::string& input, const std::string& output,
        const tfrt::compiler::MlirToBefOptions& options) {
  std::string error;
  auto buffer = mlir::openInputFile(input, &error);
  if (!buffer) {
    llvm::errs() << error << "\n";
    return 1;
  }
  if (output == "-" && isatty(STDOUT_FILENO)) {
    llvm::errs() << "mlir_to_bef: a BEF file is binary; name a file with -o or redirect the output\n";
    return 1;
  }
  mlir::DialectRegistry registry;
  tfrt::compiler::registerAllTfrtDialects(registry);
  // What modules marked tfrt.compiled are usually written in.
  registry.insert<mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect, mlir::math::MathDialect,
                  mlir::memref::MemRefDialect, mlir::scf::SCFDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  llvm::SourceMgr source;
  source.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  mlir::SourceMgrDiagnosticHandler diagnostics(source, &context);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(source, &context);
  if (!module) return 1;
  auto bytes = tfrt::compiler::convertMlirToBef(*module, options);
  if (mlir::failed(bytes)) return 1;
  auto file = mlir::openOutputFile(output, &error);
  if (!file) {
    llvm::errs() << error << "\n";
    return 1;
  }
  file->os().write(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  file->keep();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  cl::OptionCategory category("mlir_to_bef options");
  cl::opt<std::string> input(cl::Positional, cl::desc("[FILE]"), cl::init("-"), cl::cat(category));
  cl::opt<std::string> output("o", cl::desc("Output file"), cl::value_desc("FILE"), cl::init("-"),
                              cl::cat(category));
  cl::opt<bool> disable_optional("disable-optional-sections",
                                 cl::desc("Leave out what only BEF to MLIR needs"),
                                 cl::cat(category));
  cl::opt<bool> v0_exact("v0-exact", cl::desc("Write nothing beyond version 0 of the format"),
                         cl::cat(category));
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "MLIR to BEF compiler\n");
  return Run(input, output, {!disable_optional, v0_exact});
}
