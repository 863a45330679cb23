#include "activation.h"

#include <limits>

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
  if (op->getNumResults() != 1 || valueTypeOf(op->getResult(0).getType()).dtype != DType::kF32) {
    return std::nullopt;
  }
  if (auto clip = mlir::dyn_cast<ClipOp>(op)) return clipOf(clip, facts);
  if (mlir::isa<GeluOp>(op)) return Activation{boolOf(op, "approximate") ? "gelu_tanh" : "gelu"};
  // The others are called as their rows are.
  llvm::StringRef name = op->getName().stripDialect();
  if (mlir::isa<ReluOp, SigmoidOp, TanhOp, HardSwishOp, SoftplusOp, MishOp>(op)) {
    return Activation{name};
  }
  if (mlir::isa<LeakyReluOp, SwishOp, EluOp>(op)) return Activation{name, floatOf(op, "alpha")};
  if (!mlir::isa<HardSigmoidOp>(op)) return std::nullopt;
  return Activation{name, floatOf(op, "alpha"), floatOf(op, "beta")};
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

mlir::NamedAttrList plainAttributesOf(mlir::Operation* op) {
  mlir::NamedAttrList attributes = tableAttributesOf(op);
  for (llvm::StringRef name : {"activation", "alpha", "beta"}) attributes.erase(name);
  return attributes;
}

}  // namespace tfrt::compiler::graph
