#include "model_signature.h"

#include "attribute_conversion.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tfrt::compiler {
namespace {

constexpr llvm::StringLiteral kName = "graph.name", kDims = "graph.dims";
constexpr llvm::StringLiteral kProducer = "graph.producer", kMetadata = "graph.metadata";

llvm::LogicalResult readValue(mlir::func::FuncOp function, mlir::Type type,
                              mlir::DictionaryAttr attributes, bef::SignatureValue* value) {
  auto name = attributes ? attributes.getAs<mlir::StringAttr>(kName) : mlir::StringAttr();
  value->name = name ? name.str() : "";
  auto tensor = mlir::dyn_cast<mlir::TensorType>(type);
  auto dtype = DType::kUnsupported;
  if (tensor) dtype = static_cast<DType>(toTypeCode(tensor.getElementType()));
  if (dtype == DType::kUnsupported) {
    return function.emitError() << "'" << value->name << "' has a " << kName
                                << ", but no type of tensors: " << type;
  }
  value->dtype = dtype;
  if (!tensor.hasRank()) return mlir::success();
  auto symbols = attributes ? attributes.getAs<mlir::ArrayAttr>(kDims) : mlir::ArrayAttr();
  if (symbols && symbols.size() != tensor.getShape().size()) {
    return function.emitError() << "'" << value->name << "' has " << symbols.size()
                                << " names of sizes, but rank " << tensor.getShape().size();
  }
  value->dims.emplace();
  for (auto [index, size] : llvm::enumerate(tensor.getShape())) {
    bef::SignatureDim dim;
    if (!mlir::ShapedType::isDynamic(size)) {
      dim.size = size;
    } else if (symbols) {
      auto symbol = mlir::dyn_cast<mlir::StringAttr>(symbols[index]);
      if (symbol) dim.symbol = symbol.str();
    }
    value->dims->push_back(std::move(dim));
  }
  return mlir::success();
}

}  // namespace

bool addModelAttribute(mlir::NamedAttribute attribute, bef::BefBuilder* builder) {
  if (attribute.getName() == kProducer) {
    auto producer = mlir::dyn_cast<mlir::StringAttr>(attribute.getValue());
    if (producer) builder->set_producer(producer.str());
    return static_cast<bool>(producer);
  }
  auto metadata = mlir::dyn_cast<mlir::DictionaryAttr>(attribute.getValue());
  if (attribute.getName() != kMetadata || !metadata) return false;
  auto is_text = [](mlir::NamedAttribute entry) {
    return mlir::isa<mlir::StringAttr>(entry.getValue());
  };
  if (metadata.empty() || !llvm::all_of(metadata, is_text)) return false;
  for (mlir::NamedAttribute entry : metadata) {
    builder->AddMetadata(entry.getName().str(),
                         mlir::cast<mlir::StringAttr>(entry.getValue()).str());
  }
  return true;
}

llvm::LogicalResult readSignature(mlir::func::FuncOp function,
                                  std::optional<bef::FunctionSignature>* signature) {
  unsigned inputs = 0;
  bool has_results = false;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    if (!function.getArgAttr(i, kName)) continue;
    if (i != inputs) {
      return function.emitError() << "argument " << i << " has a " << kName << ", but argument "
                                  << inputs << " has none";
    }
    ++inputs;
  }
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    has_results |= static_cast<bool>(function.getResultAttr(i, kName));
  }
  if (inputs == 0 && !has_results) return mlir::success();
  bef::FunctionSignature& made = signature->emplace();
  for (unsigned i = 0; i < inputs; ++i) {
    if (mlir::failed(readValue(function, function.getArgumentTypes()[i], function.getArgAttrDict(i),
                               &made.inputs.emplace_back()))) {
      return mlir::failure();
    }
  }
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    if (mlir::failed(readValue(function, function.getResultTypes()[i],
                               function.getResultAttrDict(i), &made.results.emplace_back()))) {
      return mlir::failure();
    }
  }
  return mlir::success();
}

void setModelAttributes(const bef::Signatures& signatures, mlir::ModuleOp module) {
  mlir::Builder builder(module.getContext());
  if (!signatures.producer.empty()) {
    module->setAttr(kProducer, builder.getStringAttr(signatures.producer));
  }
  llvm::SmallVector<mlir::NamedAttribute> metadata;
  for (const auto& [key, value] : signatures.metadata) {
    // MLIR has no attributes without names.
    if (key.empty()) continue;
    metadata.push_back(builder.getNamedAttr(llvm::StringRef(key), builder.getStringAttr(value)));
  }
  if (!metadata.empty()) module->setAttr(kMetadata, builder.getDictionaryAttr(metadata));
}

}  // namespace tfrt::compiler
