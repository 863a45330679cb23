// Canonical forms of ops on elements: what changes nothing is gone.

#include <cmath>

#include "graph_passes.h"
#include "rewriting.h"

namespace tfrt::compiler::graph {
namespace {

using mlir::Value;

llvm::LogicalResult dropIdentity(IdentityOp op, Replacement& make, ValueFacts&) {
  return make.finish(op.argument("input"));
}

llvm::LogicalResult dropCast(CastOp op, Replacement& make, ValueFacts& facts) {
  DType dtype = facts.of(op.argument("x")).dtype;
  if (dtype == DType::kUnsupported || dtype != facts.of(op.result()).dtype) return mlir::failure();
  return make.finish(op.argument("x"));
}

// Numbers that change nothing. -0 + 0 is 0, and so is -0 - -0: of floats the sign counts.
enum class Neutral { kOne, kZero, kMinusZero, kPlusZero };
bool isNeutral(double number, Neutral neutral, bool is_float) {
  if (neutral == Neutral::kOne) return number == 1;
  if (number != 0) return false;
  return neutral == Neutral::kZero || !is_float ||
         std::signbit(number) == (neutral == Neutral::kMinusZero);
}

// The value, if it is the op's result but for the number on its other side, which changes nothing.
template <Neutral neutral>
llvm::LogicalResult dropNeutral(mlir::Operation* op, Value value, Value other, Replacement& make,
                                ValueFacts& facts) {
  auto number = facts.scalarOf(other);
  const bool is_float = IsFloat(facts.of(value).dtype);
  if (!number || !isNeutral(*number, neutral, is_float) ||
      !facts.haveSameShape(value, op->getResult(0))) {
    return mlir::failure();
  }
  return make.finish(value);
}

template <typename Op, Neutral neutral>
llvm::LogicalResult dropNeutralOnRight(Op op, Replacement& make, ValueFacts& facts) {
  return dropNeutral<neutral>(op, op->getOperand(0), op->getOperand(1), make, facts);
}
template <typename Op, Neutral neutral>
llvm::LogicalResult dropNeutralOnAnySide(Op op, Replacement& make, ValueFacts& facts) {
  return mlir::success(llvm::any_of(eitherOrder(op), [&](auto order) {
    return mlir::succeeded(dropNeutral<neutral>(op, order.first, order.second, make, facts));
  }));
}

// Twice is not at all.
template <typename Op>
llvm::LogicalResult dropPair(Op op, Replacement& make, ValueFacts&) {
  mlir::Operation* inner = made<Op>(op->getOperand(0));
  return inner ? make.finish(inner->getOperand(0)) : mlir::failure();
}

// The second time changes nothing.
template <typename Op>
llvm::LogicalResult dropSecond(Op op, Replacement& make, ValueFacts&) {
  return made<Op>(op->getOperand(0)) ? make.finish(op->getOperand(0)) : mlir::failure();
}

// max(x, 0), and what bounds only below, by 0.
llvm::LogicalResult maximumIsRelu(MaximumOp op, Replacement& make, ValueFacts& facts) {
  if (facts.of(op.result()).dtype != DType::kF32) return mlir::failure();
  for (auto [value, bound] : eitherOrder(op)) {
    if (!facts.isScalar(bound, 0) || !facts.haveSameShape(value, op.result())) continue;
    return make.finish(make.value("relu", {value}));
  }
  return mlir::failure();
}
llvm::LogicalResult clipIsRelu(ClipOp op, Replacement& make, ValueFacts& facts) {
  if (facts.of(op.result()).dtype != DType::kF32 || op.argument("max")) return mlir::failure();
  if (!op.argument("min")) return make.finish(op.argument("x"));
  return facts.isScalar(op.argument("min"), 0) ? make.finish(make.value("relu", {op.argument("x")}))
                                               : mlir::failure();
}

// min(max(x, a), b) of numbers.
llvm::LogicalResult minimumIsClip(MinimumOp op, Replacement& make, ValueFacts& facts) {
  if (facts.of(op.result()).dtype != DType::kF32) return mlir::failure();
  for (auto [value, high] : eitherOrder(op)) {
    mlir::Operation* inner = madeForOne<MaximumOp, ReluOp>(value);
    auto above = facts.scalarOf(high);
    if (!inner || !above) continue;
    Value x = inner->getOperand(0);
    std::optional<double> below = 0;
    if (mlir::isa<MaximumOp>(inner)) {
      below = facts.scalarOf(inner->getOperand(1));
      if (!below) {
        below = facts.scalarOf(x);
        x = inner->getOperand(1);
      }
    }
    // Crossed bounds are where the order matters.
    if (!below || *below > *above || !facts.haveSameShape(x, op.result())) continue;
    mlir::Type element = make.graph().builder().getF32Type();
    Value low = make.graph().number(element, *below);
    return make.finish(make.value("clip", {x, low, make.graph().number(element, *above)}));
  }
  return mlir::failure();
}

}  // namespace

void addElementwiseForms(mlir::RewritePatternSet& patterns, ValueFacts& facts, bool exact) {
  addRule(patterns, facts, dropIdentity);
  addRule(patterns, facts, dropCast);
  if (exact) {
    addRule(patterns, facts, dropNeutralOnAnySide<AddOp, Neutral::kMinusZero>);
    addRule(patterns, facts, dropNeutralOnRight<SubOp, Neutral::kPlusZero>);
  } else {
    addRule(patterns, facts, dropNeutralOnAnySide<AddOp, Neutral::kZero>);
    addRule(patterns, facts, dropNeutralOnRight<SubOp, Neutral::kZero>);
  }
  addRule(patterns, facts, dropNeutralOnAnySide<MulOp, Neutral::kOne>);
  addRule(patterns, facts, dropNeutralOnRight<DivOp, Neutral::kOne>);
  addRule(patterns, facts, dropNeutralOnRight<PowOp, Neutral::kOne>);
  addRule(patterns, facts, dropPair<NegOp>);
  addRule(patterns, facts, dropPair<LogicalNotOp>);
  addRule(patterns, facts, dropSecond<ReluOp>);
  addRule(patterns, facts, dropSecond<AbsOp>);
  addRule(patterns, facts, dropSecond<FloorOp>);
  addRule(patterns, facts, dropSecond<CeilOp>);
  addRule(patterns, facts, maximumIsRelu);
  addRule(patterns, facts, clipIsRelu);
  addRule(patterns, facts, minimumIsClip);
}

}  // namespace tfrt::compiler::graph
