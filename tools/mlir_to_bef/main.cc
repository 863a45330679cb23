// mlir_to_bef: compiles MLIR (text or bytecode) to a BEF file.

#include <unistd.h>

#include "lib/compiler/passes/register_passes.h"
#include "lib/compiler/translation/child_process.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/FileUtilities.h"
#include "tfrt/compiler/translate.h"

namespace {
namespace cl = llvm::cl;

int Run(const std::string& input, const std::string& output,
        const tfrt::compiler::TranslateOptions& options) {
  std::string error;
  auto buffer = mlir::openInputFile(input, &error);
  if (!buffer) {
    llvm::errs() << error << "\n";
    return 1;
  }
  if (output == "-" && isatty(STDOUT_FILENO)) {
    llvm::errs()
        << "mlir_to_bef: a BEF file is binary; name a file with -o or redirect the output\n";
    return 1;
  }
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  tfrt::compiler::prepareContext(&context);
  llvm::SourceMgr source;
  source.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  mlir::SourceMgrDiagnosticHandler diagnostics(source, &context);
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  if (mlir::failed(tfrt::compiler::translateMlirToBef(source, stream, &context, options))) {
    return 1;
  }
  auto file = mlir::openOutputFile(output, &error);
  if (!file) {
    llvm::errs() << error << "\n";
    return 1;
  }
  file->os() << bytes;
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
  cl::opt<std::string> pass_pipeline(
      "pass-pipeline", cl::desc("Passes that run before the conversion, as tfrt_opt takes them"),
      cl::value_desc("PIPELINE"), cl::cat(category));
  cl::opt<bool> plan_memory("plan-memory",
                            cl::desc("Short for the pipeline that puts tensors of known shape "
                                     "into one buffer per function"),
                            cl::cat(category));
  cl::opt<bool> log_streams("log-streams",
                            cl::desc("Log the maximal cost that stream analysis finds"),
                            cl::cat(category));
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "MLIR to BEF compiler\n\n"
      "  mlir_to_bef program.mlir -o program.bef\n"
      "  bef_executor program.bef\n\n"
      "Reads standard input and writes standard output unless told otherwise.\n"
      "MLIR text and bytecode are both understood.\n");
  tfrt::compiler::TranslateOptions options;
  options.conversion.optional_sections = !disable_optional;
  options.conversion.v0_exact = v0_exact;
  options.pass_pipeline = pass_pipeline;
  if (plan_memory) {
    if (!pass_pipeline.empty()) {
      llvm::errs() << "mlir_to_bef: give either --plan-memory or --pass-pipeline\n";
      return 1;
    }
    options.pass_pipeline = tfrt::compiler::kPlanMemoryPipeline.str();
  }
  options.conversion.log_streams = log_streams;
  if (tfrt::compiler::checkIsNotInput("mlir_to_bef", output, input)) return 1;
  return tfrt::compiler::runInChild(
      "mlir_to_bef", output, [&](const std::string& file) { return Run(input, file, options); });
}
