#include "verify_passes.h"

#include <cstdio>
#include <utility>
#include <vector>

#include "lib/compiler/passes/graph/pipeline.h"
#include "lib/compiler/passes/register_passes.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tfrt/compiler/mlir_to_bef.h"

namespace tfrt {
namespace {

class Verification {
 public:
  Verification(mlir::ModuleOp module, const VerifyPassesOptions& options)
      : options_(options), main_(module.lookupSymbol<mlir::func::FuncOp>("main")) {
    collectNames();
  }
  ~Verification() {
    if (!folder_.empty() && !keep_) (void)llvm::sys::fs::remove_directories(folder_);
  }

  // Runs the module as it is behind a pass, or, the first time, before all.
  mlir::LogicalResult look(llvm::StringRef pass, mlir::ModuleOp module) {
    if (folder_.empty()) {
      if (std::error_code error =
              llvm::sys::fs::createUniqueDirectory("tfrt_verify_passes", folder_)) {
        return fail("cannot make a folder for models: " + error.message());
      }
    }
    const std::string before = std::exchange(model_, path(number_, pass) + ".bef");
    mlir::OwningOpRef<mlir::ModuleOp> copy = module.clone();
    compiler::registerGraphPasses();
    if (mlir::failed(compiler::runPassPipeline(*copy, "builtin.module(lower-graph)")) ||
        mlir::failed(compiler::writeBefFile(*copy, model_, {.consume_module = true}))) {
      return fail(("behind the pass " + pass + " the model does not compile").str());
    }
    int exit_code = 0;
    std::string output = run(&exit_code);
    if (exit_code != 0 && number_ == 0) {
      return fail("the model does not run on random inputs (sizes: --dim): " + output);
    }
    if (exit_code != 0) {
      keep_ = true;
      return fail("the pass " + pass.str() + " changes what the model computes: " + output +
                  "; before it: " + before + ", behind it: " + model_);
    }
    if (number_ > 0) {
      std::printf("%-20s as before\n", pass.str().c_str());
      std::fflush(stdout);  // in order with errors
      (void)llvm::sys::fs::remove(before);
    }
    ++number_;
    return mlir::success();
  }

 private:
  // The results to compare, and the symbols of the inputs' sizes.
  void collectNames() {
    llvm::StringSet<> seen;
    for (unsigned i = 0; i < main_.getNumResults(); ++i) {
      auto name = main_.getResultAttrOfType<mlir::StringAttr>(i, "graph.name");
      if (!name || name.empty() || !seen.insert(name).second) continue;
      results_.push_back(name.str());
    }
    seen.clear();
    for (unsigned i = 0; i < main_.getNumArguments(); ++i) {
      auto dims = main_.getArgAttrOfType<mlir::ArrayAttr>(i, "graph.dims");
      if (!dims) continue;
      for (auto dim : dims.getAsRange<mlir::StringAttr>()) {
        if (!dim.empty() && seen.insert(dim).second) symbols_.push_back(dim.str());
      }
    }
  }

  std::string path(int number, llvm::StringRef name) const {
    llvm::SmallString<128> path(folder_);
    llvm::sys::path::append(path, std::to_string(number) + "." + name);
    return path.str().str();
  }

  // Runs the model: the results are expected to be those of the last time, and are kept for the
  // next. Returns the output in one line.
  std::string run(int* exit_code) {
    std::vector<std::string> arguments = {options_.runner, model_, "--random"};
    for (const std::string& symbol : symbols_) {
      arguments.insert(arguments.end(), {"--dim", symbol + "=" + std::to_string(options_.size)});
    }
    const std::string tolerance = std::to_string(options_.tolerance);
    arguments.insert(arguments.end(), {"--atol", tolerance, "--rtol", tolerance});
    for (size_t i = 0; i < results_.size(); ++i) {
      const std::string file = results_[i] + "=" + path(static_cast<int>(i), "result");
      if (number_ > 0) arguments.insert(arguments.end(), {"--expect", file + odd(1)});
      arguments.insert(arguments.end(), {"--output", file + odd(0)});
    }
    llvm::SmallVector<llvm::StringRef> views(arguments.begin(), arguments.end());
    const std::string log = path(number_, "log");
    std::string error;
    *exit_code = llvm::sys::ExecuteAndWait(options_.runner, views, /*Env=*/std::nullopt,
                                           {llvm::StringRef(""), log, log}, /*SecondsToWait=*/0,
                                           /*MemoryLimit=*/0, &error);
    if (!error.empty()) return "cannot start '" + options_.runner + "': " + error;
    return wrongLines(log);
  }

  // Files of this run and of the last one.
  const char* odd(int back) const { return (number_ + back) % 2 == 0 ? ".a.npy" : ".b.npy"; }

  static std::string wrongLines(const std::string& log) {
    auto file = llvm::MemoryBuffer::getFile(log);
    if (!file) return "";
    std::string text;
    llvm::SmallVector<llvm::StringRef> lines;
    (*file)->getBuffer().split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (llvm::StringRef line : lines) {
      if (line.ends_with(" as expected")) continue;
      text += (text.empty() ? "" : "; ") + line.str();
    }
    return text;
  }

  static mlir::LogicalResult fail(const std::string& message) {
    llvm::errs() << "tfrt_import: " << message << "\n";
    return mlir::failure();
  }

  const VerifyPassesOptions& options_;
  mlir::func::FuncOp main_;
  std::vector<std::string> results_, symbols_;
  llvm::SmallString<128> folder_;
  std::string model_;  // the file of the last look
  int number_ = 0;     // of looks
  bool keep_ = false;
};

}  // namespace

mlir::LogicalResult verifyPasses(mlir::ModuleOp module, const compiler::GraphPassOptions& passes,
                                 const VerifyPassesOptions& options) {
  Verification verification(module, options);
  if (mlir::failed(verification.look("import", module))) return mlir::failure();
  return compiler::compileGraph(module, passes, [&](llvm::StringRef pass, mlir::ModuleOp behind) {
    return verification.look(pass, behind);
  });
}

}  // namespace tfrt
