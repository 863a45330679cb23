// MLIR -> BEF.
#ifndef TFRT_COMPILER_MLIR_TO_BEF_H_
#define TFRT_COMPILER_MLIR_TO_BEF_H_

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "mlir/Support/LLVM.h"

namespace mlir {
class ModuleOp;
}  // namespace mlir

namespace tfrt::compiler {

struct MlirToBefOptions {
  bool optional_sections = true;  // what BEF -> MLIR needs
  bool v0_exact = false;          // nothing beyond version 0 of the format
  // The module is not needed any more: each function loses its body when it has been converted, so
  // that a large program is not held twice.
  bool consume_module = false;
  // Of writeBefFile: called with bytes that are in the file, pieces of resources among them, each
  // once and in order. Who has mapped resources may give back their memory.
  std::function<void(std::span<const uint8_t> bytes)> written = {};
  // Log the maximal cost that stream analysis finds in each function and region.
  bool log_streams = false;
};

// Compiles a module. Attributes that are resources (dense_resource) become the file's weights; the
// names in `graph.name` attributes of a function's arguments and results, and the module's
// `graph.metadata` and `graph.producer`, its signatures (docs/bef_format.md). Errors are
// diagnostics at the ops they belong to; the walk goes on after the first.
mlir::FailureOr<std::vector<uint8_t>> convertMlirToBef(mlir::ModuleOp module,
                                                       const MlirToBefOptions& options = {});

// The same to a file, which appears when it is whole. Weights go from where they are to the file,
// so that memory needs no copy of them.
llvm::LogicalResult writeBefFile(mlir::ModuleOp module, llvm::StringRef path,
                                 const MlirToBefOptions& options = {});

}  // namespace tfrt::compiler

#endif  // TFRT_COMPILER_MLIR_TO_BEF_H_
