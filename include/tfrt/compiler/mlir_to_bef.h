// Converts MLIR to BEF.
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
  bool optional_sections = true;  // needed by BEF -> MLIR
  bool v0_exact = false;          // nothing beyond version 0 of the format
  // The module is not needed any more: each function loses its body after its conversion. So a
  // large program is not held twice.
  bool consume_module = false;
  // For writeBefFile: called with bytes that have been written to the file, including pieces of
  // resources, each once and in order. An owner of mapped resources may then free their memory.
  std::function<void(std::span<const uint8_t> bytes)> written = {};
  // Log the maximal cost that stream analysis finds in each function and region.
  bool log_streams = false;
};

// Compiles a module. Attributes that are resources (dense_resource) become the file's weights. Its
// signatures (docs/reference/bef_format.md) come from the names in `graph.name` attributes of a
// function's arguments and results. The module's `graph.metadata` and `graph.producer` are part of
// them. Errors are diagnostics at their ops; the conversion continues after the first.
mlir::FailureOr<std::vector<uint8_t>> convertMlirToBef(mlir::ModuleOp module,
                                                       const MlirToBefOptions& options = {});

// As above, to a file, which appears only when it is complete. Weights are written directly from
// their place, so that memory needs no copy of them.
llvm::LogicalResult writeBefFile(mlir::ModuleOp module, llvm::StringRef path,
                                 const MlirToBefOptions& options = {});

}  // namespace tfrt::compiler

#endif  // TFRT_COMPILER_MLIR_TO_BEF_H_
