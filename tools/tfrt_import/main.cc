// tfrt_import: an ONNX model as a model file, or as an op graph.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lib/base/support/progress.h"
#include "lib/compiler/import_onnx/import_onnx.h"
#include "lib/compiler/onnx/model.h"
#include "lib/compiler/passes/graph/pipeline.h"
#include "lib/compiler/translation/dialects.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "tfrt/compiler/mlir_to_bef.h"
#include "tfrt/support/write_file.h"
#include "verify_passes.h"

namespace {

using namespace tfrt;

// All ops that there are: name, first and last opset, limits.
void PrintSupportedOps() {
  for (const compiler::OnnxOpSupport& op : compiler::supportedOnnxOps()) {
    const std::string name =
        op.domain.empty() ? op.name.str() : op.domain.str() + "." + op.name.str();
    llvm::outs() << llvm::formatv("{0,-28} {1,2} {2,3}", name, op.first_version, op.last_version);
    if (!op.limits.empty()) llvm::outs() << "  " << op.limits;
    llvm::outs() << "\n";
  }
}

// The table of the model's ops; 1 if one is not supported.
int PrintOps(const onnx::Model& model) {
  int missing = 0;
  for (const compiler::OnnxOpUse& use : compiler::listOnnxOps(model)) {
    std::string name = use.domain.empty() ? use.name : use.domain + "." + use.name;
    std::printf("%-32s %3lld %6zu %s\n", name.c_str(), static_cast<long long>(use.version),
                use.nodes.size(), use.is_supported ? "" : "not supported");
    missing += !use.is_supported;
  }
  return missing > 0;
}

// The program of this name beside this one.
std::string ProgramBeside(const char* argv0, const char* name) {
  // Any address of the program's own.
  llvm::SmallString<128> path(
      llvm::sys::fs::getMainExecutable(argv0, reinterpret_cast<void*>(&PrintOps)));
  llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

void Print(mlir::ModuleOp module) {
  mlir::OpPrintingFlags flags;
  flags.elideLargeResourceString(64);
  module.print(llvm::outs(), flags);
  llvm::outs() << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("tfrt_import: compiles an ONNX model, or prints it as an op graph.");
  std::string path, output, numerics = "fast";
  bool check = false;
  std::vector<std::string> dims;
  app.add_option("model", path, "the file")->required();
  app.add_option(
      "-o", output,
      "the model file to write (BEF), - for standard output; without it the graph is printed");
  app.add_option("--numerics", numerics,
                 "fast, or exact: leave out what rounds otherwise than the model as it is written")
      ->check(CLI::IsMember({"fast", "exact"}));
  std::string quantize;
  std::vector<std::string> keep_f32;
  app.add_option("--quantize", quantize,
                 "dynamic: compute products with constant matrices in 8 bits, and report which")
      ->check(CLI::IsMember({"dynamic"}));
  std::string precision;
  app.add_option(
         "--precision", precision,
         "bf16 or f16: the weights of products and convolutions, computed in bf16 where the "
         "processor does that faster, else in f32")
      ->check(CLI::IsMember({"bf16", "f16"}));
  app.add_option("--keep-f32", keep_f32,
                 "NODE: for --quantize and --precision, a node that stays in f32; may be given "
                 "several times")
      ->allow_extra_args(false)
      ->take_all();
  bool dump_graph = false, no_pack = false;
  app.add_flag("--no-pack", no_pack, "use weights as they lie in the file: less to load, slower");
  app.add_flag("--dump-graph", dump_graph, "print the graph as it is compiled");
  app.add_flag("--check", check, "print the model's ops, and whether they are supported");
  app.add_flag_callback(
      "--list-ops",
      [] {
        PrintSupportedOps();
        throw CLI::Success();
      },
      "print all ops that are supported, their first and last opset and their limits");
  app.add_option("--dim", dims, "NAME=SIZE: the size that a symbol of the inputs stands for")
      ->allow_extra_args(false);
  compiler::OnnxImportOptions options;
  app.add_flag("--follow-cache-links", options.follow_cache_links,
               "weights may lie where links lead to, if the model lies in a cache of downloads, "
               "CACHE/snapshots, and they in CACHE/blobs");
  bool verify_passes = false;
  VerifyPassesOptions verify{.runner = ProgramBeside(argv[0], "tfrt_run")};
  app.add_flag("--verify-passes", verify_passes,
               "run the model on random inputs behind each pass and compare the results");
  app.add_option("--verify-tolerance", verify.tolerance,
                 "differences up to X * (1 + |expected|) are none (1e-3)");
  app.add_option("--runner", verify.runner, "the program that runs models (tfrt_run beside this)");
  CLI11_PARSE(app, argc, argv);

  for (const std::string& dim : dims) {
    size_t equals = dim.rfind('=');  // names may have some in them, too
    int64_t size = 0;
    if (equals == std::string::npos ||
        llvm::StringRef(dim).drop_front(equals + 1).getAsInteger(10, size) || size < 0) {
      llvm::errs() << "tfrt_import: --dim is '" << dim << "', expected NAME=SIZE\n";
      return 1;
    }
    options.dims[llvm::StringRef(dim).take_front(equals)] = size;
  }
  const char* narrows = !quantize.empty() ? "--quantize" : "--precision";
  if (!quantize.empty() && !precision.empty()) {
    llvm::errs() << "tfrt_import: --quantize and --precision cannot both be given\n";
    return 1;
  }
  const bool is_narrowed = !quantize.empty() || !precision.empty();
  if (is_narrowed && numerics == "exact") {
    llvm::errs() << "tfrt_import: " << narrows
                 << " changes what is rounded, --numerics=exact does not\n";
    return 1;
  }
  if (!is_narrowed && !keep_f32.empty()) {
    llvm::errs() << "tfrt_import: --keep-f32 is of --quantize and --precision\n";
    return 1;
  }
  if (output == "-") output = "/dev/stdout";
  if (Status status = CheckIsNotInput(output, path); !status.ok()) {
    llvm::errs() << "tfrt_import: " << std::string(status.message()) << "\n";
    return 1;
  }
  std::optional<Progress> progress;
  progress.emplace("tfrt_import").Begin("reading");
  auto model = onnx::Model::FromFile(path);
  if (!model.ok()) {
    std::string_view message = model.status().message();
    llvm::errs() << "tfrt_import: " << llvm::StringRef(message.data(), message.size()) << "\n";
    return 1;
  }
  if (check) {
    if (int missing = PrintOps(*model)) return missing;
    return 0;
  }
  mlir::DialectRegistry registry;
  compiler::registerModelDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = compiler::importOnnx(*model, options, &context);
  if (!module) return 1;
  progress->Begin("compiling");
  const compiler::GraphPassOptions passes{.exact = numerics == "exact",
                                          .widen = true,
                                          .pack = !no_pack,
                                          .quantize = !quantize.empty(),
                                          .keep_f32 = std::move(keep_f32),
                                          .weights = precision};
  mlir::ScopedDiagnosticHandler remarks(&context, [](mlir::Diagnostic& diagnostic) {
    if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Remark) return mlir::failure();
    llvm::errs() << "tfrt_import: " << diagnostic.str() << "\n";
    return mlir::success();
  });
  if (verify_passes) {
    if (mlir::failed(verifyPasses(*module, passes, verify))) return 1;
  } else if ((dump_graph || !output.empty()) &&
             mlir::failed(compiler::compileGraph(*module, passes))) {
    return 1;
  }
  if (output.empty()) progress.reset();
  if (dump_graph || (output.empty() && !verify_passes)) Print(*module);
  if (output.empty()) return 0;
  progress->Begin("writing");
  compiler::MlirToBefOptions file;
  file.consume_module = true;
  file.written = [&](std::span<const uint8_t> bytes) { model->bytes.Forget(bytes); };
  return mlir::succeeded(compiler::writeBefFile(*module, output, file)) ? 0 : 1;
}
