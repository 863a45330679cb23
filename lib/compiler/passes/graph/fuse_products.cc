// Makes the ops around matrix products part of them: transposes and changes of shape before;
// numbers, biases, summands and activations after.

#include <algorithm>

#include "graph_passes.h"
#include "products.h"

namespace tfrt::compiler::graph {
namespace {

using mlir::Value;

// The value, of which this is the transpose of the matrices; null if it is something else.
Value transposedMatrices(Value value, ValueFacts& facts) {
  mlir::Operation* op = made<TransposeOp>(value);
  auto permutation = op ? facts.elementsOf(op->getOperand(1)) : std::nullopt;
  if (!permutation || permutation->size() < 2) return {};
  std::swap(permutation->back(), *(permutation->end() - 2));
  return std::ranges::is_sorted(*permutation) ? op->getOperand(0) : Value();
}

// Factors of an operand that nothing else uses.
bool takeScale(Value& operand, double& scale, ValueFacts& facts) {
  mlir::Operation* op = madeForOne<MulOp, DivOp>(operand);
  if (!op) return false;
  if (auto number = facts.scalarOf(op->getOperand(1))) {
    if (mlir::isa<DivOp>(op) && *number == 0) return false;
    scale = mlir::isa<DivOp>(op) ? scale / *number : scale * *number;
    operand = op->getOperand(0);
    return true;
  }
  auto number = mlir::isa<MulOp>(op) ? facts.scalarOf(op->getOperand(0)) : std::nullopt;
  if (!number) return false;
  scale *= *number;
  operand = op->getOperand(1);
  return true;
}

template <typename Op, bool exact>
llvm::LogicalResult takeOperands(Op op, Replacement& make, ValueFacts& facts) {
  auto product = productOf(op, facts);
  if (!product) return mlir::failure();
  bool changed = false;
  if (Value a = transposedMatrices(product->a, facts)) {
    product->a = a;
    product->transpose_a = !product->transpose_a;
    changed = true;
  }
  if (Value b = transposedMatrices(product->b, facts)) {
    product->b = b;
    product->transpose_b = !product->transpose_b;
    changed = true;
  }
  if (!exact) {
    // A scaled operand must have been as large before as it is now.
    for (Value* operand : {&product->a, &product->b}) {
      Value before = *operand;
      double scale = product->scale;
      Value after = before;
      if (facts.isConstant(before) || !takeScale(after, scale, facts)) continue;
      if (!facts.haveSameShape(before, after)) continue;
      *operand = after;
      product->scale = scale;
      changed = true;
    }
  }
  return changed ? make.finish(putProduct(*product, make, facts)) : mlir::failure();
}

// scale * a * b, with a number.
template <typename Op>
llvm::LogicalResult takeFactor(Op op, Replacement& make, ValueFacts& facts) {
  Value scaled = op->getResult(0);
  double scale = 1;
  for (bool swap : {false, true}) {
    if (swap && mlir::isa<DivOp>(op)) break;
    Value value = op->getOperand(swap ? 1 : 0);
    auto number = facts.scalarOf(op->getOperand(swap ? 0 : 1));
    auto product = productFor(value, facts);
    if (!number || !product || !product->is_bare()) continue;
    if (!facts.haveSameShape(value, scaled)) continue;
    scale = mlir::isa<DivOp>(op) ? product->scale / *number : product->scale * *number;
    if (mlir::isa<DivOp>(op) && *number == 0) continue;
    product->scale = scale;
    return make.finish(putProduct(*product, make, facts));
  }
  return mlir::failure();
}

// A vector along the last dimension of the value; null if it is something else.
Value biasOf(Value summand, Value value, Replacement& make, ValueFacts& facts) {
  const ValueType &type = facts.of(summand), &whole = facts.of(value);
  if (type.dtype != DType::kF32 || !type.shape.has_rank() || type.shape.rank() == 0) return {};
  if (!type.shape.dims().back().IsSameAs(whole.shape.dims().back())) return {};
  if (type.shape.rank() == 1) return summand;
  if (!facts.isConstant(summand)) return {};
  auto sizes = facts.sizesOf(summand);
  if (!sizes || std::ranges::any_of(sizes->begin(), sizes->end() - 1,
                                    [](int64_t size) { return size != 1; })) {
    return {};
  }
  return make.reshape(summand, {sizes->back()});
}

llvm::LogicalResult takeSummand(AddOp op, Replacement& make, ValueFacts& facts) {
  // If both are products, the later one takes the other.
  for (auto [value, summand] : laterFirst(op)) {
    auto product = productFor(value, facts);
    if (!product || product->addend || !product->activation.is_none()) continue;
    if (!facts.haveSameShape(value, op.result()) || facts.of(summand).dtype != DType::kF32)
      continue;
    if (!facts.rankOf(summand)) continue;
    Value bias = product->bias ? Value() : biasOf(summand, value, make, facts);
    (bias ? product->bias : product->addend) = bias ? bias : summand;
    return make.finish(putProduct(*product, make, facts));
  }
  return mlir::failure();
}

// An op that only moves the rows of the first factor can move those of the product instead. There
// it meets the op that moves them back.
template <typename Op>
llvm::LogicalResult moveRowsBehind(Op op, Replacement& make, ValueFacts& facts) {
  auto product = productOf(op, facts);
  if (!product || product->transpose_a || product->addend || facts.rankOf(product->b) != 2) {
    return mlir::failure();
  }
  mlir::Operation* move = madeForOne<ReshapeOp, TransposeOp>(product->a);
  if (!move || facts.isConstant(product->a)) return mlir::failure();
  Value source = move->getOperand(0);
  const SymbolicShape &in = facts.of(source).shape, &moved = facts.of(product->a).shape,
                      &out = facts.of(op->getResult(0)).shape;
  if (!in.has_rank() || in.rank() < 2 || !in.dims().back().IsSameAs(moved.dims().back())) {
    return mlir::failure();
  }
  product->a = source;
  if (mlir::isa<TransposeOp>(move)) {
    auto permutation = facts.elementsOf(move->getOperand(1));
    if (!permutation || permutation->back() + 1 != static_cast<int64_t>(permutation->size())) {
      return mlir::failure();
    }
    Value rows = putProduct(*product, make, facts);
    return rows ? make.finish(make.transpose(rows, *permutation)) : mlir::failure();
  }
  auto sizes = targetOf(out);
  Value rows = sizes ? putProduct(*product, make, facts) : Value();
  return rows ? make.finish(make.reshape(rows, *sizes)) : mlir::failure();
}

template <bool exact>
llvm::LogicalResult takeActivation(mlir::Operation* op, Replacement& make, ValueFacts& facts) {
  if (op->getNumOperands() == 0) return mlir::failure();
  auto product = productFor(op->getOperand(0), facts);
  auto activation = product ? activationOf(op, facts) : std::nullopt;
  if (!activation || !product->activation.is_none()) return mlir::failure();
  if (exact && !activation->is_exact()) return mlir::failure();
  product->activation = *activation;
  return make.finish(putProduct(*product, make, facts));
}

}  // namespace

void addProductFusion(mlir::RewritePatternSet& patterns, ValueFacts& facts, bool exact) {
  addRule(patterns, facts, exact ? takeOperands<MatmulOp, true> : takeOperands<MatmulOp, false>);
  addRule(patterns, facts,
          exact ? takeOperands<BatchMatmulOp, true> : takeOperands<BatchMatmulOp, false>);
  addRule(patterns, facts,
          exact ? takeOperands<FusedBatchMatmulOp, true> : takeOperands<FusedBatchMatmulOp, false>);
  if (!exact) {
    addRule(patterns, facts, takeFactor<MulOp>);
    addRule(patterns, facts, takeFactor<DivOp>);
  }
  addRule(patterns, facts, takeSummand);
  addRule(patterns, facts, moveRowsBehind<MatmulOp>, 2);
  addRule(patterns, facts, moveRowsBehind<BatchMatmulOp>, 2);
  addRule(patterns, facts, moveRowsBehind<FusedBatchMatmulOp>, 2);
  addRule(patterns, facts, exact ? takeActivation<true> : takeActivation<false>);
}

}  // namespace tfrt::compiler::graph
