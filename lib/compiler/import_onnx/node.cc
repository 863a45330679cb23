#include "node.h"

#include "constants.h"

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

const onnx::TensorData* Node::tensor(llvm::StringRef name) {
  const Attribute* found = find(name, Attribute::Kind::kTensor);
  return found && found->large && !found->large->tensors.empty() ? &found->large->tensors[0]
                                                                 : nullptr;
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
  const ValueType& type = graph.typeOf(value);
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

mlir::Value transpose(Node& node, mlir::Value value, llvm::ArrayRef<int64_t> permutation) {
  bool moves = false;
  for (auto [i, from] : llvm::enumerate(permutation)) moves |= from != static_cast<int64_t>(i);
  if (!moves || !value) return value;
  return node.graph.value("transpose", {value, node.graph.integers(permutation)});
}

mlir::Value reshape(Node& node, mlir::Value value, llvm::ArrayRef<int64_t> sizes) {
  return value ? node.graph.value("reshape", {value, node.graph.integers(sizes)}) : value;
}

mlir::Value constantOf(Node& node, const onnx::TensorData& tensor) {
  mlir::TypedAttr value =
      readConstant(tensor, node.files, node.graph.location(), node.graph.context());
  return value ? node.graph.constant(value) : mlir::Value();
}

}  // namespace tfrt::compiler::import
