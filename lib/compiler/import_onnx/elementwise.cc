// ONNX ops that compute each element from one element of each input, but activations.

#include "narrow.h"

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
  return node.giveOp("div", {sum, node.numberLike(sum, static_cast<double>(node.num_inputs()))});
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
  const auto to = static_cast<onnx::DataType>(node.integer("to", 0));
  if (const onnx::NarrowType* type = onnx::FindNarrowType(to)) {
    return giveNarrow(node, castToNarrow(node, node.input(0), *type), *type);
  }
  mlir::Type element = node.elementNamed("to", onnx::DataType::kUndefined, "no cast to ");
  return element ? castTo(node, element) : mlir::failure();
}

llvm::LogicalResult castLike(Node& node) {
  if (const onnx::NarrowType* type = node.narrow.find(node.input(1))) {
    return giveNarrow(node, castToNarrow(node, node.input(0), *type), *type);
  }
  return castTo(node, node.elementOf(node.input(1)));
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
  Value sizes = shapeOf(node, node.input(0));
  return node.giveOp("fill", {sizes, node.graph.number(node.graph.builder().getI1Type(), 1)});
}

constexpr NodeRow kElementwiseRows[] = {
    {"Abs", 1, same<"abs">},
    {"Acos", 7, same<"acos">},
    {"Acosh", 9, same<"acosh">},
    {"Add", 1, fromAxis<"add">, 2},
    {"Add", 7, same<"add">, 2},
    {"And", 1, fromAxis<"logical_and">, 2},
    {"And", 7, same<"logical_and">, 2},
    {"Asin", 7, same<"asin">},
    {"Asinh", 9, same<"asinh">},
    {"Atan", 7, same<"atan">},
    {"Atanh", 9, same<"atanh">},
    {"BitShift", 11, bitShift, 2},
    {"BitwiseAnd", 18, same<"bitwise_and">, 2},
    {"BitwiseNot", 18, same<"bitwise_not">},
    {"BitwiseOr", 18, same<"bitwise_or">, 2},
    {"BitwiseXor", 18, same<"bitwise_xor">, 2},
    {"Cast", 6, castOp, 1, "not from and to strings, and from f64 to float8 and float4"},
    {"CastLike", 15, castLike, 2, "as Cast"},
    {"Ceil", 1, same<"ceil">},
    {"Cos", 7, same<"cos">},
    {"Cosh", 9, same<"cosh">},
    {"Div", 1, fromAxis<"div">, 2},
    {"Div", 7, same<"div">, 2},
    {"Dropout", 1, dropout, 1, "as exported for inference"},
    {"Equal", 1, fromAxis<"equal">, 2},
    {"Equal", 7, same<"equal">, 2},
    {"Erf", 9, same<"erf">},
    {"Exp", 1, same<"exp">},
    {"Floor", 1, same<"floor">},
    {"Greater", 1, fromAxis<"greater">, 2},
    {"Greater", 7, same<"greater">, 2},
    {"GreaterOrEqual", 12, same<"greater_equal">, 2},
    {"Identity", 1, identity},
    {"IsInf", 10,
     same<"is_inf", Attr{"negative", true, "detect_negative"},
          Attr{"positive", true, "detect_positive"}>},
    {"IsNaN", 9, same<"is_nan">},
    {"Less", 1, fromAxis<"less">, 2},
    {"Less", 7, same<"less">, 2},
    {"LessOrEqual", 12, same<"less_equal">, 2},
    {"Log", 1, same<"log">},
    {"Max", 1, fold<"maximum">, kAllInputs},
    {"Mean", 1, mean, kAllInputs},
    {"Min", 1, fold<"minimum">, kAllInputs},
    // fmod: C's remainder, which truncates.
    {"Mod", 10, same<"mod", Attr{"truncate", false, "fmod"}>, 2},
    {"Mul", 1, fromAxis<"mul">, 2},
    {"Mul", 7, same<"mul">, 2},
    {"Neg", 1, neg},
    {"Not", 1, same<"logical_not">},
    {"Or", 1, fromAxis<"logical_or">, 2},
    {"Or", 7, same<"logical_or">, 2},
    {"Pow", 1, fromAxis<"pow">, 2},
    {"Pow", 7, same<"pow">, 2},
    {"Reciprocal", 1, same<"reciprocal">},
    {"Round", 11, same<"round">},
    {"Sign", 9, same<"sign">},
    {"Sin", 7, same<"sin">},
    {"Sinh", 9, same<"sinh">},
    {"Sqrt", 1, same<"sqrt">},
    {"Sub", 1, fromAxis<"sub">, 2},
    {"Sub", 7, same<"sub">, 2},
    {"Sum", 1, fold<"add">, kAllInputs},
    {"Tan", 7, same<"tan">},
    {"Where", 9, same<"select">, 3},
    {"Xor", 1, fromAxis<"logical_xor">, 2},
    {"Xor", 7, same<"logical_xor">, 2},
};

}  // namespace

llvm::ArrayRef<NodeRow> elementwiseRows() { return kElementwiseRows; }

}  // namespace tfrt::compiler::import
