#include "dialects/graph/graph_builder.h"

#include <optional>
#include <utility>
#include <vector>

namespace tfrt::compiler::graph {

mlir::Operation* GraphBuilder::create(llvm::StringRef name, llvm::ArrayRef<mlir::Value> arguments,
                                      llvm::ArrayRef<mlir::NamedAttribute> attributes) {
  llvm::SmallVector<const ValueType*> known;
  llvm::SmallVector<ValueType> copies;  // the map may move what it has
  copies.reserve(arguments.size());
  for (mlir::Value argument : arguments) {
    copies.push_back(argument ? typeOf(argument) : ValueType());
    known.push_back(argument ? &copies.back() : nullptr);
  }
  llvm::SmallVector<ValueType> results;
  mlir::Operation* op =
      createTableOp(builder_, location_, name, arguments, known, attributes, results);
  if (!op) return nullptr;
  for (auto [index, type] : llvm::enumerate(results)) {
    setType(op->getResult(static_cast<unsigned>(index)), std::move(type));
  }
  return op;
}

mlir::Value GraphBuilder::constant(mlir::TypedAttr value) {
  return ConstantOp::create(builder_, location_, value.getType(), value);
}

mlir::Value GraphBuilder::integers(llvm::ArrayRef<int64_t> values) {
  auto type =
      mlir::RankedTensorType::get({static_cast<int64_t>(values.size())}, builder_.getI64Type());
  return constant(mlir::DenseElementsAttr::get(type, values));
}

mlir::Value GraphBuilder::integer(int64_t value) {
  auto type = mlir::RankedTensorType::get({}, builder_.getI64Type());
  return constant(mlir::DenseElementsAttr::get(type, value));
}

mlir::Value GraphBuilder::number(mlir::Type element, double value) {
  auto type = mlir::RankedTensorType::get({}, element);
  if (mlir::isa<mlir::FloatType>(element)) {
    return constant(mlir::DenseElementsAttr::get(
        type, mlir::cast<mlir::Attribute>(builder_.getFloatAttr(element, value))));
  }
  return constant(mlir::DenseElementsAttr::get(
      type,
      mlir::cast<mlir::Attribute>(mlir::IntegerAttr::get(element, static_cast<int64_t>(value)))));
}

mlir::NamedAttribute GraphBuilder::attribute(llvm::StringRef name, bool value) {
  return builder_.getNamedAttr(name, builder_.getBoolAttr(value));
}
mlir::NamedAttribute GraphBuilder::attribute(llvm::StringRef name, int64_t value) {
  return builder_.getNamedAttr(name, builder_.getI64IntegerAttr(value));
}
mlir::NamedAttribute GraphBuilder::attribute(llvm::StringRef name, float value) {
  return builder_.getNamedAttr(name, builder_.getF32FloatAttr(value));
}
mlir::NamedAttribute GraphBuilder::attribute(llvm::StringRef name, llvm::StringRef value) {
  return builder_.getNamedAttr(name, builder_.getStringAttr(value));
}
mlir::NamedAttribute GraphBuilder::attribute(llvm::StringRef name, llvm::ArrayRef<int64_t> values) {
  return builder_.getNamedAttr(name, builder_.getDenseI64ArrayAttr(values));
}
mlir::NamedAttribute GraphBuilder::attribute(llvm::StringRef name, llvm::ArrayRef<float> values) {
  return builder_.getNamedAttr(name, builder_.getDenseF32ArrayAttr(values));
}
mlir::NamedAttribute GraphBuilder::attribute(llvm::StringRef name, mlir::Type value) {
  return builder_.getNamedAttr(name, mlir::TypeAttr::get(value));
}

ValueType GraphBuilder::typeOf(mlir::Value value) {
  auto [found, is_new] = types_.try_emplace(value);
  if (is_new) found->second = valueTypeOf(value);
  return found->second;
}

std::optional<std::vector<int64_t>> GraphBuilder::elementsOf(mlir::Value value) {
  const ValueType type = typeOf(value);
  if (!type.elements) return std::nullopt;
  std::vector<int64_t> numbers;
  for (Dim element : *type.elements) {
    if (!element.is_known()) return std::nullopt;
    numbers.push_back(element.value());
  }
  return numbers;
}

void GraphBuilder::forget(mlir::Region& region) {
  for (mlir::Block& block : region) {
    for (mlir::Value argument : block.getArguments()) types_.erase(argument);
    for (mlir::Operation& op : block) {
      for (mlir::Value result : op.getResults()) types_.erase(result);
      for (mlir::Region& inner : op.getRegions()) forget(inner);
    }
  }
}

Dim GraphBuilder::symbol(llvm::StringRef name) {
  auto [found, is_new] = symbols_.try_emplace(name, static_cast<uint32_t>(symbols_.size()));
  return Dim::Symbol(found->second);
}

llvm::StringRef GraphBuilder::nameOf(Dim size) const {
  if (!size.is_symbol()) return "";
  for (const auto& entry : symbols_) {
    if (entry.second == size.symbol()) return entry.first();
  }
  return "";
}

ValueType join(const ValueType& a, const ValueType& b) {
  ValueType both;
  if (a.dtype == b.dtype) both.dtype = a.dtype;
  if (!a.shape.has_rank() || !b.shape.has_rank() || a.shape.rank() != b.shape.rank()) return both;
  std::vector<Dim> dims;
  for (size_t i = 0; i < a.shape.rank(); ++i) {
    dims.push_back(a.shape.dim(i) == b.shape.dim(i) ? a.shape.dim(i) : Dim());
  }
  both.shape = SymbolicShape(std::move(dims));
  return both;
}

}  // namespace tfrt::compiler::graph
