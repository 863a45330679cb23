// Common parts of the tools that read MLIR: an output is there whole or not at all, and a crash
// within MLIR is an error in words.
#ifndef TFRT_COMPILER_DRIVER_H_
#define TFRT_COMPILER_DRIVER_H_

#include <string>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace tfrt::compiler {

// Runs `work` in a child process and returns its exit code. `work` gets the path of a file to
// write. If it succeeds, what it wrote there replaces the file `output` (WriteFile); otherwise, or
// if it wrote nothing, that stays. "-" is standard output, which `work` writes itself.
// Text and bytecode are hostile input, and MLIR's parsers have bugs: if the child crashes, this
// prints "TOOL: error: ..." and returns 1. Other signals end this process as well.
// Called from main, while the process has one thread.
int runDriver(llvm::StringRef tool, const std::string& output,
              llvm::function_ref<int(const std::string& file)> work);

// 0, or 1 if `output` is the file `input`; then it says so.
int checkIsNotInput(llvm::StringRef tool, const std::string& output, const std::string& input);

}  // namespace tfrt::compiler

#endif  // TFRT_COMPILER_DRIVER_H_
