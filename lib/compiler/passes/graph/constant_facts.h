// ConstantFacts: which values a program computes of constants alone, and the numbers that they are.
#ifndef TFRT_LIB_COMPILER_PASSES_GRAPH_CONSTANT_FACTS_H_
#define TFRT_LIB_COMPILER_PASSES_GRAPH_CONSTANT_FACTS_H_

#include <optional>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "mlir/IR/Operation.h"

namespace tfrt::compiler::graph {

// Remembers its findings, so that queries about a program of n ops take n steps. Code that erases
// an op whose results may be constant must call `forget`. Not thread-safe.
class ConstantFacts {
 public:
  // Computed of constants alone, by ops without effects: it is hoisted out of the program. False
  // for null.
  bool isConstant(mlir::Value value);
  // Returns the one number that all elements of a constant equal. For an op on such numbers it
  // returns the result, as rounded to its type.
  std::optional<double> scalarOf(mlir::Value value);

  void forget(mlir::Operation* op);

 private:
  bool isConstantWithin(mlir::Value value, int depth);
  std::optional<double> scalarWithin(mlir::Value value, int depth);
  std::optional<double> computeScalar(mlir::Operation* op, int depth);

  llvm::DenseSet<mlir::Value> constants_;
  llvm::DenseMap<mlir::Value, double> scalars_;
};

}  // namespace tfrt::compiler::graph

#endif  // TFRT_LIB_COMPILER_PASSES_GRAPH_CONSTANT_FACTS_H_
