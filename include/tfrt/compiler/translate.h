// Library calls with the functions of the tools mlir_to_bef, bef_to_mlir and tfrt_translate: from
// source to output. Errors are diagnostics of `context`.
#ifndef TFRT_COMPILER_TRANSLATE_H_
#define TFRT_COMPILER_TRANSLATE_H_

#include <string>

#include "llvm/ADT/StringRef.h"
#include "mlir/Support/LLVM.h"
#include "tfrt/compiler/mlir_to_bef.h"

namespace llvm {
class raw_ostream;
class SourceMgr;
}  // namespace llvm

namespace mlir {
class MLIRContext;
}  // namespace mlir

namespace tfrt::compiler {

// Loads tfrt's dialects and those in which modules marked tfrt.compiled are usually written, and
// allows unregistered ones.
void prepareContext(mlir::MLIRContext* context);

struct TranslateOptions {
  // Passes that run before the conversion, in mlir-opt's syntax (passes.h); empty: none.
  std::string pass_pipeline = {};
  MlirToBefOptions conversion = {};
};

// Reads MLIR text or bytecode. Nothing is written to `output` after an error.
mlir::LogicalResult translateMlirToBef(llvm::SourceMgr& source, llvm::raw_ostream& output,
                                       mlir::MLIRContext* context, const TranslateOptions& options);

// Prints the module, with the printing options of the command line if those are registered.
mlir::LogicalResult translateBefToMlir(llvm::StringRef bef, llvm::raw_ostream& output,
                                       mlir::MLIRContext* context);

// Registers the translations mlir-to-bef and bef-to-mlir, and their command-line options.
void registerTfrtTranslations();

}  // namespace tfrt::compiler

#endif  // TFRT_COMPILER_TRANSLATE_H_
