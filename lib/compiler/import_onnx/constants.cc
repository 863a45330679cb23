#include "constants.h"

#include <utility>

#include "dialects/graph/table_ops.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace tfrt::compiler::import {
namespace {

// Attributes are kept for ever and compared by their bytes: only what a person reads, and what
// shapes are computed from.
constexpr size_t kMaxInlineBytes = 1024;

// Splats and few elements. Views of the file need not be aligned, so the bytes are copied.
mlir::DenseElementsAttr inlineElements(mlir::RankedTensorType type,
                                       std::span<const uint8_t> bytes) {
  if (type.getElementType().isInteger(1)) {
    llvm::SmallVector<bool> values;
    for (uint8_t byte : bytes) values.push_back(byte != 0);
    return mlir::DenseElementsAttr::get(type, llvm::ArrayRef<bool>(values));
  }
  llvm::SmallVector<char> copy(bytes.begin(), bytes.end());
  return mlir::DenseElementsAttr::getFromRawBuffer(type, copy);
}

}  // namespace

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
  auto type = mlir::RankedTensorType::get(tensor.dims,
                                          graph::elementType(onnx::DTypeOf(tensor.type), context));
  std::span<const uint8_t> bytes = elements->bytes;
  if (bytes.size() <= kMaxInlineBytes) return inlineElements(type, bytes);
  // The resource keeps what owns the bytes, if it is not the model.
  auto owner = elements->owner;
  mlir::AsmResourceBlob blob(
      llvm::ArrayRef<char>(reinterpret_cast<const char*>(bytes.data()), bytes.size()),
      /*dataAlignment=*/1, [owner](void*, size_t, size_t) {}, /*dataIsMutable=*/false);
  llvm::StringRef name(tensor.name.data(), tensor.name.size());
  return mlir::DenseResourceElementsAttr::get(type, name.empty() ? "constant" : name,
                                              std::move(blob));
}

}  // namespace tfrt::compiler::import
