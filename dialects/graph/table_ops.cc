#include "dialects/graph/table_ops.h"

#include <string>
#include <utility>
#include <vector>

#include "dialects/graph/graph_dialect.h"
#include "dialects/graph/table_op_verifier.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"

namespace tfrt::compiler::graph {
namespace {

std::string_view viewOf(llvm::StringRef text) { return {text.data(), text.size()}; }

std::optional<std::vector<Dim>> elementsOf(mlir::ElementsAttr elements) {
  auto integers = mlir::dyn_cast<mlir::DenseIntElementsAttr>(elements);
  if (!integers || integers.getNumElements() > static_cast<int64_t>(ValueType::kMaxElements)) {
    return std::nullopt;
  }
  mlir::Type type = integers.getElementType();
  const bool is_truth = type.isInteger(1);
  if (!is_truth && !type.isInteger(32) && !type.isInteger(64)) return std::nullopt;
  std::vector<Dim> values;
  for (const llvm::APInt& value : integers.getValues<llvm::APInt>()) {
    values.push_back(is_truth ? static_cast<int64_t>(value.getZExtValue()) : value.getSExtValue());
  }
  return values;
}

}  // namespace

ValueType valueTypeOf(mlir::Type tensor) {
  ValueType value;
  auto shaped = mlir::dyn_cast<mlir::TensorType>(tensor);
  if (!shaped) return value;
  value.dtype = dtypeOf(shaped.getElementType());
  if (!shaped.hasRank()) return value;
  std::vector<Dim> dims;
  for (int64_t size : shaped.getShape()) {
    dims.push_back(mlir::ShapedType::isDynamic(size) ? Dim() : Dim(size));
  }
  value.shape = SymbolicShape(std::move(dims));
  return value;
}

mlir::Type tensorType(const ValueType& value, mlir::MLIRContext* context) {
  mlir::Type element = elementType(value.dtype, context);
  if (!element) return {};
  if (!value.shape.has_rank()) return mlir::UnrankedTensorType::get(element);
  llvm::SmallVector<int64_t> sizes;
  for (Dim dim : value.shape.dims()) {
    sizes.push_back(dim.is_known() ? dim.value() : mlir::ShapedType::kDynamic);
  }
  return mlir::RankedTensorType::get(sizes, element);
}

std::string whyTooLarge(const SymbolicShape& shape) {
  constexpr size_t kMaxRank = 32;
  constexpr int64_t kMaxElements = int64_t{1} << 48;
  if (!shape.has_rank()) return "";
  if (shape.rank() > kMaxRank) {
    return "has " + std::to_string(shape.rank()) + " dimensions, more than " +
           std::to_string(kMaxRank);
  }
  // Empty tensors, too: parts of their sizes are multiplied.
  int64_t elements = 1;
  for (Dim dim : shape.dims()) {
    if (!dim.is_known() || dim.value() <= 1) continue;
    if (dim.value() > kMaxElements / elements) {
      return "has more than 2^48 elements: " + shape.ToString();
    }
    elements *= dim.value();
  }
  return "";
}

ValueType valueTypeOf(mlir::Value value) {
  ValueType type = valueTypeOf(value.getType());
  if (auto constant = value.getDefiningOp<ConstantOp>()) {
    type.elements = elementsOf(mlir::cast<mlir::ElementsAttr>(constant.getValue()));
  }
  return type;
}

std::optional<std::vector<int64_t>> knownElements(const ValueType& value) {
  if (!value.elements) return std::nullopt;
  std::vector<int64_t> numbers;
  for (Dim element : *value.elements) {
    if (!element.is_known()) return std::nullopt;
    numbers.push_back(element.value());
  }
  return numbers;
}

llvm::SmallVector<unsigned> segmentsOf(mlir::Operation* op, const OpDescription& row) {
  llvm::SmallVector<unsigned> segments;
  if (hasSegments(row)) {
    auto sizes = op->getAttrOfType<mlir::DenseI32ArrayAttr>(kSegmentSizes);
    for (int32_t size : sizes.asArrayRef().take_front(row.arguments.size())) {
      segments.push_back(static_cast<unsigned>(size));
    }
    return segments;
  }
  // At most one argument is not just one operand.
  const unsigned operands = op->getNumOperands() - (row.has_side_effects() ? 1 : 0);
  for (const OpArgumentSpec& argument : row.arguments) {
    bool is_one = argument.kind == OpArgumentSpec::Kind::kRequired;
    segments.push_back(is_one ? 1 : operands - (static_cast<unsigned>(row.arguments.size()) - 1));
  }
  return segments;
}

mlir::Value argumentOf(mlir::Operation* op, llvm::StringRef name) {
  const OpDescription* row = descriptionOf(op);
  assert(row && "made of the table");
  unsigned operand = 0;
  for (auto [argument, size] : llvm::zip_equal(row->arguments, segmentsOf(op, *row))) {
    if (llvm::StringRef(argument.name) == name)
      return size == 0 ? mlir::Value() : op->getOperand(operand);
    operand += size;
  }
  llvm_unreachable("an argument of the row");
}

llvm::SmallVector<mlir::Value> argumentsOf(mlir::Operation* op) {
  const OpDescription* row = descriptionOf(op);
  assert(row && "made of the table");
  llvm::SmallVector<mlir::Value> arguments;
  unsigned operand = 0;
  for (auto [index, count] : llvm::enumerate(segmentsOf(op, *row))) {
    if (count == 0 && row->arguments[index].kind == OpArgumentSpec::Kind::kOptional) {
      arguments.push_back({});
    }
    for (unsigned i = 0; i < count; ++i) arguments.push_back(op->getOperand(operand++));
  }
  while (!arguments.empty() && !arguments.back()) arguments.pop_back();
  return arguments;
}

std::optional<OpAttrValue> AttributeReader::Get(std::string_view name) const {
  mlir::Attribute found = attributes_.get(llvm::StringRef(name));
  if (!found) return std::nullopt;
  if (auto value = mlir::dyn_cast<mlir::BoolAttr>(found)) return value.getValue();
  if (auto value = mlir::dyn_cast<mlir::IntegerAttr>(found)) return value.getValue().getSExtValue();
  if (auto value = mlir::dyn_cast<mlir::FloatAttr>(found)) {
    return static_cast<float>(value.getValueAsDouble());
  }
  if (auto value = mlir::dyn_cast<mlir::StringAttr>(found)) return value.str();
  if (auto value = mlir::dyn_cast<mlir::TypeAttr>(found)) return dtypeOf(value.getValue());
  if (auto value = mlir::dyn_cast<mlir::DenseI64ArrayAttr>(found)) {
    return std::vector<int64_t>(value.asArrayRef().begin(), value.asArrayRef().end());
  }
  if (auto value = mlir::dyn_cast<mlir::DenseF32ArrayAttr>(found)) {
    return std::vector<float>(value.asArrayRef().begin(), value.asArrayRef().end());
  }
  if (auto value = mlir::dyn_cast<mlir::ArrayAttr>(found)) {
    std::vector<std::string> texts;
    for (mlir::Attribute text : value) {
      auto string = mlir::dyn_cast<mlir::StringAttr>(text);
      if (!string) return std::nullopt;
      texts.push_back(string.str());
    }
    return texts;
  }
  if (auto value = mlir::dyn_cast<mlir::ElementsAttr>(found)) {
    ValueType type = valueTypeOf(mlir::cast<mlir::TypedAttr>(found).getType());
    type.elements = elementsOf(value);
    return type;
  }
  return std::nullopt;
}

mlir::Attribute attributeOf(OpAttrSpec::Kind kind, const OpAttrValue& value,
                            mlir::MLIRContext* context) {
  mlir::Builder builder(context);
  if (auto* truth = std::get_if<bool>(&value)) return builder.getBoolAttr(*truth);
  if (auto* number = std::get_if<int64_t>(&value)) {
    return kind == OpAttrSpec::Kind::kI32 ? builder.getI32IntegerAttr(static_cast<int32_t>(*number))
                                          : builder.getI64IntegerAttr(*number);
  }
  if (auto* number = std::get_if<float>(&value)) return builder.getF32FloatAttr(*number);
  if (auto* text = std::get_if<std::string>(&value)) return builder.getStringAttr(*text);
  if (auto* dtype = std::get_if<DType>(&value)) {
    mlir::Type type = elementType(*dtype, context);
    return type ? mlir::TypeAttr::get(type) : mlir::Attribute();
  }
  if (auto* numbers = std::get_if<std::vector<int64_t>>(&value)) {
    // An empty list does not show its element type; the row does.
    if (numbers->empty() && kind == OpAttrSpec::Kind::kF32Array)
      return builder.getDenseF32ArrayAttr({});
    if (numbers->empty() && kind == OpAttrSpec::Kind::kStringArray) return builder.getArrayAttr({});
    return builder.getDenseI64ArrayAttr(*numbers);
  }
  if (auto* numbers = std::get_if<std::vector<float>>(&value)) {
    return builder.getDenseF32ArrayAttr(*numbers);
  }
  if (auto* texts = std::get_if<std::vector<std::string>>(&value)) {
    llvm::SmallVector<mlir::Attribute> strings;
    for (const std::string& text : *texts) strings.push_back(builder.getStringAttr(text));
    return builder.getArrayAttr(strings);
  }
  return {};
}

StatusOr<std::vector<ValueType>> inferResults(mlir::Operation* op,
                                              llvm::ArrayRef<const ValueType*> arguments) {
  const OpDescription* row = descriptionOf(op);
  AttributeReader attributes(op->getAttrDictionary());
  return InferResults(*row, arguments, attributes, row->results.size());
}

mlir::Operation* createTableOp(mlir::OpBuilder& builder, mlir::Location location,
                               llvm::StringRef name, llvm::ArrayRef<mlir::Value> arguments,
                               llvm::ArrayRef<const ValueType*> known,
                               llvm::ArrayRef<mlir::NamedAttribute> attributes,
                               llvm::SmallVectorImpl<ValueType>& results, mlir::Value token) {
  const OpDescription* row = FindOpDescription(viewOf(name));
  assert(row && row->has_side_effects() == static_cast<bool>(token) && "an op of the table");
  mlir::DictionaryAttr dictionary = builder.getDictionaryAttr(attributes);
  StatusOr<std::vector<ValueType>> inferred =
      InferResults(*row, known, AttributeReader(dictionary), row->results.size());
  if (!inferred.ok()) {
    mlir::emitError(location) << llvm::StringRef(inferred.status().message());
    return nullptr;
  }
  results.assign(inferred->begin(), inferred->end());
  mlir::OperationState state(location, ("graph." + name).str());
  llvm::SmallVector<int32_t> segments;
  size_t at = 0;
  for (const OpArgumentSpec& argument : row->arguments) {
    size_t count = 1;
    if (argument.kind == OpArgumentSpec::Kind::kVariadic) count = arguments.size() - at;
    int32_t present = 0;
    for (; count > 0 && at < arguments.size(); --count, ++at) {
      if (!arguments[at]) continue;
      state.addOperands(arguments[at]);
      ++present;
    }
    segments.push_back(present);
  }
  if (token) {
    state.addOperands(token);
    segments.push_back(1);
  }
  state.addAttributes(attributes);
  if (hasSegments(*row)) {
    state.addAttribute(kSegmentSizes, builder.getDenseI32ArrayAttr(segments));
  }
  for (const ValueType& result : results) {
    if (std::string why = whyTooLarge(result.shape); !why.empty()) {
      mlir::emitError(location) << name << ": a result " << why;
      return nullptr;
    }
    mlir::Type type = tensorType(result, builder.getContext());
    if (!type) {
      mlir::emitError(location) << name << ": the element type of a result is not known";
      return nullptr;
    }
    state.addTypes(type);
  }
  if (token) state.addTypes(token.getType());
  return builder.create(state);
}

}  // namespace tfrt::compiler::graph
