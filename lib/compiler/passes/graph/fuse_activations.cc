// Activations that programs write as what they are made of.

#include <cmath>
#include <numbers>

#include "factors.h"
#include "graph_passes.h"
#include "rewriting.h"

namespace tfrt::compiler::graph {
namespace {

using mlir::Value;

// The other side of a sum with a number; null if the value is something else.
Value summandBeside(Value sum, double number, ValueFacts& facts) {
  mlir::Operation* op = madeForOne<AddOp>(sum);
  if (!op) return {};
  if (facts.isScalar(op->getOperand(1), number)) return op->getOperand(0);
  return facts.isScalar(op->getOperand(0), number) ? op->getOperand(1) : Value();
}

bool isMonomial(Value value, Value x, double coefficient, int power, ValueFacts& facts) {
  auto monomial = monomialOf(value, x, facts);
  return monomial && monomial->power == power && isNear(monomial->coefficient, coefficient);
}

// 1 + erf(x / sqrt(2))
bool isErfOf(Value value, Value x, ValueFacts& facts) {
  mlir::Operation* erf = madeForOne<ErfOp>(summandBeside(value, 1, facts));
  return erf && isMonomial(erf->getOperand(0), x, 1 / std::numbers::sqrt2, 1, facts);
}

// 1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)), the sum perhaps as x * (1 + 0.044715 * x^2)
bool isTanhOf(Value value, Value x, ValueFacts& facts) {
  constexpr double kCubic = 0.044715;
  mlir::Operation* tanh = madeForOne<TanhOp>(summandBeside(value, 1, facts));
  if (!tanh) return false;
  Factors inner = factorsOf(tanh->getOperand(0), facts);
  if (!isNear(inner.coefficient, std::sqrt(2 / std::numbers::pi))) return false;
  if (inner.values.size() == 1) {
    mlir::Operation* sum = madeForOne<AddOp>(inner.values[0]);
    return sum && llvm::any_of(eitherOrder(sum), [&](auto order) {
             return order.first == x && isMonomial(order.second, x, kCubic, 3, facts);
           });
  }
  if (inner.values.size() != 2) return false;
  for (size_t i : {0, 1}) {
    Value square = inner.values[i] == x ? summandBeside(inner.values[1 - i], 1, facts) : Value();
    if (square && isMonomial(square, x, kCubic, 2, facts)) return true;
  }
  return false;
}

// min(max(x + 3, 0), 6)
bool isShiftedRelu6(Value value, Value x, ValueFacts& facts) {
  mlir::Operation* clip = madeForOne<ClipOp>(value);
  auto op = clip ? mlir::cast<ClipOp>(clip) : ClipOp();
  if (!op || !op.argument("min") || !op.argument("max")) return false;
  return facts.isScalar(op.argument("min"), 0) && facts.isScalar(op.argument("max"), 6) &&
         summandBeside(op.argument("x"), 3, facts) == x;
}

// min(max(alpha * x + beta, 0), 1) with alpha 1/6 and beta 1/2, times `scale`.
bool isHardSigmoidOf(Value value, Value x, double& scale, ValueFacts& facts) {
  if (isShiftedRelu6(value, x, facts)) {
    scale = 6;
    return true;
  }
  scale = 1;
  mlir::Operation* op = madeForOne<HardSigmoidOp>(value);
  return op && op->getOperand(0) == x && isNear(numberOf(op, "alpha"), 1.0 / 6) &&
         isNear(numberOf(op, "beta"), 0.5);
}

// x times a function of x: the op that computes it, or null.
Value productWith(Value x, Value function, double coefficient, Replacement& make,
                  ValueFacts& facts) {
  GraphBuilder& graph = make.graph();
  if (isNear(coefficient, 0.5)) {
    if (isErfOf(function, x, facts)) return make.value("gelu", {x});
    if (isTanhOf(function, x, facts)) {
      return make.value("gelu", {x}, {graph.attribute("approximate", true)});
    }
  }
  double scale;
  if (isHardSigmoidOf(function, x, scale, facts) && isNear(coefficient * scale, 1)) {
    return make.value("hard_swish", {x});
  }
  if (coefficient != 1) return {};
  if (mlir::Operation* sigmoid = madeForOne<SigmoidOp>(function)) {
    auto inner = monomialOf(sigmoid->getOperand(0), x, facts);
    if (inner && inner->power == 1) {
      return make.value("swish", {x},
                        {graph.attribute("alpha", static_cast<float>(inner->coefficient))});
    }
  }
  if (mlir::Operation* tanh = madeForOne<TanhOp>(function)) {
    mlir::Operation* softplus = madeForOne<SoftplusOp>(tanh->getOperand(0));
    if (softplus && softplus->getOperand(0) == x) return make.value("mish", {x});
  }
  return {};
}

template <typename Op>
llvm::LogicalResult spelledOut(Op op, Replacement& make, ValueFacts& facts) {
  Value result = op->getResult(0);
  if (facts.of(result).dtype != DType::kF32) return mlir::failure();
  Factors factors = factorsOf(result, facts);
  if (factors.values.size() != 2) return mlir::failure();
  for (size_t i : {0, 1}) {
    Value x = factors.values[i];
    if (!facts.haveSameShape(x, result)) continue;
    if (Value made = productWith(x, factors.values[1 - i], factors.coefficient, make, facts)) {
      return make.finish(made);
    }
  }
  return mlir::failure();
}

// x / (1 + exp(-x))
llvm::LogicalResult spelledSwish(DivOp op, Replacement& make, ValueFacts& facts) {
  Value x = op.argument("x");
  if (facts.of(x).dtype != DType::kF32 || !facts.haveSameShape(x, op.result())) {
    return mlir::failure();
  }
  mlir::Operation* exp = madeForOne<ExpOp>(summandBeside(op.argument("y"), 1, facts));
  auto inner = exp ? monomialOf(exp->getOperand(0), x, facts) : std::nullopt;
  if (!inner || inner->power != 1) return mlir::failure();
  return make.finish(make.value(
      "swish", {x}, {make.graph().attribute("alpha", static_cast<float>(-inner->coefficient))}));
}

// clip(x + 3, 0, 6) / 6 is hard_sigmoid.
template <typename Op>
llvm::LogicalResult spelledHardSigmoid(Op op, Replacement& make, ValueFacts& facts) {
  Value result = op->getResult(0);
  if (facts.of(result).dtype != DType::kF32) return mlir::failure();
  Factors factors = factorsOf(result, facts);
  if (factors.values.size() != 1 || !isNear(factors.coefficient, 1.0 / 6)) return mlir::failure();
  mlir::Operation* clip = madeForOne<ClipOp>(factors.values[0]);
  mlir::Operation* sum = clip ? madeForOne<AddOp>(clip->getOperand(0)) : nullptr;
  if (!sum) return mlir::failure();
  for (Value x : sum->getOperands()) {
    if (!isShiftedRelu6(factors.values[0], x, facts) || !facts.haveSameShape(x, result)) continue;
    GraphBuilder& graph = make.graph();
    return make.finish(make.value(
        "hard_sigmoid", {x}, {graph.attribute("alpha", 1.0f / 6), graph.attribute("beta", 0.5f)}));
  }
  return mlir::failure();
}

// log(1 + exp(x))
llvm::LogicalResult spelledSoftplus(LogOp op, Replacement& make, ValueFacts& facts) {
  mlir::Operation* exp = madeForOne<ExpOp>(summandBeside(op.argument("x"), 1, facts));
  if (!exp || facts.of(op.result()).dtype != DType::kF32) return mlir::failure();
  return make.finish(make.value("softplus", {exp->getOperand(0)}));
}

// Squares and roots.
llvm::LogicalResult spelledPower(PowOp op, Replacement& make, ValueFacts& facts) {
  Value x = op.argument("x");
  auto exponent = facts.scalarOf(op.argument("y"));
  if (!exponent || facts.of(x).dtype != DType::kF32 || !facts.haveSameShape(x, op.result())) {
    return mlir::failure();
  }
  if (*exponent == 2) return make.finish(make.value("mul", {x, x}));
  if (*exponent == 0.5) return make.finish(make.value("sqrt", {x}));
  if (*exponent == -0.5) return make.finish(make.value("rsqrt", {x}));
  if (*exponent == -1) return make.finish(make.value("reciprocal", {x}));
  return mlir::failure();
}

}  // namespace

void addActivationFusion(mlir::RewritePatternSet& patterns, ValueFacts& facts) {
  addRule(patterns, facts, spelledOut<MulOp>, 2);
  addRule(patterns, facts, spelledOut<DivOp>, 2);
  addRule(patterns, facts, spelledSwish, 2);
  addRule(patterns, facts, spelledHardSigmoid<MulOp>);
  addRule(patterns, facts, spelledHardSigmoid<DivOp>);
  addRule(patterns, facts, spelledSoftplus);
  addRule(patterns, facts, spelledPower);
}

}  // namespace tfrt::compiler::graph
