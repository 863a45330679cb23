// Common parts of the tools that read MLIR. An output is written completely or not at all, and a
// crash within MLIR is reported as an error.
#ifndef TFRT_LIB_COMPILER_TRANSLATION_CHILD_PROCESS_H_
#define TFRT_LIB_COMPILER_TRANSLATION_CHILD_PROCESS_H_

#include <string>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace tfrt::compiler {

// Runs `work` in a child process and returns its exit code. `work` receives the path of a file to
// write. On success that file replaces the file `output` (WriteFile). Otherwise, or if nothing was
// written, `output` stays. "-" is standard output, which `work` writes itself.
//
// Text and bytecode are hostile input, and MLIR's parsers have bugs. If the child crashes, this
// prints "TOOL: error: ..." and returns 1. Other signals end this process as well. Must be called
// from main, while the process has one thread.
int runInChild(llvm::StringRef tool, const std::string& output,
               llvm::function_ref<int(const std::string& file)> work);

// Returns 0, or 1 with a message if `output` is the file `input`.
int checkIsNotInput(llvm::StringRef tool, const std::string& output, const std::string& input);

}  // namespace tfrt::compiler

#endif  // TFRT_LIB_COMPILER_TRANSLATION_CHILD_PROCESS_H_
