// ONNX ops that compute each element from one element of each input, but activations.

#include "node.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

// Before opset 7 the second input was broadcast only where the node said so, from an axis on.
template <OpName name>
llvm::LogicalResult fromAxis(Node& node) {
  Value a = node.input(0), b = node.input(1);
  if (node.integer("broadcast", 0) != 0 && node.has("axis")) {
    auto rank = node.rank(a), inner = node.rank(b);
    auto axis = rank && inner ? node.axis(node.integer("axis", 0), *rank) : std::nullopt;
    if (!axis) return mlir::failure();
    if (*axis + *inner > *rank) return node.fail("the second input does not fit behind the axis");
    for (size_t i = *axis + *inner; i < *rank; ++i) {
      b = node.make("expand_dims", {b, node.graph.integer(-1)});
    }
  }
  return node.give(node.make(name.text, {a, b}));
}

// Any number of inputs, two at a time.
template <OpName name>
llvm::LogicalResult fold(Node& node) {
  if (node.num_inputs() == 0) return node.fail("there are no inputs");
  Value result = node.input(0);
  for (Value next : node.inputs().drop_front()) {
    if (result) result = node.graph.value(name.text, {result, next});
  }
  return node.give(result);
}

llvm::LogicalResult mean(Node& node) {
  if (mlir::failed(fold<"add">(node))) return mlir::failure();
  Value sum = node.outputs.pop_back_val();
  auto type = mlir::cast<mlir::ShapedType>(sum.getType());
  Value count = node.graph.number(type.getElementType(), static_cast<double>(node.num_inputs()));
  return node.giveOp("div", {sum, count});
}

llvm::LogicalResult isInf(Node& node) {
  return node.giveOp("is_inf", node.inputs(),
                     {node.graph.attribute("negative", node.integer("detect_negative", 1) != 0),
                      node.graph.attribute("positive", node.integer("detect_positive", 1) != 0)});
}

// fmod: C's remainder, which truncates.
llvm::LogicalResult mod(Node& node) {
  return node.giveOp("mod", node.inputs(),
                     {node.graph.attribute("truncate", node.integer("fmod", 0) != 0)});
}

// Numbers that shapes may be computed from stay known.
llvm::LogicalResult neg(Node& node) {
  Value value = node.input(0);
  auto known = value ? node.graph.elementsOf(value) : std::nullopt;
  if (!known || !node.elementOf(value).isSignlessInteger(64)) {
    return node.giveOp("neg", {value});
  }
  for (int64_t& number : *known) number = static_cast<int64_t>(-static_cast<uint64_t>(number));
  auto type = mlir::cast<mlir::RankedTensorType>(value.getType());
  return node.give(
      node.graph.constant(mlir::DenseElementsAttr::get(type, llvm::ArrayRef<int64_t>(*known))));
}

llvm::LogicalResult bitShift(Node& node) {
  std::string direction = node.text("direction", "");
  if (direction != "LEFT" && direction != "RIGHT") {
    return node.fail("the direction is '" + direction + "', expected LEFT or RIGHT");
  }
  return node.giveOp(direction == "LEFT" ? "shift_left" : "shift_right", node.inputs());
}

llvm::LogicalResult castTo(Node& node, mlir::Type element) {
  return node.giveOp("cast", {node.input(0)}, {node.graph.attribute("dtype", element)});
}

llvm::LogicalResult castOp(Node& node) {
  auto type = static_cast<onnx::DataType>(node.integer("to", 0));
  mlir::Type element = graph::elementType(onnx::DTypeOf(type), node.graph.context());
  if (!element) return node.fail("no cast to " + onnx::DataTypeName(type));
  return castTo(node, element);
}

llvm::LogicalResult castLike(Node& node) {
  return castTo(node, mlir::cast<mlir::ShapedType>(node.input(1).getType()).getElementType());
}

// Also Dropout outside of training, whose mask is all true.
llvm::LogicalResult identity(Node& node) { return node.give(node.input(0)); }

llvm::LogicalResult dropout(Node& node) {
  if (node.version() < 7 && node.integer("is_test", 0) == 0) {
    return node.fail("the model was exported for training; export it for inference");
  }
  if (node.version() >= 12 && node.input(2)) {
    auto training = node.known(2, "training_mode");
    if (!training) return mlir::failure();
    if (training->size() == 1 && (*training)[0] != 0) {
      return node.fail("the model was exported for training; export it for inference");
    }
  }
  if (mlir::failed(identity(node)) || !node.has_output(1)) return mlir::success();
  Value sizes = node.graph.value(
      "shape_of", {node.input(0)},
      {node.graph.attribute("dtype", mlir::Type(node.graph.builder().getI64Type()))});
  return node.giveOp("fill", {sizes, node.graph.number(node.graph.builder().getI1Type(), 1)});
}

constexpr NodeRow kElementwiseRows[] = {
    {"Abs", 1, same<"abs">},
    {"Acos", 7, same<"acos">},
    {"Acosh", 9, same<"acosh">},
    {"Add", 1, fromAxis<"add">},
    {"Add", 7, same<"add">},
    {"And", 1, fromAxis<"logical_and">},
    {"And", 7, same<"logical_and">},
    {"Asin", 7, same<"asin">},
    {"Asinh", 9, same<"asinh">},
    {"Atan", 7, same<"atan">},
    {"Atanh", 9, same<"atanh">},
    {"BitShift", 11, bitShift},
    {"BitwiseAnd", 18, same<"bitwise_and">},
    {"BitwiseNot", 18, same<"bitwise_not">},
    {"BitwiseOr", 18, same<"bitwise_or">},
    {"BitwiseXor", 18, same<"bitwise_xor">},
    {"Cast", 6, castOp, "not from and to strings, float8 and integers of fewer than 8 bits"},
    {"CastLike", 15, castLike, "as Cast"},
    {"Ceil", 1, same<"ceil">},
    {"Cos", 7, same<"cos">},
    {"Cosh", 9, same<"cosh">},
    {"Div", 1, fromAxis<"div">},
    {"Div", 7, same<"div">},
    {"Dropout", 1, dropout, "as exported for inference"},
    {"Equal", 1, fromAxis<"equal">},
    {"Equal", 7, same<"equal">},
    {"Erf", 9, same<"erf">},
    {"Exp", 1, same<"exp">},
    {"Floor", 1, same<"floor">},
    {"Greater", 1, fromAxis<"greater">},
    {"Greater", 7, same<"greater">},
    {"GreaterOrEqual", 12, same<"greater_equal">},
    {"Identity", 1, identity},
    {"IsInf", 10, isInf},
    {"IsNaN", 9, same<"is_nan">},
    {"Less", 1, fromAxis<"less">},
    {"Less", 7, same<"less">},
    {"LessOrEqual", 12, same<"less_equal">},
    {"Log", 1, same<"log">},
    {"Max", 1, fold<"maximum">},
    {"Mean", 1, mean},
    {"Min", 1, fold<"minimum">},
    {"Mod", 10, mod},
    {"Mul", 1, fromAxis<"mul">},
    {"Mul", 7, same<"mul">},
    {"Neg", 1, neg},
    {"Not", 1, same<"logical_not">},
    {"Or", 1, fromAxis<"logical_or">},
    {"Or", 7, same<"logical_or">},
    {"Pow", 1, fromAxis<"pow">},
    {"Pow", 7, same<"pow">},
    {"Reciprocal", 1, same<"reciprocal">},
    {"Round", 11, same<"round">},
    {"Sign", 9, same<"sign">},
    {"Sin", 7, same<"sin">},
    {"Sinh", 9, same<"sinh">},
    {"Sqrt", 1, same<"sqrt">},
    {"Sub", 1, fromAxis<"sub">},
    {"Sub", 7, same<"sub">},
    {"Sum", 1, fold<"add">},
    {"Tan", 7, same<"tan">},
    {"Where", 9, same<"select">},
    {"Xor", 1, fromAxis<"logical_xor">},
    {"Xor", 7, same<"logical_xor">},
};

}  // namespace

llvm::ArrayRef<NodeRow> elementwiseRows() { return kElementwiseRows; }

}  // namespace tfrt::compiler::import
