// tfrt_import: an ONNX model as an op graph.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <vector>

#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/MLIRContext.h"
#include "tfrt/compiler/dialects.h"
#include "tfrt/compiler/import_onnx.h"
#include "tfrt/onnx/model.h"

namespace {

using namespace tfrt;

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

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("tfrt_import: reads an ONNX model and prints it as an op graph.");
  std::string path;
  bool check = false;
  std::vector<std::string> dims;
  app.add_option("model", path, "the file")->required();
  app.add_flag("--check", check, "print the model's ops, and whether they are supported");
  app.add_option("--dim", dims, "NAME=SIZE: the size that a symbol of the inputs stands for");
  CLI11_PARSE(app, argc, argv);

  compiler::OnnxImportOptions options;
  for (const std::string& dim : dims) {
    size_t equals = dim.find('=');
    int64_t size = 0;
    if (equals == std::string::npos ||
        llvm::StringRef(dim).drop_front(equals + 1).getAsInteger(10, size) || size < 0) {
      llvm::errs() << "tfrt_import: --dim is '" << dim << "', expected NAME=SIZE\n";
      return 1;
    }
    options.dims[llvm::StringRef(dim).take_front(equals)] = size;
  }
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
  compiler::registerAllTfrtDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = compiler::importOnnx(*model, options, &context);
  if (!module) return 1;
  mlir::OpPrintingFlags flags;
  flags.elideLargeResourceString(64);
  module->print(llvm::outs(), flags);
  llvm::outs() << "\n";
  return 0;
}
