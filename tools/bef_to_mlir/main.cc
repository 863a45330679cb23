// bef_to_mlir: prints a BEF file as MLIR.

#include "lib/compiler/translation/child_process.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/FileUtilities.h"
#include "tfrt/compiler/translate.h"

namespace {
namespace cl = llvm::cl;

int Run(const std::string& input, const std::string& output) {
  std::string error;
  auto buffer = mlir::openInputFile(input, &error);
  if (!buffer) {
    llvm::errs() << error << "\n";
    return 1;
  }
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  tfrt::compiler::prepareContext(&context);
  llvm::SourceMgr source;
  mlir::SourceMgrDiagnosticHandler diagnostics(source, &context);
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (mlir::failed(tfrt::compiler::translateBefToMlir(buffer->getBuffer(), stream, &context))) {
    return 1;
  }
  auto file = mlir::openOutputFile(output, &error);
  if (!file) {
    llvm::errs() << error << "\n";
    return 1;
  }
  file->os() << text;
  file->keep();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  cl::OptionCategory category("bef_to_mlir options");
  cl::opt<std::string> input(cl::Positional, cl::desc("[FILE]"), cl::init("-"), cl::cat(category));
  cl::opt<std::string> output("o", cl::desc("Output file"), cl::value_desc("FILE"), cl::init("-"),
                              cl::cat(category));
  mlir::registerAsmPrinterCLOptions();
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "BEF to MLIR disassembler\n\n"
      "  bef_to_mlir program.bef -o program.mlir\n\n"
      "Reads standard input and writes standard output unless told otherwise.\n"
      "MLIR's options for printing work, too: --mlir-print-debuginfo shows the\n"
      "locations, --mlir-print-op-generic the generic form; see --help-hidden.\n");
  if (tfrt::compiler::checkIsNotInput("bef_to_mlir", output, input)) return 1;
  return tfrt::compiler::runInChild("bef_to_mlir", output,
                                    [&](const std::string& file) { return Run(input, file); });
}
