#include "node.h"

#include "constants.h"

#include <numeric>
#include <string>
#include <utility>

namespace tfrt::compiler::import {

using onnx::Attribute;

llvm::LogicalResult Node::fail(const llvm::Twine& message) {
  if (!failed_) mlir::emitError(graph.location()) << op() << ": " << message;
  failed_ = true;
  return mlir::failure();
}

const Attribute* Node::lookUp(llvm::StringRef name) const {
  const Attribute* found = node_.Find({name.data(), name.size()});
  if (!found || found->ref.empty()) return found;
  auto given = call_.find({found->ref.data(), found->ref.size()});
  return given == call_.end() ? nullptr : given->second;
}

// Old writers leave the kind out: then it is the one that is wanted.
const Attribute* Node::find(llvm::StringRef name, Attribute::Kind kind) {
  const Attribute* found = lookUp(name);
  if (!found || found->kind == kind || found->kind == Attribute::Kind::kUndefined) return found;
  (void)fail("the attribute '" + name + "' is of kind " +
             llvm::Twine(static_cast<int>(found->kind)) + ", expected " +
             llvm::Twine(static_cast<int>(kind)));
  return nullptr;
}

int64_t Node::integer(llvm::StringRef name, int64_t otherwise) {
  const Attribute* found = find(name, Attribute::Kind::kInt);
  return found ? found->i : otherwise;
}

float Node::number(llvm::StringRef name, float otherwise) {
  const Attribute* found = find(name, Attribute::Kind::kFloat);
  return found ? found->f : otherwise;
}

std::string Node::text(llvm::StringRef name, llvm::StringRef otherwise) {
  const Attribute* found = find(name, Attribute::Kind::kString);
  return found ? std::string(found->s) : otherwise.str();
}

std::vector<int64_t> Node::integers(llvm::StringRef name, std::vector<int64_t> otherwise) {
  const Attribute* found = find(name, Attribute::Kind::kInts);
  if (!found) return otherwise;
  return found->large ? found->large->ints : std::vector<int64_t>();
}

std::vector<float> Node::numbers(llvm::StringRef name, std::vector<float> otherwise) {
  const Attribute* found = find(name, Attribute::Kind::kFloats);
  if (!found) return otherwise;
  return found->large ? found->large->floats : std::vector<float>();
}

std::vector<std::string> Node::texts(llvm::StringRef name) {
  const Attribute* found = find(name, Attribute::Kind::kStrings);
  if (!found || !found->large) return {};
  return {found->large->strings.begin(), found->large->strings.end()};
}

const onnx::TensorData* Node::tensor(llvm::StringRef name) {
  const Attribute* found = find(name, Attribute::Kind::kTensor);
  return found && found->large && !found->large->tensors.empty() ? &found->large->tensors[0]
                                                                 : nullptr;
}

const onnx::Graph* Node::subgraph(llvm::StringRef name) {
  const Attribute* found = find(name, Attribute::Kind::kGraph);
  if (found && found->large && !found->large->graphs.empty()) return &found->large->graphs[0];
  (void)fail("there is no graph '" + name + "'");
  return nullptr;
}

std::optional<std::vector<int64_t>> Node::known(size_t index, llvm::StringRef what) {
  mlir::Value value = input(index);
  if (!value) {
    (void)fail(what + " is left out");
    return std::nullopt;
  }
  auto elements = graph.elementsOf(value);
  if (!elements) (void)fail(what + " is not known before the model runs");
  return elements;
}

std::optional<size_t> Node::rank(mlir::Value value) {
  if (!value) {
    (void)fail("an input is left out");
    return std::nullopt;
  }
  const ValueType type = graph.typeOf(value);
  if (type.shape.has_rank()) return type.shape.rank();
  (void)fail("the rank of an input is not known");
  return std::nullopt;
}

std::optional<size_t> Node::axis(int64_t axis, size_t rank) {
  auto signed_rank = static_cast<int64_t>(rank);
  if (axis >= -signed_rank && axis < signed_rank) {
    return static_cast<size_t>(axis < 0 ? axis + signed_rank : axis);
  }
  (void)fail("axis " + llvm::Twine(axis) + " is out of range for rank " + llvm::Twine(rank));
  return std::nullopt;
}

std::optional<int64_t> Node::axisOf(mlir::Value value, int64_t otherwise) {
  auto found = rank(value);
  return found ? axis(integer("axis", otherwise), *found) : std::nullopt;
}

mlir::Type Node::elementNamed(llvm::StringRef attribute, onnx::DataType otherwise,
                              llvm::StringRef error) {
  auto type = static_cast<onnx::DataType>(integer(attribute, static_cast<int64_t>(otherwise)));
  mlir::Type element;
  if (!onnx::FindNarrowType(type)) element = elementType(onnx::DTypeOf(type), graph.context());
  if (!element) (void)fail(error + onnx::DataTypeName(type));
  return element;
}

mlir::Value Node::make(llvm::StringRef name, llvm::ArrayRef<mlir::Value> arguments,
                       Attributes attributes) {
  if (failed_) return {};
  mlir::Value result = graph.value(name, arguments, attributes);
  failed_ = !result;
  return result;
}

mlir::Type Node::elementOf(mlir::Value value) {
  if (value) return mlir::cast<mlir::TensorType>(value.getType()).getElementType();
  (void)fail("an input is left out");
  return {};
}

mlir::Value Node::numberLike(mlir::Value value, double number) {
  mlir::Type element = failed_ ? mlir::Type() : elementOf(value);
  return element ? graph.number(element, number) : mlir::Value();
}

mlir::Value transpose(Node& node, mlir::Value value, llvm::ArrayRef<int64_t> permutation) {
  bool moves = false;
  for (auto [i, from] : llvm::enumerate(permutation)) moves |= from != static_cast<int64_t>(i);
  if (!moves || !value) return value;
  return node.make("transpose", {value, node.graph.integers(permutation)});
}

mlir::Value reshape(Node& node, mlir::Value value, llvm::ArrayRef<int64_t> sizes) {
  return node.make("reshape", {value, node.graph.integers(sizes)});
}

mlir::Value reshapeLike(Node& node, mlir::Value value, mlir::Value like) {
  return node.make("reshape", {value, shapeOf(node, like)});
}

mlir::Value constantOf(Node& node, const onnx::TensorData& tensor) {
  mlir::TypedAttr value =
      readConstant(tensor, node.files, node.graph.location(), node.graph.context());
  if (!value) return {};
  mlir::Value constant = node.graph.constant(value);
  node.narrow.set(constant, tensor.type);
  return constant;
}

mlir::Value shapeOf(Node& node, mlir::Value value) {
  return node.make("shape_of", {value},
                   {node.graph.attribute("dtype", mlir::Type(node.graph.builder().getI64Type()))});
}

mlir::Value sizeOf(Node& node, mlir::Value value, size_t axis) {
  if (!value) return {};
  const ValueType type = node.graph.typeOf(value);
  if (type.shape.has_rank() && type.shape.dim(axis).is_known()) {
    return node.graph.integer(type.shape.dim(axis).value());
  }
  return node.make("gather", {shapeOf(node, value), node.graph.integer(static_cast<int64_t>(axis)),
                              node.graph.integer(0)});
}

mlir::Value productOf(Node& node, mlir::Value value, size_t first, size_t count) {
  mlir::Value product = node.graph.integers({1});
  for (size_t i = first; i < first + count; ++i) {
    mlir::Value size = pieceOf(node, shapeOf(node, value), static_cast<int64_t>(i), 1);
    product = i == first ? size : node.make("mul", {product, size});
  }
  return product;
}

mlir::Value pieceOf(Node& node, mlir::Value vector, int64_t begin, int64_t size) {
  return node.make("slice", {vector, node.graph.integers({begin}), node.graph.integers({size})});
}

mlir::Value concat(Node& node, llvm::ArrayRef<mlir::Value> values, int64_t axis) {
  if (values.size() == 1) return values[0];
  llvm::SmallVector<mlir::Value> arguments(values);
  arguments.push_back(node.graph.integer(axis));
  return node.make("concat", arguments);
}

mlir::Value cast(Node& node, mlir::Value value, mlir::Type element) {
  if (!element) return {};
  if (!value || node.elementOf(value) == element) return value;
  return node.make("cast", {value}, {node.graph.attribute("dtype", element)});
}

mlir::Value wide(Node& node, mlir::Value value) {
  return cast(node, value, node.graph.builder().getI64Type());
}

mlir::Value expand(Node& node, mlir::Value value, llvm::ArrayRef<int64_t> axes) {
  for (int64_t axis : axes) {
    value = node.make("expand_dims", {value, node.graph.integer(axis)});
  }
  return value;
}

mlir::Value reduce(Node& node, llvm::StringRef name, mlir::Value value,
                   llvm::ArrayRef<int64_t> axes, bool keep_dims) {
  return node.make(name, {value, node.graph.integers(axes)},
                   {node.graph.attribute("keep_dims", keep_dims)});
}

mlir::Value ofShape(Node& node, mlir::Value value, llvm::ArrayRef<int64_t> sizes,
                    llvm::StringRef what) {
  if (!value) return {};
  std::vector<Dim> dims;
  for (int64_t size : sizes) dims.push_back(size < 0 ? Dim() : Dim(size));
  const SymbolicShape wanted(std::move(dims)), shape = node.graph.typeOf(value).shape;
  if (!node.rank(value)) return {};
  bool differs = shape.rank() != sizes.size(), is_known = true;
  for (size_t i = 0; !differs && i < sizes.size(); ++i) {
    differs = wanted.dim(i).Contradicts(shape.dim(i));
    is_known &= sizes[i] < 0 || shape.dim(i).is_known();
  }
  if (differs) {
    (void)node.fail(what + " has the shape " + shape.ToString() + ", expected " +
                    wanted.ToString());
    return {};
  }
  if (is_known) return value;
  return node.make("ensure_shape", {value}, {node.graph.attribute("shape", sizes)});
}

mlir::Value range(Node& node, mlir::Value count) {
  return node.make("range", {node.graph.integer(0), count, node.graph.integer(1)});
}

mlir::Value inHeads(Node& node, mlir::Value value, int64_t heads) {
  mlir::Value rows = pieceOf(node, shapeOf(node, value), 0, 2);
  return node.make("reshape", {value, concat(node, {rows, node.graph.integers({heads, -1})}, 0)});
}

AxisMoves movesOfAxis(Node& node, mlir::Value axis, size_t rank, size_t place) {
  auto number = [&](size_t value) { return node.graph.integer(static_cast<int64_t>(value)); };
  auto make = [&](llvm::StringRef name, llvm::ArrayRef<mlir::Value> arguments) {
    return node.make(name, arguments);
  };
  axis = make("select", {make("less", {axis, number(0)}), make("add", {axis, number(rank)}), axis});
  std::vector<int64_t> numbers(rank);
  std::iota(numbers.begin(), numbers.end(), 0);
  mlir::Value places = node.graph.integers(numbers);
  // A dimension that moves over others shifts them by one. `from` and `to` are scalars.
  auto permutation = [&](mlir::Value from, mlir::Value to) {
    auto both = [&](mlir::Value low, mlir::Value high) {
      return make("logical_and",
                  {make("greater_equal", {places, low}), make("less", {places, high})});
    };
    mlir::Value next = make("add", {places, number(1)}), last = make("sub", {places, number(1)});
    mlir::Value result = make("select", {both(from, to), next, places});
    mlir::Value after = make("add", {to, number(1)}), end = make("add", {from, number(1)});
    result = make("select", {both(after, end), last, result});
    return make("select", {make("equal", {places, to}), from, result});
  };
  return {permutation(axis, number(place)), permutation(number(place), axis)};
}

mlir::Value softmaxAlong(Node& node, llvm::StringRef name, mlir::Value value, size_t axis) {
  auto rank = value ? node.rank(value) : std::nullopt;
  if (!rank) return {};
  if (axis + 1 >= *rank) return node.make(name, {value});
  llvm::SmallVector<int64_t> swapped(*rank);
  std::iota(swapped.begin(), swapped.end(), 0);
  std::swap(swapped[axis], swapped.back());
  return transpose(node, node.make(name, {transpose(node, value, swapped)}), swapped);
}

}  // namespace tfrt::compiler::import
