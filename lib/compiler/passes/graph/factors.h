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

// Returns the factors of the value. Products without other uses are taken apart, and with them
// quotients by numbers and negations. The value itself is taken apart whatever its uses.
Factors factorsOf(mlir::Value value, ValueFacts& facts);

// coefficient * x^power
struct Monomial {
  double coefficient;
  int power;
};
std::optional<Monomial> monomialOf(mlir::Value value, mlir::Value x, ValueFacts& facts);

// Equal but for what constants, or their reciprocals, lose when they are written as f32, f16 or
// bf16.
bool isNear(double number, double wanted);

}  // namespace tfrt::compiler::graph

#endif  // TFRT_LIB_COMPILER_PASSES_GRAPH_FACTORS_H_
