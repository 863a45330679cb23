#include "factors.h"

#include <cmath>

#include "rewriting.h"
#include "tfrt/support/half.h"

namespace tfrt::compiler::graph {
namespace {

// Longer products are those of programs that compute something else.
constexpr size_t kMaxFactors = 8;

void collect(mlir::Value value, bool is_root, Factors& factors, ValueFacts& facts) {
  if (auto number = facts.scalarOf(value)) {
    factors.coefficient *= *number;
    return;
  }
  mlir::Operation* op = is_root || value.hasOneUse() ? value.getDefiningOp() : nullptr;
  if (op && factors.values.size() < kMaxFactors) {
    if (mlir::isa<MulOp>(op)) {
      collect(op->getOperand(0), false, factors, facts);
      collect(op->getOperand(1), false, factors, facts);
      return;
    }
    if (mlir::isa<NegOp>(op)) {
      factors.coefficient = -factors.coefficient;
      return collect(op->getOperand(0), false, factors, facts);
    }
    if (mlir::isa<DivOp>(op)) {
      auto number = facts.scalarOf(op->getOperand(1));
      if (number && *number != 0) {
        factors.coefficient /= *number;
        return collect(op->getOperand(0), false, factors, facts);
      }
    }
  }
  factors.values.push_back(value);
}

}  // namespace

Factors factorsOf(mlir::Value value, ValueFacts& facts) {
  Factors factors;
  collect(value, /*is_root=*/true, factors, facts);
  return factors;
}

std::optional<Monomial> monomialOf(mlir::Value value, mlir::Value x, ValueFacts& facts) {
  if (value == x) return Monomial{1, 1};
  Factors factors = factorsOf(value, facts);
  Monomial monomial{factors.coefficient, 0};
  for (mlir::Value factor : factors.values) {
    mlir::Operation* power = made<PowOp>(factor);
    auto exponent =
        power && power->getOperand(0) == x ? facts.scalarOf(power->getOperand(1)) : std::nullopt;
    if (factor == x) {
      ++monomial.power;
    } else if (exponent && *exponent >= 1 && *exponent <= 4 && std::floor(*exponent) == *exponent) {
      monomial.power += static_cast<int>(*exponent);
    } else {
      return std::nullopt;
    }
  }
  return monomial;
}

bool isNear(double number, double wanted) {
  constexpr double kTolerance = 1e-5;
  auto nearly = [](double a, double b) { return std::abs(a - b) <= kTolerance * std::abs(b); };
  auto nearHalf = [&](double a, double b) {
    return nearly(a, double{Fp16(b).ToFloat()}) || nearly(a, double{Bf16(b).ToFloat()});
  };
  return nearly(number, wanted) || nearHalf(number, wanted) || nearHalf(1 / number, 1 / wanted);
}

}  // namespace tfrt::compiler::graph
