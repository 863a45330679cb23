// ONNX ops that are functions of one number, as networks have them between their layers.

#include "node.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

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

llvm::LogicalResult gelu(Node& node) {
  std::string approximate = node.text("approximate", "none");
  if (approximate != "none" && approximate != "tanh") {
    return node.fail("unknown approximation '" + approximate + "'");
  }
  return node.giveOp("gelu", node.inputs(),
                     {node.graph.attribute("approximate", approximate == "tanh")});
}

// x / (1 + |x|)
llvm::LogicalResult softsign(Node& node) {
  Value x = node.input(0);
  Value size = node.make("add", {node.make("abs", {x}), node.numberLike(x, 1)});
  return node.give(node.make("div", {x, size}));
}

// max(0, x) + min(0, alpha * (exp(x / alpha) - 1))
llvm::LogicalResult celu(Node& node) {
  if (node.number("alpha", 1) == 1) return same<"elu", Attr{"alpha", 1.0f}>(node);
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
  Value gate = node.make("swish", {node.input(0)}, {Attr{"alpha", 1.0f}.of(node)});
  return node.give(node.make("mul", {gate, node.input(1)}));
}

llvm::LogicalResult clip(Node& node) {
  if (node.version() >= 11) {
    return node.giveOp("clip", {node.input(0), node.input(1), node.input(2)});
  }
  mlir::Type element = node.elementOf(node.input(0));
  auto bound = [&](llvm::StringRef name) {
    return node.has(name) ? node.graph.number(element, node.number(name, 0)) : Value();
  };
  return node.giveOp("clip", {node.input(0), bound("min"), bound("max")});
}

constexpr NodeRow kActivationRows[] = {
    {"Celu", 12, celu},
    {"Clip", 1, clip},
    {"Elu", 1, same<"elu", Attr{"alpha", 1.0f}>},
    {"Gelu", 20, gelu},
    {"HardSigmoid", 1, same<"hard_sigmoid", Attr{"alpha", 0.2f}, Attr{"beta", 0.5f}>},
    {"HardSwish", 14, same<"hard_swish">},
    {"LeakyRelu", 1, same<"leaky_relu", Attr{"alpha", 0.01f}>},
    {"Mish", 18, same<"mish">},
    {"PRelu", 1, oldPRelu, 2},
    {"PRelu", 7, same<"prelu">, 2},
    {"Relu", 1, same<"relu">},
    {"Selu", 6,
     same<"selu", Attr{"alpha", 1.67326319217681884765625f},
          Attr{"gamma", 1.05070102214813232421875f}>},
    {"Shrink", 9, shrink},
    {"Sigmoid", 1, same<"sigmoid">},
    {"Softplus", 1, same<"softplus">},
    {"Softsign", 1, softsign},
    {"SwiGLU", 28, swiGlu, 2},
    {"Swish", 24, same<"swish", Attr{"alpha", 1.0f}>},
    {"Tanh", 1, same<"tanh">},
    {"ThresholdedRelu", 10, thresholdedRelu},
};

}  // namespace

llvm::ArrayRef<NodeRow> activationRows() { return kActivationRows; }

}  // namespace tfrt::compiler::import
