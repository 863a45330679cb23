#include "dialects/graph/graph_builder.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace tfrt::compiler::graph {
namespace {

// Returns the facts that are true of both. It has no elements, and no dtype if the dtypes differ.
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

// Returns the type of a stack of values of a type.
ValueType stackOf(ValueType type, Dim runs) {
  type.elements.reset();
  if (!type.shape.has_rank()) return type;
  std::vector<Dim> dims(type.shape.dims().begin(), type.shape.dims().end());
  dims.insert(dims.begin(), runs);
  type.shape = SymbolicShape(std::move(dims));
  return type;
}

// Values without an element type are tokens.
mlir::Type typeOfResult(const ValueType& type, mlir::MLIRContext* context) {
  return type.has_dtype() ? tensorType(type, context) : TokenType::get(context);
}

// Whether values of different element types met.
bool isMixed(const ValueType& joined, const ValueType& one) {
  return one.has_dtype() && !joined.has_dtype();
}

}  // namespace

mlir::Operation* GraphBuilder::create(llvm::StringRef name, llvm::ArrayRef<mlir::Value> arguments,
                                      llvm::ArrayRef<mlir::NamedAttribute> attributes,
                                      mlir::Value token) {
  llvm::SmallVector<const ValueType*> known;
  llvm::SmallVector<ValueType> copies;  // the map may move what it has
  copies.reserve(arguments.size());
  for (mlir::Value argument : arguments) {
    copies.push_back(argument ? typeOf(argument) : ValueType());
    known.push_back(argument ? &copies.back() : nullptr);
  }
  llvm::SmallVector<ValueType> results;
  mlir::Operation* op =
      createTableOp(builder_, location_, name, arguments, known, attributes, results, token);
  if (!op) return nullptr;
  for (auto [index, type] : llvm::enumerate(results)) {
    setType(op->getResult(static_cast<unsigned>(index)), std::move(type));
  }
  return op;
}

mlir::Operation* GraphBuilder::create(mlir::OperationState& state,
                                      llvm::ArrayRef<ValueType> results) {
  for (const ValueType& type : results) state.addTypes(typeOfResult(type, context()));
  mlir::Operation* op = builder_.create(state);
  for (auto [value, type] : llvm::zip(op->getResults(), results)) setType(value, type);
  return op;
}

// The builder is in the region while `fill` runs. Null after an error.
std::unique_ptr<mlir::Region> GraphBuilder::makeRegion(
    llvm::ArrayRef<ValueType> arguments, FillRegion fill,
    llvm::SmallVectorImpl<mlir::Value>& returned) {
  mlir::OpBuilder::InsertionGuard guard(builder_);
  const mlir::Location location = location_;
  auto region = std::make_unique<mlir::Region>();
  mlir::Block* block = builder_.createBlock(region.get());
  for (const ValueType& type : arguments) {
    setType(block->addArgument(typeOfResult(type, context()), location), type);
  }
  const llvm::SmallVector<mlir::Value> own(block->getArguments());
  const bool is_filled = mlir::succeeded(fill(own, returned));
  setLocation(location);
  if (!is_filled) return nullptr;
  ReturnOp::create(builder_, location, returned);
  return region;
}

mlir::Operation* GraphBuilder::createIf(mlir::Value condition, FillRegion then_region,
                                        FillRegion else_region, Report mismatch) {
  mlir::OperationState state(location_, IfOp::getOperationName());
  state.addOperands(condition);
  llvm::SmallVector<ValueType> types;
  for (FillRegion fill : {then_region, else_region}) {
    llvm::SmallVector<mlir::Value> returned;
    auto region = makeRegion({}, fill, returned);
    if (!region) return nullptr;
    state.addRegion(std::move(region));
    for (auto [i, value] : llvm::enumerate(returned)) {
      const ValueType type = typeOf(value);
      if (types.size() == i) types.push_back(type);
      types[i] = join(types[i], type);
      if (!isMixed(types[i], type)) continue;
      (void)mismatch();
      return nullptr;
    }
  }
  return create(state, types);
}

mlir::Operation* GraphBuilder::createLoop(mlir::Value count, mlir::Value condition,
                                          llvm::ArrayRef<mlir::Value> initial, FillRegion body,
                                          Report mismatch) {
  llvm::SmallVector<ValueType> types = {{DType::kI64, SymbolicShape({})},
                                        {DType::kI1, SymbolicShape({})}};
  for (mlir::Value value : initial) {
    types.push_back(typeOf(value));
    types.back().elements.reset();
  }
  std::unique_ptr<mlir::Region> region;
  llvm::SmallVector<mlir::Value> returned;
  for (bool changed = true; changed;) {
    changed = false;
    if (region) forget(*region);
    returned.clear();
    region = makeRegion(types, body, returned);
    if (!region) return nullptr;
    for (size_t i = 0; i < initial.size(); ++i) {
      ValueType& type = types[2 + i];
      ValueType wider = join(type, typeOf(returned[1 + i]));
      if (isMixed(wider, type)) {
        (void)mismatch();
        return nullptr;
      }
      changed |= wider != type;
      type = std::move(wider);
    }
  }
  auto is_true = [&](mlir::Value value) {
    auto known = elementsOf(value);
    return known && known->size() == 1 && known->front() != 0;
  };
  const bool stays_true = is_true(returned[0]) || returned[0] == region->getArgument(1);
  Dim runs;
  if (count && stays_true && (!condition || is_true(condition))) {
    if (auto known = elementsOf(count); known && known->size() == 1) {
      runs = std::max<int64_t>(known->front(), 0);
    }
  }
  llvm::SmallVector<ValueType> results(types.begin() + 2, types.end());
  for (mlir::Value stacked : llvm::ArrayRef(returned).drop_front(1 + initial.size())) {
    results.push_back(stackOf(typeOf(stacked), runs));
  }
  mlir::OperationState state(location_, LoopOp::getOperationName());
  if (count) state.addOperands(count);
  if (condition) state.addOperands(condition);
  state.addOperands(initial);
  state.addAttribute(LoopOp::getOperandSegmentSizeAttr(),
                     builder_.getDenseI32ArrayAttr(
                         {count ? 1 : 0, condition ? 1 : 0, static_cast<int32_t>(initial.size())}));
  state.addRegion(std::move(region));
  return create(state, results);
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

mlir::TypedAttr constantOf(mlir::RankedTensorType type, std::span<const uint8_t> bytes,
                           llvm::StringRef name, std::shared_ptr<const void> owner) {
  // Attributes are kept for ever and compared by their bytes: only what a person reads, and what
  // shapes are computed from.
  constexpr size_t kMaxInlineBytes = 1024;
  if (bytes.size() > kMaxInlineBytes) {
    mlir::AsmResourceBlob blob(
        llvm::ArrayRef<char>(reinterpret_cast<const char*>(bytes.data()), bytes.size()),
        /*dataAlignment=*/1, [owner = std::move(owner)](void*, size_t, size_t) {},
        /*dataIsMutable=*/false);
    return mlir::DenseResourceElementsAttr::get(type, name, std::move(blob));
  }
  if (type.getElementType().isInteger(1)) {
    llvm::SmallVector<bool> values;
    for (uint8_t byte : bytes) values.push_back(byte != 0);
    return mlir::DenseElementsAttr::get(type, llvm::ArrayRef<bool>(values));
  }
  // Views need not be aligned.
  llvm::SmallVector<char> copy(bytes.begin(), bytes.end());
  return mlir::DenseElementsAttr::getFromRawBuffer(type, copy);
}

}  // namespace tfrt::compiler::graph
