#include "lib/compiler/passes/register_passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "tfrt/compiler/translate.h"

namespace tfrt::compiler {

void registerTfrtTranslations() {
  // Made here and not at namespace scope: a library that is linked has no options unless asked.
  static llvm::cl::opt<bool> disable_optional_sections(
      "disable-optional-sections", llvm::cl::desc("Leave out what only bef-to-mlir needs"));
  static llvm::cl::opt<bool> v0_exact(
      "v0-exact", llvm::cl::desc("Write nothing beyond version 0 of the format"));
  static llvm::cl::opt<bool> plan_memory(
      "plan-memory", llvm::cl::desc("Put tensors of known shape into one buffer per function"));
  static llvm::cl::opt<std::string> pass_pipeline(
      "pass-pipeline", llvm::cl::desc("Passes that run before the conversion"));
  static mlir::TranslateRegistration to_bef(
      "mlir-to-bef", "compile MLIR (text or bytecode) to a BEF file",
      [](const std::shared_ptr<llvm::SourceMgr>& source, llvm::raw_ostream& output,
         mlir::MLIRContext* context) {
        prepareContext(context);
        TranslateOptions options;
        options.conversion.optional_sections = !disable_optional_sections;
        options.conversion.v0_exact = v0_exact;
        options.pass_pipeline = pass_pipeline;
        if (plan_memory && pass_pipeline.empty()) options.pass_pipeline = kPlanMemoryPipeline.str();
        return translateMlirToBef(*source, output, context, options);
      });
  static mlir::TranslateRegistration to_mlir(
      "bef-to-mlir", "print a BEF file as MLIR",
      [](const std::shared_ptr<llvm::SourceMgr>& source, llvm::raw_ostream& output,
         mlir::MLIRContext* context) {
        prepareContext(context);
        return translateBefToMlir(source->getMemoryBuffer(source->getMainFileID())->getBuffer(),
                                  output, context);
      });
}

}  // namespace tfrt::compiler
