// Imports a model's inputs and outputs, and its metadata.
#ifndef TFRT_LIB_COMPILER_IMPORT_ONNX_SIGNATURE_H_
#define TFRT_LIB_COMPILER_IMPORT_ONNX_SIGNATURE_H_

#include <vector>

#include "dialects/graph/graph_builder.h"
#include "import_onnx.h"
#include "lib/compiler/onnx/model.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace tfrt::compiler::import {

// An input of the model that is no initialiser. Old files list those among the inputs.
struct Input {
  const onnx::ValueInfo* info;
  ValueType type;                   // with symbols for sizes that have names
  mlir::DictionaryAttr attributes;  // graph.name and graph.dims
};

// Sizes are as the file says: known, a name, or nothing; options.dims says what names stand for.
// Empty after an error, which is a diagnostic.
std::optional<std::vector<Input>> readInputs(const onnx::Model& model,
                                             const OnnxImportOptions& options,
                                             graph::GraphBuilder& graph);

// Names the results of @main, which returns the values, and their sizes.
void nameResults(mlir::func::FuncOp function, llvm::ArrayRef<onnx::ValueInfo> outputs,
                 llvm::ArrayRef<mlir::Value> values, graph::GraphBuilder& graph);

// Sets the producer of the model, and its metadata. If a key has two texts the first counts.
void setModelAttributes(mlir::ModuleOp module, const onnx::Model& model);

}  // namespace tfrt::compiler::import

#endif  // TFRT_LIB_COMPILER_IMPORT_ONNX_SIGNATURE_H_
