#include "activation.h"

#include <limits>

#include "llvm/ADT/TypeSwitch.h"
#include "rewriting.h"

namespace tfrt::compiler::graph {
namespace {

float floatOf(mlir::Operation* op, llvm::StringRef name) {
  return static_cast<float>(numberOf(op, name));
}

std::optional<Activation> clipOf(ClipOp op, ValueFacts& facts) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  auto low = op.argument("min") ? facts.scalarOf(op.argument("min")) : -kInfinity;
  auto high = op.argument("max") ? facts.scalarOf(op.argument("max")) : kInfinity;
  if (!low || !high) return std::nullopt;
  return Activation{"clip", static_cast<float>(*low), static_cast<float>(*high)};
}

}  // namespace

std::optional<Activation> activationOf(mlir::Operation* op, ValueFacts& facts) {
  if (op->getNumResults() != 1 || !valueTypeOf(op->getResult(0).getType()).has_dtype()) return {};
  if (valueTypeOf(op->getResult(0).getType()).dtype != DType::kF32) return std::nullopt;
  using Result = std::optional<Activation>;
  return llvm::TypeSwitch<mlir::Operation*, Result>(op)
      .Case<ReluOp>([](auto) { return Activation{"relu"}; })
      .Case<LeakyReluOp>([&](auto) { return Activation{"leaky_relu", floatOf(op, "alpha")}; })
      .Case<ClipOp>([&](ClipOp clip) { return clipOf(clip, facts); })
      .Case<GeluOp>(
          [&](auto) { return Activation{boolOf(op, "approximate") ? "gelu_tanh" : "gelu"}; })
      .Case<SigmoidOp>([](auto) { return Activation{"sigmoid"}; })
      .Case<TanhOp>([](auto) { return Activation{"tanh"}; })
      .Case<HardSigmoidOp>([&](auto) {
        return Activation{"hard_sigmoid", floatOf(op, "alpha"), floatOf(op, "beta")};
      })
      .Case<HardSwishOp>([](auto) { return Activation{"hard_swish"}; })
      .Case<SwishOp>([&](auto) { return Activation{"swish", floatOf(op, "alpha")}; })
      .Case<EluOp>([&](auto) { return Activation{"elu", floatOf(op, "alpha")}; })
      .Case<SoftplusOp>([](auto) { return Activation{"softplus"}; })
      .Case<MishOp>([](auto) { return Activation{"mish"}; })
      .Default(Result());
}

void addActivation(const Activation& activation, GraphBuilder& graph,
                   llvm::SmallVectorImpl<mlir::NamedAttribute>& attributes) {
  if (activation.is_none()) return;
  attributes.push_back(graph.attribute("activation", activation.name));
  if (activation.alpha != 0) attributes.push_back(graph.attribute("alpha", activation.alpha));
  if (activation.beta != 0) attributes.push_back(graph.attribute("beta", activation.beta));
}

Activation activationAttributesOf(mlir::Operation* op) {
  Activation activation;
  // The text is that of the attribute, which lives as long as the context.
  if (auto name = op->getAttrOfType<mlir::StringAttr>("activation")) {
    activation.name = name.getValue();
  }
  activation.alpha = floatOf(op, "alpha");
  activation.beta = floatOf(op, "beta");
  return activation;
}

}  // namespace tfrt::compiler::graph
