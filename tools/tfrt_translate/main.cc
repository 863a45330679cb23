// tfrt_translate: the MLIR translation driver with mlir-to-bef and bef-to-mlir.

#include <cstddef>
#include <string>

#include "lib/compiler/translation/child_process.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"
#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "tfrt/compiler/translate.h"

namespace {

using Arguments = llvm::SmallVector<const char*>;

// The place of the output's name, which is made an argument of its own; 0 if there is none.
size_t findOutput(Arguments& arguments) {
  for (size_t i = 1; i < arguments.size(); ++i) {
    llvm::StringRef argument = arguments[i];
    if (argument == "--") break;
    if (!argument.consume_front("--") && !argument.consume_front("-")) continue;
    if (argument.consume_front("o=")) {
      arguments[i] = "-o";
      arguments.insert(arguments.begin() + i + 1, argument.data());
      return i + 1;
    }
    if (argument == "o" && i + 1 < arguments.size()) return i + 1;
  }
  return 0;
}

int translate(Arguments arguments) {
  tfrt::compiler::registerTfrtTranslations();
  const int count = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  return mlir::failed(mlir::mlirTranslateMain(count, const_cast<char**>(arguments.data()),
                                              "TFRT translation driver"));
}

}  // namespace

int main(int argc, char** argv) {
  constexpr llvm::StringRef kTool = "tfrt_translate";
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  Arguments arguments = {argv[0]};
  if (!llvm::cl::expandResponseFiles(argc, argv, /*EnvVar=*/nullptr, saver, arguments)) return 1;
  // MLIR's main empties the output before it looks at the input, and removes it after an error.
  // So it is told to write another file.
  const size_t place = findOutput(arguments);
  const std::string output = place == 0 ? "-" : arguments[place];
  for (size_t i = 1; i < arguments.size(); ++i) {
    if (i != place && tfrt::compiler::checkIsNotInput(kTool, output, arguments[i])) return 1;
  }
  return tfrt::compiler::runInChild(kTool, output, [&](const std::string& file) {
    if (place != 0) arguments[place] = file.c_str();
    return translate(arguments);
  });
}
