// Canonical forms of ops that move elements: changes of shape are reshapes, parts are slices, and
// what moves nothing is gone.

#include <algorithm>

#include "graph_passes.h"
#include "rewriting.h"
#include "views.h"

namespace tfrt::compiler::graph {
namespace {

using mlir::Value;
using Integers = std::vector<int64_t>;

llvm::LogicalResult dropReshape(ReshapeOp op, Replacement& make, ValueFacts& facts) {
  if (facts.haveSameShape(op.argument("tensor"), op.result()))
    return make.finish(op.argument("tensor"));
  // The shape before does not matter, if the inner op cannot fail: no target asks for sizes of the
  // old shape.
  mlir::Operation* inner = made<ReshapeOp, ExpandDimsOp>(op.argument("tensor"));
  if (!inner ||
      !haveSameCount(facts.of(inner->getOperand(0)).shape, facts.of(op.argument("tensor")).shape)) {
    return mlir::failure();
  }
  return make.finish(make.value("reshape", {inner->getOperand(0), op.argument("shape")}));
}

template <typename Op>
llvm::LogicalResult isReshape(Op op, Replacement& make, ValueFacts& facts) {
  auto sizes = targetOf(facts.of(op.result()).shape);
  return sizes ? make.finish(make.reshape(op.argument("input"), *sizes)) : mlir::failure();
}

// The sizes that it drops must be 1: a reshape to sizes of which one is left would take any.
llvm::LogicalResult squeezeIsReshape(SqueezeOp op, Replacement& make, ValueFacts& facts) {
  const SymbolicShape& in = facts.of(op.argument("input")).shape;
  if (!in.has_rank()) return mlir::failure();
  for (int64_t axis : integersOf(op, "axes")) {
    const int64_t from_front = axis < 0 ? axis + static_cast<int64_t>(in.rank()) : axis;
    if (!in.dim(static_cast<size_t>(from_front)).is(1)) return mlir::failure();
  }
  return isReshape(op, make, facts);
}

llvm::LogicalResult composeTransposes(TransposeOp op, Replacement& make, ValueFacts& facts) {
  auto permutation = facts.elementsOf(op.argument("perm"));
  if (!permutation) return mlir::failure();
  if (std::ranges::is_sorted(*permutation)) return make.finish(op.argument("x"));
  auto inner = op.argument("x").getDefiningOp<TransposeOp>();
  auto before = inner ? facts.elementsOf(inner.argument("perm")) : std::nullopt;
  if (!before) return mlir::failure();
  for (int64_t& axis : *permutation) axis = (*before)[static_cast<size_t>(axis)];
  return make.finish(make.transpose(inner.argument("x"), *permutation));
}

// One that moves only dimensions of size 1 moves nothing.
llvm::LogicalResult transposeIsReshape(TransposeOp op, Replacement& make, ValueFacts& facts) {
  auto permutation = facts.elementsOf(op.argument("perm"));
  const SymbolicShape& in = facts.of(op.argument("x")).shape;
  auto sizes = targetOf(facts.of(op.result()).shape);
  if (!permutation || !in.has_rank() || !sizes) return mlir::failure();
  int64_t last = -1;
  for (int64_t axis : *permutation) {
    if (in.dim(static_cast<size_t>(axis)).is(1)) continue;
    if (axis < last) return mlir::failure();
    last = axis;
  }
  return make.finish(make.reshape(op.argument("x"), *sizes));
}

// Transposes and reshapes that together leave all elements where they were.
template <typename Op>
llvm::LogicalResult chainIsReshape(Op op, Replacement& make, ValueFacts& facts) {
  mlir::Operation* inner = made<ReshapeOp, TransposeOp>(op->getOperand(0));
  auto sizes = targetOf(facts.of(op->getResult(0)).shape);
  if (!inner || !sizes || (mlir::isa<ReshapeOp>(op) && mlir::isa<ReshapeOp>(inner))) {
    return mlir::failure();
  }
  auto view = viewOf(op->getResult(0), facts);
  if (!view || view->base == op->getResult(0) || view->offset != 0) return mlir::failure();
  Extent count = 1, all = 1;
  for (size_t i = view->sizes.size(); i-- > 0;) {
    if (!view->sizes[i].is(1) && !(view->strides[i] == count)) return mlir::failure();
    count = count * view->sizes[i];
  }
  for (Dim dim : facts.of(view->base).shape.dims()) all = all * Extent(dim);
  return count == all ? make.finish(make.reshape(view->base, *sizes)) : mlir::failure();
}

llvm::LogicalResult flattenConcat(ConcatOp op, Replacement& make, ValueFacts& facts) {
  mlir::OperandRange operands = op->getOperands();
  auto axis = facts.elementsOf(operands.back());
  auto rank = facts.rankOf(op.result());
  if (!axis || !rank) return mlir::failure();
  auto normal = [&](int64_t at) {
    return static_cast<size_t>(at < 0 ? at + static_cast<int64_t>(*rank) : at);
  };
  const size_t along = normal(axis->front());
  llvm::SmallVector<Value> pieces;
  bool changed = false;
  for (Value piece : operands.drop_back()) {
    const SymbolicShape& shape = facts.of(piece).shape;
    if (shape.has_rank() && shape.dim(along).is(0)) {
      changed = true;
      continue;
    }
    mlir::Operation* inner = madeForOne<ConcatOp>(piece);
    auto inner_axis = inner ? facts.elementsOf(inner->getOperands().back()) : std::nullopt;
    if (inner_axis && normal(inner_axis->front()) == along) {
      llvm::append_range(pieces, inner->getOperands().drop_back());
      changed = true;
    } else {
      pieces.push_back(piece);
    }
  }
  if (pieces.size() == 1) return make.finish(pieces[0]);
  if (!changed || pieces.empty()) return mlir::failure();
  pieces.push_back(operands.back());
  return make.finish(make.value("concat", pieces));
}

llvm::LogicalResult dropSlice(SliceOp op, Replacement& make, ValueFacts& facts) {
  if (!facts.haveSameShape(op.argument("input"), op.result())) return mlir::failure();
  return make.finish(op.argument("input"));
}

// With steps of 1 and all else known.
llvm::LogicalResult stridedIsSlice(StridedSliceOp op, Replacement& make, ValueFacts& facts) {
  auto steps = facts.elementsOf(op.argument("strides"));
  const SymbolicShape &in = facts.of(op.argument("input")).shape,
                      &out = facts.of(op.result()).shape;
  if (!steps || !in.has_rank() || !out.has_rank() || in.rank() != out.rank()) {
    return mlir::failure();
  }
  for (llvm::StringRef mask : {"ellipsis_mask", "new_axis_mask", "shrink_axis_mask"}) {
    if (integerOf(op, mask) != 0) return mlir::failure();
  }
  if (std::ranges::any_of(*steps, [](int64_t step) { return step != 1; })) return mlir::failure();
  const auto open = static_cast<uint64_t>(integerOf(op, "begin_mask"));
  const auto open_end = static_cast<uint64_t>(integerOf(op, "end_mask"));
  const auto& begins = facts.of(op.argument("begin")).elements;
  Integers begin(in.rank(), 0), size(in.rank(), -1);
  for (size_t i = 0; i < steps->size(); ++i) {
    if ((open >> i & 1) != 0 && (open_end >> i & 1) != 0) continue;
    if (!in.dim(i).is_known() || !out.dim(i).is_known()) return mlir::failure();
    const int64_t whole = in.dim(i).value();
    if ((open >> i & 1) == 0) {
      if (!begins || !(*begins)[i].is_known()) return mlir::failure();
      const int64_t from = (*begins)[i].value();
      begin[i] = std::clamp<int64_t>(from < 0 ? from + whole : from, 0, whole);
    }
    size[i] = out.dim(i).value();
    // An empty one may begin anywhere.
    if (size[i] == 0) begin[i] = 0;
  }
  GraphBuilder& graph = make.graph();
  return make.finish(
      make.value("slice", {op.argument("input"), graph.integers(begin), graph.integers(size)}));
}

// One place along an axis is a part of size 1.
llvm::LogicalResult gatherIsSlice(GatherOp op, Replacement& make, ValueFacts& facts) {
  auto index = facts.elementsOf(op.argument("indices")),
       axis = facts.elementsOf(op.argument("axis"));
  const SymbolicShape& in = facts.of(op.argument("params")).shape;
  auto sizes = targetOf(facts.of(op.result()).shape);
  if (!index || index->size() != 1 || !axis || !in.has_rank() || !sizes) return mlir::failure();
  if (integerOf(op, "batch_dims") != 0) return mlir::failure();
  const auto rank = static_cast<int64_t>(in.rank());
  const auto along = static_cast<size_t>(axis->front() < 0 ? axis->front() + rank : axis->front());
  const Dim whole = in.dim(along);
  if (!whole.is_known() || index->front() < 0 || index->front() >= whole.value()) {
    return mlir::failure();
  }
  Integers begin(in.rank(), 0), size(in.rank(), -1);
  begin[along] = index->front();
  size[along] = 1;
  GraphBuilder& graph = make.graph();
  Value part =
      make.value("slice", {op.argument("params"), graph.integers(begin), graph.integers(size)});
  return part ? make.finish(make.reshape(part, *sizes)) : mlir::failure();
}

// Removes the handling of indices below 0 by the program: gather itself counts them from the end.
// It takes i instead of select(i < 0, i + size, i).
llvm::LogicalResult dropWrapping(GatherOp op, Replacement& make, ValueFacts& facts) {
  auto choice = op.argument("indices").getDefiningOp<SelectOp>();
  auto axis = facts.elementsOf(op.argument("axis"));
  const SymbolicShape& in = facts.of(op.argument("params")).shape;
  if (!choice || !axis || !in.has_rank()) return mlir::failure();
  Value indices = choice.argument("y");
  if (facts.of(indices).elements) return mlir::failure();  // followed as they are
  auto below = choice.argument("condition").getDefiningOp<LessOp>();
  auto sum = choice.argument("x").getDefiningOp<AddOp>();
  if (!below || !sum || below.argument("x") != indices || sum.argument("x") != indices)
    return mlir::failure();
  const auto rank = static_cast<int64_t>(in.rank());
  const auto along = static_cast<size_t>(axis->front() < 0 ? axis->front() + rank : axis->front());
  const auto& bound = facts.of(sum.argument("y")).elements;
  if (!facts.isScalar(below.argument("y"), 0) || !bound || bound->size() != 1 ||
      !bound->front().IsSameAs(in.dim(along)) || !facts.haveSameShape(indices, choice.result())) {
    return mlir::failure();
  }
  mlir::Attribute batch_dims = op->getAttr("batch_dims");
  llvm::SmallVector<mlir::NamedAttribute> attributes;
  if (batch_dims) {
    attributes.emplace_back(mlir::StringAttr::get(op->getContext(), "batch_dims"), batch_dims);
  }
  return make.finish(
      make.value("gather", {op.argument("params"), indices, op.argument("axis")}, attributes));
}

template <typename Op>
llvm::LogicalResult dropPad(Op op, Replacement& make, ValueFacts& facts) {
  auto paddings = facts.elementsOf(op.argument("paddings"));
  if (!paddings || std::ranges::any_of(*paddings, [](int64_t n) { return n != 0; })) {
    return mlir::failure();
  }
  return make.finish(op.argument("input"));
}

llvm::LogicalResult dropTile(TileOp op, Replacement& make, ValueFacts& facts) {
  auto times = facts.elementsOf(op.argument("multiples"));
  if (!times || std::ranges::any_of(*times, [](int64_t n) { return n != 1; })) {
    return mlir::failure();
  }
  return make.finish(op.argument("input"));
}

// The user, whose operands are broadcast, gives the same without it.
bool broadcastsItself(mlir::OpOperand& use, Value input, ValueFacts& facts) {
  mlir::Operation* user = use.getOwner();
  if (!mlir::isa<AddOp, SubOp, MulOp, DivOp, MaximumOp, MinimumOp, PowOp, ModOp, LessOp,
                 LessEqualOp, GreaterOp, GreaterEqualOp, EqualOp, NotEqualOp, LogicalAndOp,
                 LogicalOrOp, LogicalXorOp, SelectOp>(user)) {
    return false;
  }
  llvm::SmallVector<const ValueType*> arguments;
  for (mlir::OpOperand& operand : user->getOpOperands()) {
    arguments.push_back(&facts.of(&operand == &use ? input : operand.get()));
  }
  auto inferred = inferResults(user, arguments);
  const SymbolicShape& before = facts.of(user->getResult(0)).shape;
  if (!inferred.ok() || !before.has_rank()) return false;
  const SymbolicShape& after = inferred->front().shape;
  return after.has_rank() && std::ranges::equal(after.dims(), before.dims(),
                                                [](Dim a, Dim b) { return a.IsSameAs(b); });
}

llvm::LogicalResult dropBroadcast(BroadcastToOp op, Replacement& make, ValueFacts& facts) {
  if (facts.haveSameShape(op.argument("input"), op.result()))
    return make.finish(op.argument("input"));
  // One after the other: of two operands of one op the first may be what makes it large.
  bool changed = false;
  for (mlir::OpOperand& use : llvm::make_early_inc_range(op.result().getUses())) {
    if (!broadcastsItself(use, op.argument("input"), facts)) continue;
    make.rewriter().modifyOpInPlace(use.getOwner(), [&] { use.set(op.argument("input")); });
    changed = true;
  }
  return mlir::success(changed);
}

// A choice between two numbers is broadcast, not what it depends on.
llvm::LogicalResult broadcastBehind(SelectOp op, Replacement& make, ValueFacts& facts) {
  mlir::Operation* broadcast = madeForOne<BroadcastToOp>(op.argument("condition"));
  if (!broadcast || !facts.scalarOf(op.argument("x")) || !facts.scalarOf(op.argument("y")))
    return mlir::failure();
  if (facts.rankOf(op.argument("x")) != 0 || facts.rankOf(op.argument("y")) != 0)
    return mlir::failure();
  Value small =
      make.value("select", {broadcast->getOperand(0), op.argument("x"), op.argument("y")});
  return small ? make.finish(make.value("broadcast_to", {small, broadcast->getOperand(1)}))
               : mlir::failure();
}

// Two matrices are the plain product.
llvm::LogicalResult batchIsPlain(BatchMatmulOp op, Replacement& make, ValueFacts& facts) {
  if (facts.rankOf(op.argument("x")) != 2 || facts.rankOf(op.argument("y")) != 2)
    return mlir::failure();
  GraphBuilder& graph = make.graph();
  return make.finish(make.value("matmul", {op.argument("x"), op.argument("y")},
                                {graph.attribute("transpose_a", boolOf(op, "transpose_a")),
                                 graph.attribute("transpose_b", boolOf(op, "transpose_b"))}));
}

}  // namespace

void addMovementForms(mlir::RewritePatternSet& patterns, ValueFacts& facts) {
  addRule(patterns, facts, dropReshape);
  addRule(patterns, facts, isReshape<ExpandDimsOp>);
  addRule(patterns, facts, squeezeIsReshape);
  addRule(patterns, facts, composeTransposes, 2);
  addRule(patterns, facts, transposeIsReshape);
  addRule(patterns, facts, chainIsReshape<TransposeOp>);
  addRule(patterns, facts, chainIsReshape<ReshapeOp>);
  addRule(patterns, facts, flattenConcat);
  addRule(patterns, facts, dropSlice);
  addRule(patterns, facts, stridedIsSlice);
  addRule(patterns, facts, gatherIsSlice);
  addRule(patterns, facts, dropWrapping);
  addRule(patterns, facts, dropPad<PadOp>);
  addRule(patterns, facts, dropPad<PadWithOp>);
  addRule(patterns, facts, dropTile);
  addRule(patterns, facts, dropBroadcast);
  addRule(patterns, facts, broadcastBehind);
  addRule(patterns, facts, batchIsPlain);
}

}  // namespace tfrt::compiler::graph
