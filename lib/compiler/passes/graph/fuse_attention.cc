// Attention that programs write as products with a softmax between them.

#include <algorithm>

#include "causal.h"
#include "graph_passes.h"
#include "products.h"

namespace tfrt::compiler::graph {
namespace {

using mlir::Value;
using Integers = std::vector<int64_t>;

struct Attention {
  Value q, k, v, mask;
  double scale = 1;
  bool masked_rows_are_zero = false;
  // Row i sees the keys 0 to i or, at the end, but the S - 1 - i last.
  bool causal = false, causal_at_end = false;
};

// A softmax that nothing else uses, perhaps with 0 in place of NaN.
Value softmaxOf(Value weights, bool& masked_rows_are_zero, ValueFacts& facts) {
  if (mlir::Operation* op = madeForOne<SoftmaxOp>(weights)) return op->getResult(0);
  mlir::Operation* op = madeForOne<SelectOp>(weights);
  if (!op) return {};
  Value condition = op->getOperand(0), x = op->getOperand(1), y = op->getOperand(2);
  if (mlir::Operation* inverted = madeForOne<LogicalNotOp>(condition)) {
    condition = inverted->getOperand(0);
    std::swap(x, y);
  }
  mlir::Operation *is_nan = madeForOne<IsNanOp>(condition), *softmax = made<SoftmaxOp>(y);
  if (!is_nan || !softmax || is_nan->getOperand(0) != y || !facts.isScalar(x, 0)) return {};
  if (!y.hasNUses(2)) return {};
  masked_rows_are_zero = true;
  return y;
}

bool isMasked(Value value, ValueFacts& facts) {
  auto number = facts.scalarOf(value);
  return number && isMasking(*number);
}

// Takes numbers and masks off the scores, from the last one on, down to the product. Nothing is
// made: the summands are listed.
struct Scores {
  Value product;
  double scale = 1;
  struct Part {
    Value summand;      // of scores, or of the selected number
    Value condition;    // null: a summand
    bool keeps = true;  // the scores where the condition is true
  };
  llvm::SmallVector<Part> masks;
};
std::optional<Scores> scoresOf(Value value, ValueFacts& facts) {
  Scores scores;
  // A factor behind a mask is one of the mask, too: such programs are left as they are.
  for (int steps = 0; steps < 8; ++steps) {
    if (!value.hasOneUse()) return std::nullopt;
    if (made<BatchMatmulOp>(value)) {
      scores.product = value;
      return scores;
    }
    mlir::Operation* op = made<AddOp, SelectOp, MulOp, DivOp>(value);
    if (!op) return std::nullopt;
    auto isLarge = [&](Value each) { return facts.haveSameShape(each, value); };
    if (mlir::isa<AddOp>(op)) {
      // The summand that comes from a product is the scores. If both do, the second one is taken
      // for the value that all layers share.
      unsigned i = 0;
      auto mayBeScores = [&](Value each) {
        return isLarge(each) && each.hasOneUse() &&
               made<BatchMatmulOp, AddOp, SelectOp, MulOp, DivOp>(each);
      };
      if (!mayBeScores(op->getOperand(0))) i = 1;
      if (!mayBeScores(op->getOperand(i))) return std::nullopt;
      scores.masks.push_back({op->getOperand(1 - i), {}, true});
      value = op->getOperand(i);
    } else if (mlir::isa<SelectOp>(op)) {
      const bool keeps = isMasked(op->getOperand(2), facts);
      if (!keeps && !isMasked(op->getOperand(1), facts)) return std::nullopt;
      Value kept = op->getOperand(keeps ? 1 : 2);
      if (!isLarge(kept)) return std::nullopt;
      scores.masks.push_back({op->getOperand(keeps ? 2 : 1), op->getOperand(0), keeps});
      value = kept;
    } else {
      auto number = facts.scalarOf(op->getOperand(1));
      Value scaled = op->getOperand(0);
      if (!number && mlir::isa<MulOp>(op)) {
        number = facts.scalarOf(op->getOperand(0));
        scaled = op->getOperand(1);
      }
      if (!number || *number == 0 || !isLarge(scaled)) return std::nullopt;
      // Masks that came off before stand behind this factor, as those of attention do.
      scores.scale = mlir::isa<DivOp>(op) ? scores.scale / *number : scores.scale * *number;
      value = scaled;
      // A mask in front of it would be scaled.
      if (made<AddOp, SelectOp>(value)) return std::nullopt;
    }
  }
  return std::nullopt;
}

// A value that is another one times a number, which is not 0.
struct Scaled {
  Value value;
  double factor = 1;
};

// Returns a product's operand without its scale.
Scaled unscaled(Value value, ValueFacts& facts) {
  mlir::Operation* op = madeForOne<MulOp, DivOp>(value);
  if (!op) return {value};
  for (unsigned i : {1, 0}) {
    if (i == 0 && mlir::isa<DivOp>(op)) break;
    auto number = facts.scalarOf(op->getOperand(i));
    if (!number || *number == 0 || !facts.haveSameShape(op->getOperand(1 - i), value)) continue;
    return {op->getOperand(1 - i), mlir::isa<DivOp>(op) ? 1 / *number : *number};
  }
  return {value};
}

// Returns the permutation of a transpose; nothing if another op makes the value.
std::optional<Integers> permutationOf(Value value, ValueFacts& facts) {
  mlir::Operation* op = made<TransposeOp>(value);
  return op ? facts.elementsOf(op->getOperand(1)) : std::nullopt;
}

// Heads that are repeated for groups of others: [B,h,T,D] of a reshaped broadcast [B,h,g,T,D].
Value ungrouped(Value value, ValueFacts& facts) {
  mlir::Operation* merged = madeForOne<ReshapeOp>(value);
  mlir::Operation* broadcast = merged ? madeForOne<BroadcastToOp>(merged->getOperand(0)) : nullptr;
  mlir::Operation* split =
      broadcast ? made<ReshapeOp, ExpandDimsOp>(broadcast->getOperand(0)) : nullptr;
  if (!split) return value;
  Value source = split->getOperand(0);
  const SymbolicShape &in = facts.of(source).shape, &one = facts.of(split->getResult(0)).shape,
                      &many = facts.of(broadcast->getResult(0)).shape, &out = facts.of(value).shape;
  for (auto* each : {&in, &one, &many, &out}) {
    if (!each->has_rank()) return value;
  }
  if (in.rank() != 4 || one.rank() != 5 || many.rank() != 5 || out.rank() != 4) return value;
  if (!one.dim(2).is(1) || !many.dim(2).is_known() || !in.dim(1).is_known()) return value;
  for (size_t i : {0, 1, 3, 4}) {
    const size_t j = i < 2 ? i : i - 1;
    bool same = one.dim(i).IsSameAs(in.dim(j)) && many.dim(i).IsSameAs(in.dim(j));
    if (!same || (j != 1 && !out.dim(j).IsSameAs(in.dim(j)))) return value;
  }
  return out.dim(1).is(in.dim(1).value() * many.dim(2).value()) ? source : value;
}

// Queries, keys and values of a product of a softmax with values, and how their scores are scaled.
// The keys are still transposed for the product.
std::optional<Attention> attentionOf(BatchMatmulOp op, Scores& scores, bool& keys_are_rows,
                                     ValueFacts& facts) {
  auto outer = productOf(op, facts);
  if (!outer || outer->transpose_a || outer->transpose_b) return std::nullopt;
  Attention attention;
  Value softmax = softmaxOf(outer->a, attention.masked_rows_are_zero, facts);
  if (!softmax) return std::nullopt;
  auto found = scoresOf(softmax.getDefiningOp()->getOperand(0), facts);
  auto inner = found ? productOf(found->product.getDefiningOp(), facts) : std::nullopt;
  if (!inner || inner->transpose_a) return std::nullopt;
  scores = *found;
  const Scaled queries = unscaled(inner->a, facts), keys = unscaled(inner->b, facts);
  attention.scale = scores.scale * queries.factor * keys.factor;
  attention.q = queries.value;
  attention.k = keys.value;
  attention.v = outer->b;
  keys_are_rows = inner->transpose_b;
  for (Value each : {attention.q, attention.k, attention.v}) {
    if (facts.rankOf(each) != 4) return std::nullopt;
  }
  // Both batches are those of the op: nothing is broadcast.
  const SymbolicShape &q = facts.of(attention.q).shape, &k = facts.of(attention.k).shape,
                      &v = facts.of(attention.v).shape;
  for (size_t i : {0, 1}) {
    if (!q.dim(i).IsSameAs(k.dim(i)) || !q.dim(i).IsSameAs(v.dim(i))) return std::nullopt;
  }
  return attention;
}

// The keys as [B,H,T,D]; null if that takes a transpose that the program does not have.
Value rowsOfKeys(Value keys, bool are_rows, Replacement& make, ValueFacts& facts) {
  if (are_rows) return keys;
  auto permutation = permutationOf(keys, facts);
  if (!permutation) return {};
  std::swap((*permutation)[2], (*permutation)[3]);
  Value source = keys.getDefiningOp()->getOperand(0);
  if (std::ranges::is_sorted(*permutation)) return source;
  return make.transpose(source, *permutation);
}

// The value before it was made as large as the scores, which attention does itself.
Value unbroadcast(Value value) {
  mlir::Operation* op = made<BroadcastToOp>(value);
  return op ? op->getOperand(0) : value;
}

// A mask that says which keys come before each query is what the op knows itself. One of several is
// left: in rows that see no key at all, as those of padding, they count together.
void takeCausalMask(Attention& attention, Scores& scores, ValueFacts& facts) {
  if (scores.masks.size() != 1) return;
  const Scores::Part& part = scores.masks.front();
  Value mask = part.condition ? part.condition : part.summand;
  const SymbolicShape &shape = facts.of(mask).shape, &whole = facts.of(scores.product).shape;
  if (!shape.has_rank() || shape.rank() < 2) return;
  const Dim rows = whole.dim(2), columns = whole.dim(3);
  if (!shape.dim(shape.rank() - 2).IsSameAs(rows)) return;
  if (!shape.dim(shape.rank() - 1).IsSameAs(columns)) return;
  auto offset =
      part.condition ? causalCondition(mask, !part.keeps, facts) : causalSummand(mask, facts);
  if (!offset || *offset < 0) return;
  const bool at_end = *offset > 0;
  const bool fits =
      rows.is_known() && columns.is_known() && *offset == columns.value() - rows.value();
  if (at_end && !fits) return;
  attention.causal = true;
  attention.causal_at_end = at_end;
  scores.masks.clear();
}

// All masks as one summand.
Value maskOf(const Scores& scores, Replacement& make) {
  Value mask;
  for (const Scores::Part& part : scores.masks) {
    Value summand = unbroadcast(part.summand);
    if (part.condition) {
      GraphBuilder& graph = make.graph();
      Value zero = graph.number(graph.builder().getF32Type(), 0);
      Value condition = unbroadcast(part.condition);
      summand = part.keeps ? make.value("select", {condition, zero, summand})
                           : make.value("select", {condition, summand, zero});
    }
    mask = mask ? make.value("add", {mask, summand}) : summand;
  }
  return mask;
}

llvm::LogicalResult fuseAttention(BatchMatmulOp op, Replacement& make, ValueFacts& facts) {
  Scores scores;
  bool keys_are_rows;
  auto attention = attentionOf(op, scores, keys_are_rows, facts);
  if (!attention) return mlir::failure();
  // Keys that a later transpose turns may be scaled before it.
  if (!keys_are_rows && !permutationOf(attention->k, facts)) return mlir::failure();
  const Scaled keys = unscaled(rowsOfKeys(attention->k, keys_are_rows, make, facts), facts);
  const double scale = attention->scale * keys.factor;
  Value q = attention->q, k = keys.value, v = attention->v;
  // Fewer heads must be so of both.
  Value fewer_k = ungrouped(k, facts), fewer_v = ungrouped(v, facts);
  if (facts.of(fewer_k).shape.dim(1).IsSameAs(facts.of(fewer_v).shape.dim(1))) {
    k = fewer_k;
    v = fewer_v;
  }
  takeCausalMask(*attention, scores, facts);
  Value mask = maskOf(scores, make);
  GraphBuilder& graph = make.graph();
  llvm::SmallVector<mlir::NamedAttribute> attributes;
  if (attention->causal) attributes.push_back(graph.attribute("causal", true));
  if (attention->causal_at_end) attributes.push_back(graph.attribute("causal_at_end", true));
  // The steps before the heads in all of them: no transposes.
  const Integers kSwap = {0, 2, 1, 3};
  bool is_transposed = true;
  for (Value each : {q, k, v}) is_transposed &= permutationOf(each, facts) == kSwap;
  if (is_transposed) {
    attributes.push_back(graph.attribute("layout", "bshd"));
    for (Value* each : {&q, &k, &v}) *each = each->getDefiningOp()->getOperand(0);
  }
  if (attention->masked_rows_are_zero) {
    attributes.push_back(graph.attribute("masked_rows_are_zero", true));
  }
  attributes.push_back(graph.attribute("scale", static_cast<float>(scale)));
  Value result = make.value("attention", {q, k, v, mask}, attributes);
  if (result && is_transposed) result = make.transpose(result, kSwap);
  return make.finish(result);
}

}  // namespace

void addAttentionFusion(mlir::RewritePatternSet& patterns, ValueFacts& facts) {
  addRule(patterns, facts, fuseAttention, 3);
}

}  // namespace tfrt::compiler::graph
