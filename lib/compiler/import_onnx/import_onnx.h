// Converts an ONNX model to an op graph.
#ifndef TFRT_LIB_COMPILER_IMPORT_ONNX_IMPORT_ONNX_H_
#define TFRT_LIB_COMPILER_IMPORT_ONNX_IMPORT_ONNX_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lib/compiler/onnx/model.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tfrt::compiler {

struct OnnxImportOptions {
  // Sizes for symbols of the model's inputs.
  llvm::StringMap<int64_t> dims;
  // Whether external data may be the targets of links in a cache of downloads
  // (lib/compiler/onnx/elements.h).
  bool follow_cache_links = false;
};

// Returns the model as a function @main of the graph dialect, with the names of its inputs and
// outputs. Returns null after an error, which is a diagnostic at the node's location. One error
// lists all ops that are not supported. Elements of weights stay in the model's file and the files
// beside it. The module's resources view them, so `model` must live as long as the module. Needs
// the dialects of registerModelDialects.
mlir::OwningOpRef<mlir::ModuleOp> importOnnx(const onnx::Model& model,
                                             const OnnxImportOptions& options,
                                             mlir::MLIRContext* context);

// The importer's support for an op.
struct OnnxOpSupport {
  llvm::StringRef domain;  // empty: ONNX's own
  llvm::StringRef name;
  int first_version;  // the first opset, and the last
  int last_version;
  llvm::StringRef limits;  // the unsupported parts; empty if all is supported
};
// Returns the ops, ordered by domain and name.
std::vector<OnnxOpSupport> supportedOnnxOps();

// The uses of an op in a model.
struct OnnxOpUse {
  std::string domain;   // empty: ONNX's own
  std::string name;     // with the overload, if the node has one: "F:overload"
  int64_t version = 0;  // of the opset
  bool is_supported = false;
  std::vector<std::string> nodes;  // their names, or "unnamed node making 'y'"
};
// Returns the ops of the model, ordered by domain and name.
std::vector<OnnxOpUse> listOnnxOps(const onnx::Model& model);

}  // namespace tfrt::compiler

#endif  // TFRT_LIB_COMPILER_IMPORT_ONNX_IMPORT_ONNX_H_
