// Transposes from [N,X...,C] to [N,C,X...] go behind the ops that use them, until they meet one
// back or the program ends.

#include <algorithm>

#include "layout.h"

namespace tfrt::compiler::graph {
namespace {

using mlir::Value;
using Integers = std::vector<int64_t>;

llvm::LogicalResult mergeTransposes(TransposeOp op, Replacement& make, ValueFacts& facts) {
  auto permutation = facts.elementsOf(op.argument("perm"));
  auto inner = op.argument("x").getDefiningOp<TransposeOp>();
  auto before = inner && permutation ? facts.elementsOf(inner.argument("perm")) : std::nullopt;
  if (!before) return mlir::failure();
  for (int64_t& axis : *permutation) axis = (*before)[static_cast<size_t>(axis)];
  if (std::ranges::is_sorted(*permutation)) return make.finish(inner.argument("x"));
  return make.finish(make.transpose(inner.argument("x"), *permutation));
}

// How an operand of an element-wise op becomes one of the op on [N,X...,C].
enum class Turn { kNot, kAsIs, kTransposed, kConstant, kReshaped };
Turn turnOf(Value operand, size_t rank, ValueFacts& facts) {
  if (lastOf(operand, facts)) return Turn::kTransposed;
  const SymbolicShape& shape = facts.of(operand).shape;
  if (!shape.has_rank() || shape.rank() > rank) return Turn::kNot;
  if (shape.num_elements().is(1) && shape.rank() <= 1) return Turn::kAsIs;
  if (facts.isConstant(operand) && shape.is_known()) return Turn::kConstant;
  // Channels alone: nothing moves.
  const bool are_channels =
      shape.rank() == rank &&
      std::ranges::all_of(shape.dims().subspan(2), [](Dim dim) { return dim.is(1); });
  return are_channels && (shape.dim(0).is_known() || shape.dim(1).is_known()) ? Turn::kReshaped
                                                                              : Turn::kNot;
}

Value turned(Value operand, Turn turn, size_t rank, Replacement& make, ValueFacts& facts) {
  switch (turn) {
    case Turn::kTransposed:
      return lastOf(operand, facts);
    case Turn::kConstant: {
      Integers sizes = *facts.sizesOf(operand);
      if (sizes.size() < rank) {
        sizes.insert(sizes.begin(), rank - sizes.size(), 1);
        operand = make.reshape(operand, sizes);
      }
      return make.transpose(operand, channelsToLast(rank));
    }
    case Turn::kReshaped: {
      const SymbolicShape shape = facts.of(operand).shape;
      Integers sizes(rank, 1);
      for (auto [at, dim] :
           {std::pair(size_t{0}, shape.dim(0)), std::pair(rank - 1, shape.dim(1))}) {
        sizes[at] = dim.is_known() ? dim.value() : -1;
      }
      return make.reshape(operand, sizes);
    }
    case Turn::kAsIs:
    case Turn::kNot:
      return operand;
  }
  return operand;
}

bool isElementwise(mlir::Operation* op) {
  return mlir::isa<AddOp, SubOp, MulOp, DivOp, MaximumOp, MinimumOp, PowOp, LessOp, LessEqualOp,
                   GreaterOp, GreaterEqualOp, EqualOp, NotEqualOp, SelectOp, ClipOp, PreluOp,
                   ReluOp, LeakyReluOp, EluOp, SeluOp, SoftplusOp, MishOp, SwishOp, HardSigmoidOp,
                   HardSwishOp, SigmoidOp, TanhOp, GeluOp, ExpOp, LogOp, SqrtOp, RsqrtOp,
                   ReciprocalOp, AbsOp, NegOp, ErfOp, FloorOp, CeilOp, RoundOp, CastOp, IsNanOp,
                   LogicalNotOp>(op);
}

llvm::LogicalResult sinkBelowElementwise(mlir::Operation* op, Replacement& make,
                                         ValueFacts& facts) {
  if (!isElementwise(op)) return mlir::failure();
  auto rank = facts.rankOf(op->getResult(0));
  if (!rank || *rank < 3) return mlir::failure();
  llvm::SmallVector<Value> arguments = argumentsOf(op);
  llvm::SmallVector<Turn> turns;
  bool has_transpose = false;
  for (Value argument : arguments) {
    turns.push_back(argument ? turnOf(argument, *rank, facts) : Turn::kAsIs);
    if (turns.back() == Turn::kNot) return mlir::failure();
    if (turns.back() != Turn::kTransposed) continue;
    // One of fewer dimensions is aligned otherwise.
    if (facts.rankOf(argument) != rank) return mlir::failure();
    has_transpose = true;
  }
  if (!has_transpose) return mlir::failure();
  for (auto [argument, turn] : llvm::zip(arguments, turns)) {
    if (argument) argument = turned(argument, turn, *rank, make, facts);
  }
  Value result = make.value(op->getName().stripDialect(), arguments, tableAttributesOf(op));
  return finishTurned(make, result, *rank);
}

// Scales of channels are those of another axis. Blocks of elements would be others.
template <typename Op>
llvm::LogicalResult sinkBelowQuantization(Op op, Replacement& make, ValueFacts& facts) {
  Value last = lastOf(op->getOperand(0), facts);
  if (!last || integerOf(op, "block") != 0) return mlir::failure();
  const size_t rank = facts.of(last).shape.rank();
  llvm::SmallVector<Value> arguments = argumentsOf(op);
  arguments[0] = last;
  mlir::NamedAttrList attributes = tableAttributesOf(op);
  if (!facts.of(arguments[1]).shape.num_elements().is(1)) {
    const int64_t axis = integerOf(op, "axis"), size = static_cast<int64_t>(rank);
    const int64_t normal = axis < 0 ? axis + size : axis;
    attributes.set("axis", make.rewriter().getI64IntegerAttr(
                               channelsToFirst(rank)[static_cast<size_t>(normal)]));
  }
  return finishTurned(
      make, make.value(op->getName().stripDialect(), arguments, attributes.getAttrs()), rank);
}

llvm::LogicalResult sinkBelowConcat(ConcatOp op, Replacement& make, ValueFacts& facts) {
  auto rank = facts.rankOf(op.result());
  auto axis = facts.elementsOf(op->getOperands().back());
  if (!rank || *rank < 3 || !axis) return mlir::failure();
  llvm::SmallVector<Value> pieces;
  bool has_transpose = false;
  for (Value piece : op->getOperands().drop_back()) {
    Value last = lastOf(piece, facts);
    has_transpose |= static_cast<bool>(last);
    if (!last && !facts.isConstant(piece)) return mlir::failure();
    pieces.push_back(last ? last : piece);
  }
  if (!has_transpose) return mlir::failure();
  for (auto [piece, old] : llvm::zip(pieces, op->getOperands())) {
    if (piece == old) piece = make.transpose(piece, channelsToLast(*rank));
  }
  const int64_t at =
      axis->front() < 0 ? axis->front() + static_cast<int64_t>(*rank) : axis->front();
  pieces.push_back(make.graph().integer(channelsToFirst(*rank)[static_cast<size_t>(at)]));
  Value result = make.value("concat", pieces);
  return finishTurned(make, result, *rank);
}

// Numbers for each dimension, `each` of them, in the order of the other layout.
Integers reordered(llvm::ArrayRef<int64_t> numbers, size_t each) {
  const size_t rank = numbers.size() / each;
  Integers result;
  for (int64_t from : channelsToLast(rank)) {
    for (size_t i = 0; i < each; ++i) {
      result.push_back(numbers[static_cast<size_t>(from) * each + i]);
    }
  }
  return result;
}

template <typename Op>
llvm::LogicalResult sinkBelowPad(Op op, Replacement& make, ValueFacts& facts) {
  Value last = lastOf(op.argument("input"), facts);
  auto rows = facts.elementsOf(op.argument("paddings"));
  if (!last || !rows) return mlir::failure();
  const size_t rank = rows->size() / 2;
  auto type =
      mlir::RankedTensorType::get({static_cast<int64_t>(rank), 2}, make.rewriter().getI64Type());
  llvm::SmallVector<Value> arguments = argumentsOf(op);
  arguments[0] = last;
  arguments[1] = make.graph().constant(
      mlir::DenseElementsAttr::get(type, llvm::ArrayRef<int64_t>(reordered(*rows, 2))));
  Value result = make.value(op->getName().stripDialect(), arguments, tableAttributesOf(op));
  return finishTurned(make, result, rank);
}

llvm::LogicalResult sinkBelowSlice(SliceOp op, Replacement& make, ValueFacts& facts) {
  Value last = lastOf(op.argument("input"), facts);
  auto begin = facts.elementsOf(op.argument("begin")), size = facts.elementsOf(op.argument("size"));
  if (!last || !begin || !size) return mlir::failure();
  GraphBuilder& graph = make.graph();
  Value result = make.value(
      "slice", {last, graph.integers(reordered(*begin, 1)), graph.integers(reordered(*size, 1))});
  return finishTurned(make, result, begin->size());
}

// Dimensions keep their order, those that are left, or the transpose of them comes behind.
template <typename Op>
llvm::LogicalResult sinkBelowReduction(Op op, Replacement& make, ValueFacts& facts) {
  Value last = lastOf(op.argument("input"), facts);
  auto axes = facts.elementsOf(op->getOperand(1));
  if (!last || !axes) return mlir::failure();
  const size_t rank = facts.of(last).shape.rank();
  const Integers to_first = channelsToFirst(rank);
  Integers mapped;
  std::vector<bool> is_reduced(rank);
  for (int64_t axis : *axes) {
    const auto at = static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(rank) : axis);
    mapped.push_back(to_first[at]);
    is_reduced[static_cast<size_t>(to_first[at])] = true;
  }
  Value result = make.value(op->getName().stripDialect(), {last, make.graph().integers(mapped)},
                            tableAttributesOf(op));
  if (!result) return mlir::failure();
  if (boolOf(op, "keep_dims")) return finishTurned(make, result, rank);
  // Where each dimension that is left has gone.
  Integers left(rank, 0), permutation;
  int64_t count = 0;
  for (size_t i = 0; i < rank; ++i) left[i] = is_reduced[i] ? -1 : count++;
  for (int64_t from : to_first) {
    if (left[static_cast<size_t>(from)] >= 0)
      permutation.push_back(left[static_cast<size_t>(from)]);
  }
  if (std::ranges::is_sorted(permutation)) return make.finish(result);
  return make.finish(make.transpose(result, permutation));
}

// Numbers for each dimension, `times` rows of them, in the order of the other layout; null if there
// are others.
Value reorderedVector(Value vector, size_t rank, size_t times, Replacement& make,
                      ValueFacts& facts) {
  if (!facts.of(vector).shape.num_elements().is(static_cast<int64_t>(rank * times))) return {};
  Integers from;
  for (size_t i = 0; i < times; ++i) {
    for (int64_t axis : channelsToLast(rank)) from.push_back(axis + static_cast<int64_t>(i * rank));
  }
  GraphBuilder& graph = make.graph();
  if (auto known = facts.elementsOf(vector); known && times == 1) {
    return graph.integers(reordered(*known, 1));
  }
  return make.value("gather", {vector, graph.integers(from), graph.integer(0)});
}

// Arguments: input, sizes, scales, box (begins, then ends).
llvm::LogicalResult sinkBelowResize(ResizeOp op, Replacement& make, ValueFacts& facts) {
  llvm::SmallVector<Value> arguments = argumentsOf(op);
  Value last = lastOf(arguments[0], facts);
  auto rank = facts.rankOf(arguments[0]);
  if (!last || !rank) return mlir::failure();
  arguments[0] = last;
  for (size_t i = 1; i < arguments.size(); ++i) {
    if (!arguments[i]) continue;
    arguments[i] = reorderedVector(arguments[i], *rank, i == 3 ? 2 : 1, make, facts);
    if (!arguments[i]) return mlir::failure();
  }
  Value result = make.value("resize", arguments, tableAttributesOf(op));
  return finishTurned(make, result, *rank);
}

}  // namespace

void addTransposeSinking(mlir::RewritePatternSet& patterns, ValueFacts& facts) {
  addRule(patterns, facts, mergeTransposes, 2);
  addRule(patterns, facts, sinkBelowElementwise);
  addRule(patterns, facts, sinkBelowQuantization<QuantizeOp>);
  addRule(patterns, facts, sinkBelowQuantization<DequantizeOp>);
  addRule(patterns, facts, sinkBelowConcat);
  addRule(patterns, facts, sinkBelowPad<PadOp>);
  addRule(patterns, facts, sinkBelowPad<PadWithOp>);
  addRule(patterns, facts, sinkBelowSlice);
  addRule(patterns, facts, sinkBelowReduction<ReduceMeanOp>);
  addRule(patterns, facts, sinkBelowReduction<ReduceSumOp>);
  addRule(patterns, facts, sinkBelowReduction<ReduceMaxOp>);
  addRule(patterns, facts, sinkBelowReduction<ReduceMinOp>);
  addRule(patterns, facts, sinkBelowResize);
}

}  // namespace tfrt::compiler::graph
