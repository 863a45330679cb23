// ValueFacts: what the op table says of the values of a function, with symbols for sizes.
#ifndef TFRT_LIB_COMPILER_PASSES_GRAPH_VALUE_FACTS_H_
#define TFRT_LIB_COMPILER_PASSES_GRAPH_VALUE_FACTS_H_

#include <memory>
#include <optional>
#include <vector>

#include "constant_facts.h"
#include "dialects/graph/graph_dialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace tfrt::compiler::graph {

// Represents all sizes as numbers or symbols. A size about which nothing is known has its own
// symbol, so that its occurrences are known to be equal. Follows what a rewriter does to the
// function as its listener. Not thread-safe.
class ValueFacts : public mlir::RewriterBase::Listener {
 public:
  // Starts with the values of all blocks of the function.
  explicit ValueFacts(mlir::func::FuncOp function);

  // Inferred when asked for, if the value is new. The reference lives as long as the value's op.
  const ValueType& of(mlir::Value value);
  // Adds facts about the value.
  void refine(mlir::Value value, const ValueType& type);

  // All elements of an integer tensor, if they are known.
  std::optional<std::vector<int64_t>> elementsOf(mlir::Value value) {
    return knownElements(of(value));
  }
  // All sizes, or the rank, if they are known.
  std::optional<std::vector<int64_t>> sizesOf(mlir::Value value);
  std::optional<size_t> rankOf(mlir::Value value);
  // As ConstantFacts has it.
  bool isConstant(mlir::Value value) { return constants_.isConstant(value); }
  std::optional<double> scalarOf(mlir::Value value) { return constants_.scalarOf(value); }
  bool isScalar(mlir::Value value, double number) { return scalarOf(value) == number; }

  // Certainly of the same shape.
  bool haveSameShape(mlir::Value a, mlir::Value b);

  // An argument of the function and the dimension whose size a symbol is; null if it is of
  // something else.
  std::pair<mlir::Value, size_t> sourceOf(uint32_t symbol) const;

  void notifyOperationErased(mlir::Operation* op) override;
  void notifyBlockErased(mlir::Block* block) override;

 private:
  void addArguments(mlir::Block& block);
  void infer(mlir::Operation* op);
  void noteBound(mlir::Operation* op);
  void useBounds(mlir::Operation* op, ValueType& type);
  ValueType& set(mlir::Value value, ValueType type);
  Dim freshSymbol() { return Dim::Symbol(num_symbols_++); }

  llvm::DenseMap<mlir::Value, std::unique_ptr<ValueType>> types_;
  llvm::DenseMap<uint32_t, std::pair<mlir::Value, size_t>> sources_;
  ConstantFacts constants_;
  // Maps symbols to their upper bounds. A symbol equals its bound unless the bound is larger than
  // some number. An example is the size of a slice from 0 to the bound, taken from a table.
  llvm::DenseMap<uint32_t, Dim> bounds_;
  uint32_t num_symbols_ = 0;
};

// Merges what is known of a value that has both types; where they contradict, the first counts.
ValueType mergedType(const ValueType& a, const ValueType& b);

}  // namespace tfrt::compiler::graph

#endif  // TFRT_LIB_COMPILER_PASSES_GRAPH_VALUE_FACTS_H_
