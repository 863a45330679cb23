// ONNX model -> op graph.
#ifndef TFRT_COMPILER_IMPORT_ONNX_H_
#define TFRT_COMPILER_IMPORT_ONNX_H_

#include <cstdint>
#include <string>
#include <vector>

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "tfrt/onnx/model.h"

namespace tfrt::compiler {

struct OnnxImportOptions {
  // Sizes for symbols that the model's inputs have.
  llvm::StringMap<int64_t> dims;
  // Whether external data may lie where links lead to in a cache of downloads (onnx/elements.h).
  bool follow_cache_links = false;
};

// The model as a function @main of the graph dialect, with the names of its inputs and outputs.
// Null after an error, which is a diagnostic at the node's location; one error lists all ops that
// are not supported. Elements of weights stay in the model's file and the files beside it, which
// the module's resources view: `model` must live as long as the module. Needs the dialects of
// registerModelDialects.
mlir::OwningOpRef<mlir::ModuleOp> importOnnx(const onnx::Model& model,
                                             const OnnxImportOptions& options,
                                             mlir::MLIRContext* context);

// An op of ONNX's own domain as the importer knows it.
struct OnnxOpSupport {
  llvm::StringRef name;
  int first_version;  // the first opset, and the last
  int last_version;
  llvm::StringRef limits;  // what of it is not supported; empty for all
};
// In the order of names.
std::vector<OnnxOpSupport> supportedOnnxOps();

// What a model has of an op.
struct OnnxOpUse {
  std::string domain;   // empty: that of ONNX itself
  std::string name;     // with the overload, if the node has one: "F:overload"
  int64_t version = 0;  // of the opset
  bool is_supported = false;
  std::vector<std::string> nodes;  // their names, or "unnamed node making 'y'"
};
// Of the model, in the order of domain and name.
std::vector<OnnxOpUse> listOnnxOps(const onnx::Model& model);

}  // namespace tfrt::compiler

#endif  // TFRT_COMPILER_IMPORT_ONNX_H_
