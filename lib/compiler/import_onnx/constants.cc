#include "constants.h"

#include "dialects/graph/graph_builder.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"

namespace tfrt::compiler::import {
mlir::TypedAttr readConstant(const onnx::TensorData& tensor, onnx::ExternalFiles& files,
                             mlir::Location location, mlir::MLIRContext* context) {
  StatusOr<onnx::Elements> elements = onnx::ReadElements(tensor, files);
  if (!elements.ok()) {
    std::string_view message = elements.status().message();
    mlir::emitError(location) << llvm::StringRef(message.data(), message.size());
    return {};
  }
  SymbolicShape shape(std::vector<Dim>(tensor.dims.begin(), tensor.dims.end()));
  if (std::string why = graph::whyTooLarge(shape); !why.empty()) {
    mlir::emitError(location) << "tensor '"
                              << llvm::StringRef(tensor.name.data(), tensor.name.size()) << "' "
                              << why;
    return {};
  }
  auto type =
      mlir::RankedTensorType::get(tensor.dims, elementType(onnx::DTypeOf(tensor.type), context));
  llvm::StringRef name(tensor.name.data(), tensor.name.size());
  return graph::constantOf(type, elements->bytes, name.empty() ? "constant" : name,
                           elements->owner);
}

}  // namespace tfrt::compiler::import
