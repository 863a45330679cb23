// Products of values and numbers, however a program writes them.
#ifndef TFRT_LIB_COMPILER_PASSES_GRAPH_FACTORS_H_
#define TFRT_LIB_COMPILER_PASSES_GRAPH_FACTORS_H_

#include <optional>

#include "value_facts.h"

namespace tfrt::compiler::graph {

// coefficient * values[0] * values[1] * ...
struct Factors {
  double coefficient = 1;
  llvm::SmallVector<mlir::Value, 4> values;
};

// What the value is a product of: products that nothing else uses are taken apart, quotients by
// numbers and negations with them. The value itself is taken apart whoever uses it.
Factors factorsOf(mlir::Value value, ValueFacts& facts);

// coefficient * x^power
struct Monomial {
  double coefficient;
  int power;
};
std::optional<Monomial> monomialOf(mlir::Value value, mlir::Value x, ValueFacts& facts);

// Equal but for what constants lose when they are written as f32.
bool isNear(double number, double wanted);

}  // namespace tfrt::compiler::graph

#endif  // TFRT_LIB_COMPILER_PASSES_GRAPH_FACTORS_H_
