// ONNX ops that compute each element from one element of each input.

#include "node.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

// The table's op of the same arguments.
template <const char* name>
llvm::LogicalResult same(Node& node) {
  return node.giveOp(name, node.inputs());
}

#define TFRT_NAME(identifier) constexpr char k_##identifier[] = #identifier
TFRT_NAME(abs);
TFRT_NAME(acos);
TFRT_NAME(acosh);
TFRT_NAME(add);
TFRT_NAME(asin);
TFRT_NAME(asinh);
TFRT_NAME(atan);
TFRT_NAME(atanh);
TFRT_NAME(bitwise_and);
TFRT_NAME(bitwise_not);
TFRT_NAME(bitwise_or);
TFRT_NAME(bitwise_xor);
TFRT_NAME(ceil);
TFRT_NAME(cos);
TFRT_NAME(cosh);
TFRT_NAME(div);
TFRT_NAME(equal);
TFRT_NAME(erf);
TFRT_NAME(exp);
TFRT_NAME(floor);
TFRT_NAME(greater);
TFRT_NAME(greater_equal);
TFRT_NAME(hard_swish);
TFRT_NAME(is_nan);
TFRT_NAME(less);
TFRT_NAME(less_equal);
TFRT_NAME(log);
TFRT_NAME(logical_and);
TFRT_NAME(logical_not);
TFRT_NAME(logical_or);
TFRT_NAME(logical_xor);
TFRT_NAME(maximum);
TFRT_NAME(minimum);
TFRT_NAME(mish);
TFRT_NAME(mul);
TFRT_NAME(pow);
TFRT_NAME(prelu);
TFRT_NAME(reciprocal);
TFRT_NAME(relu);
TFRT_NAME(round);
TFRT_NAME(select);
TFRT_NAME(sigmoid);
TFRT_NAME(sign);
TFRT_NAME(sin);
TFRT_NAME(sinh);
TFRT_NAME(softplus);
TFRT_NAME(sqrt);
TFRT_NAME(sub);
TFRT_NAME(tan);
TFRT_NAME(tanh);
#undef TFRT_NAME

// Before opset 7 the second input was broadcast only where the node said so, from an axis on.
template <const char* name>
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
  return node.give(node.make(name, {a, b}));
}

// One slope for each channel before opset 7.
llvm::LogicalResult oldPRelu(Node& node) {
  Value slope = node.input(1);
  auto rank = node.rank(node.input(0)), inner = node.rank(slope);
  if (!rank || !inner) return mlir::failure();
  if (*inner == 1 && !node.graph.typeOf(slope).shape.dim(0).is(1)) {
    for (size_t i = 2; i < *rank; ++i) {
      slope = node.make("expand_dims", {slope, node.graph.integer(-1)});
    }
  }
  return node.give(node.make("prelu", {node.input(0), slope}));
}

// Any number of inputs, two at a time.
template <const char* name>
llvm::LogicalResult fold(Node& node) {
  if (node.num_inputs() == 0) return node.fail("there are no inputs");
  Value result = node.input(0);
  for (Value next : node.inputs().drop_front()) {
    if (result) result = node.graph.value(name, {result, next});
  }
  return node.give(result);
}

llvm::LogicalResult mean(Node& node) {
  if (mlir::failed(fold<k_add>(node))) return mlir::failure();
  Value sum = node.outputs.pop_back_val();
  auto type = mlir::cast<mlir::ShapedType>(sum.getType());
  Value count = node.graph.number(type.getElementType(), static_cast<double>(node.num_inputs()));
  return node.giveOp("div", {sum, count});
}

llvm::LogicalResult leakyRelu(Node& node) {
  return node.giveOp("leaky_relu", node.inputs(),
                     {node.graph.attribute("alpha", node.number("alpha", 0.01f))});
}
llvm::LogicalResult elu(Node& node) {
  return node.giveOp("elu", node.inputs(),
                     {node.graph.attribute("alpha", node.number("alpha", 1.0f))});
}
llvm::LogicalResult selu(Node& node) {
  return node.giveOp(
      "selu", node.inputs(),
      {node.graph.attribute("alpha", node.number("alpha", 1.67326319217681884765625f)),
       node.graph.attribute("gamma", node.number("gamma", 1.05070102214813232421875f))});
}
llvm::LogicalResult hardSigmoid(Node& node) {
  return node.giveOp("hard_sigmoid", node.inputs(),
                     {node.graph.attribute("alpha", node.number("alpha", 0.2f)),
                      node.graph.attribute("beta", node.number("beta", 0.5f))});
}
llvm::LogicalResult swish(Node& node) {
  return node.giveOp("swish", node.inputs(),
                     {node.graph.attribute("alpha", node.number("alpha", 1.0f))});
}

llvm::LogicalResult gelu(Node& node) {
  std::string approximate = node.text("approximate", "none");
  if (approximate != "none" && approximate != "tanh") {
    return node.fail("unknown approximation '" + approximate + "'");
  }
  return node.giveOp("gelu", node.inputs(),
                     {node.graph.attribute("approximate", approximate == "tanh")});
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

// x / (1 + |x|)
llvm::LogicalResult softsign(Node& node) {
  Value x = node.input(0);
  Value size = node.make("add", {node.make("abs", {x}), node.numberLike(x, 1)});
  return node.give(node.make("div", {x, size}));
}

// max(0, x) + min(0, alpha * (exp(x / alpha) - 1))
llvm::LogicalResult celu(Node& node) {
  Value x = node.input(0), zero = node.numberLike(x, 0);
  Value alpha = node.numberLike(x, node.number("alpha", 1));
  Value power = node.make("exp", {node.make("div", {x, alpha})});
  Value below = node.make("mul", {alpha, node.make("sub", {power, node.numberLike(x, 1)})});
  return node.give(
      node.make("add", {node.make("maximum", {x, zero}), node.make("minimum", {below, zero})}));
}

llvm::LogicalResult thresholdedRelu(Node& node) {
  Value x = node.input(0);
  Value above = node.make("greater", {x, node.numberLike(x, node.number("alpha", 1))});
  return node.give(node.make("select", {above, x, node.numberLike(x, 0)}));
}

// Elements beyond +-lambda, moved towards 0 by the bias; 0 for the others.
llvm::LogicalResult shrink(Node& node) {
  Value x = node.input(0), zero = node.numberLike(x, 0);
  const float bound = node.number("lambd", 0.5f);
  Value bias = node.numberLike(x, node.number("bias", 0));
  Value below = node.make("less", {x, node.numberLike(x, -bound)});
  Value above = node.make("greater", {x, node.numberLike(x, bound)});
  Value high = node.make("select", {above, node.make("sub", {x, bias}), zero});
  return node.give(node.make("select", {below, node.make("add", {x, bias}), high}));
}

// swish(a) * b
llvm::LogicalResult swiGlu(Node& node) {
  Value gate = node.make("swish", {node.input(0)},
                         {node.graph.attribute("alpha", node.number("alpha", 1.0f))});
  return node.give(node.make("mul", {gate, node.input(1)}));
}

llvm::LogicalResult clip(Node& node) {
  if (node.version() >= 11) {
    return node.giveOp("clip", {node.input(0), node.input(1), node.input(2)});
  }
  mlir::Type element = mlir::cast<mlir::ShapedType>(node.input(0).getType()).getElementType();
  auto bound = [&](llvm::StringRef name) {
    return node.has(name) ? node.graph.number(element, node.number(name, 0)) : Value();
  };
  return node.giveOp("clip", {node.input(0), bound("min"), bound("max")});
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

constexpr NodeRow kRows[] = {
    {"Abs", 1, same<k_abs>},
    {"Acos", 7, same<k_acos>},
    {"Acosh", 9, same<k_acosh>},
    {"Add", 1, fromAxis<k_add>},
    {"Add", 7, same<k_add>},
    {"And", 1, fromAxis<k_logical_and>},
    {"And", 7, same<k_logical_and>},
    {"Asin", 7, same<k_asin>},
    {"Asinh", 9, same<k_asinh>},
    {"Atan", 7, same<k_atan>},
    {"Atanh", 9, same<k_atanh>},
    {"BitShift", 11, bitShift},
    {"BitwiseAnd", 18, same<k_bitwise_and>},
    {"BitwiseNot", 18, same<k_bitwise_not>},
    {"BitwiseOr", 18, same<k_bitwise_or>},
    {"BitwiseXor", 18, same<k_bitwise_xor>},
    {"Cast", 6, castOp},
    {"CastLike", 15, castLike},
    {"Celu", 12, celu},
    {"Ceil", 1, same<k_ceil>},
    {"Clip", 1, clip},
    {"Cos", 7, same<k_cos>},
    {"Cosh", 9, same<k_cosh>},
    {"Div", 1, fromAxis<k_div>},
    {"Div", 7, same<k_div>},
    {"Dropout", 1, dropout},
    {"Elu", 1, elu},
    {"Equal", 1, fromAxis<k_equal>},
    {"Equal", 7, same<k_equal>},
    {"Erf", 9, same<k_erf>},
    {"Exp", 1, same<k_exp>},
    {"Floor", 1, same<k_floor>},
    {"Gelu", 20, gelu},
    {"Greater", 1, fromAxis<k_greater>},
    {"Greater", 7, same<k_greater>},
    {"GreaterOrEqual", 12, same<k_greater_equal>},
    {"HardSigmoid", 1, hardSigmoid},
    {"HardSwish", 14, same<k_hard_swish>},
    {"Identity", 1, identity},
    {"IsInf", 10, isInf},
    {"IsNaN", 9, same<k_is_nan>},
    {"LeakyRelu", 1, leakyRelu},
    {"Less", 1, fromAxis<k_less>},
    {"Less", 7, same<k_less>},
    {"LessOrEqual", 12, same<k_less_equal>},
    {"Log", 1, same<k_log>},
    {"Max", 1, fold<k_maximum>},
    {"Mean", 1, mean},
    {"Min", 1, fold<k_minimum>},
    {"Mish", 18, same<k_mish>},
    {"Mod", 10, mod},
    {"Mul", 1, fromAxis<k_mul>},
    {"Mul", 7, same<k_mul>},
    {"Neg", 1, neg},
    {"Not", 1, same<k_logical_not>},
    {"Or", 1, fromAxis<k_logical_or>},
    {"Or", 7, same<k_logical_or>},
    {"PRelu", 1, oldPRelu},
    {"PRelu", 7, same<k_prelu>},
    {"Pow", 1, fromAxis<k_pow>},
    {"Pow", 7, same<k_pow>},
    {"Reciprocal", 1, same<k_reciprocal>},
    {"Relu", 1, same<k_relu>},
    {"Round", 11, same<k_round>},
    {"Selu", 6, selu},
    {"Shrink", 9, shrink},
    {"Sigmoid", 1, same<k_sigmoid>},
    {"Sign", 9, same<k_sign>},
    {"Sin", 7, same<k_sin>},
    {"Sinh", 9, same<k_sinh>},
    {"Softplus", 1, same<k_softplus>},
    {"Softsign", 1, softsign},
    {"Sqrt", 1, same<k_sqrt>},
    {"Sub", 1, fromAxis<k_sub>},
    {"Sub", 7, same<k_sub>},
    {"Sum", 1, fold<k_add>},
    {"SwiGLU", 28, swiGlu},
    {"Swish", 24, swish},
    {"Tan", 7, same<k_tan>},
    {"Tanh", 1, same<k_tanh>},
    {"ThresholdedRelu", 10, thresholdedRelu},
    {"Where", 9, same<k_select>},
    {"Xor", 1, fromAxis<k_logical_xor>},
    {"Xor", 7, same<k_logical_xor>},
};

}  // namespace

llvm::ArrayRef<NodeRow> elementwiseRows() { return kRows; }

}  // namespace tfrt::compiler::import
