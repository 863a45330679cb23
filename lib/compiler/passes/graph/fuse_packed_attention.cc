// Queries, keys and values that lie side by side: attention reads them where one product wrote
// them. Three products of one value become such a one.

#include <algorithm>

#include "graph_passes.h"
#include "products.h"
#include "views.h"

namespace tfrt::compiler::graph {
namespace {

using mlir::Value;

// The sizes of attention, and where its operands lie.
struct Operands {
  Extent batch, steps;
  int64_t heads, kv_heads, size;
  View q, k, v;

  int64_t width() const { return (heads + 2 * kv_heads) * size; }
};

// Reorders a view's sizes from the order of the layout to batch, steps, heads, elements.
void toBshd(View& view, bool is_bhsd) {
  if (!is_bhsd) return;
  std::swap(view.sizes[1], view.sizes[2]);
  std::swap(view.strides[1], view.strides[2]);
}

std::optional<Operands> operandsOf(AttentionOp op, ValueFacts& facts) {
  auto q = viewOf(op.argument("q"), facts), k = viewOf(op.argument("k"), facts),
       v = viewOf(op.argument("v"), facts);
  if (!q || !k || !v) return std::nullopt;
  const bool is_bhsd = textOf(op, "layout") == "bhsd";
  for (View* each : {&*q, &*k, &*v}) {
    if (each->sizes.size() != 4) return std::nullopt;
    toBshd(*each, is_bhsd);
  }
  auto heads = q->sizes[2].number(), kv_heads = k->sizes[2].number(), size = q->sizes[3].number();
  if (!heads || !kv_heads || !size || !v->sizes[3].is(*size) || *size == 0) return std::nullopt;
  Operands operands{q->sizes[0], q->sizes[1], *heads, *kv_heads, *size, *q, *k, *v};
  for (const View* each : {&*k, &*v}) {
    if (!(each->sizes[0] == q->sizes[0]) || !(each->sizes[1] == q->sizes[1])) return std::nullopt;
  }
  return operands;
}

// Rows of so many elements, in which the view's heads are in one piece from its offset on.
bool liesInRows(const View& view, int64_t row) {
  const Extent size = view.sizes[3];
  return (view.strides[3].is(1) || size.is(1)) &&
         (view.strides[2] == size || view.sizes[2].is(1)) &&
         (view.strides[1].is(row) || view.sizes[1].is(1)) &&
         (view.strides[0] == Extent(row) * view.sizes[1] || view.sizes[0].is(1));
}

bool hasRowsAlone(Value base, const Operands& operands, int64_t row, ValueFacts& facts) {
  Extent count = 1;
  const SymbolicShape& shape = facts.of(base).shape;
  for (Dim dim : shape.dims()) count = count * Extent(dim);
  return shape.rank() > 0 && count == operands.batch * operands.steps * Extent(row);
}

// The one value in which all three lie side by side; null if there is none.
Value packedBase(const Operands& operands, ValueFacts& facts) {
  const int64_t width = operands.width(), size = operands.size;
  Value base = operands.q.base;
  bool fits = operands.k.base == base && operands.v.base == base;
  fits = fits && operands.q.offset == 0 && operands.k.offset == operands.heads * size &&
         operands.v.offset == (operands.heads + operands.kv_heads) * size;
  for (const View* each : {&operands.q, &operands.k, &operands.v}) {
    fits = fits && liesInRows(*each, width);
  }
  return fits && hasRowsAlone(base, operands, width, facts) ? base : Value();
}

// A product by a constant matrix that becomes the operand of attention and nothing else.
std::optional<MatrixProduct> projectionOf(const View& view, const Operands& operands,
                                          ValueFacts& facts) {
  auto row = view.sizes[2].number();
  if (!row || view.offset != 0 || !liesInRows(view, *row * operands.size)) return std::nullopt;
  if (!hasRowsAlone(view.base, operands, *row * operands.size, facts)) return std::nullopt;
  auto product = productFor(view.base, facts);
  bool fits = product && !product->addend && product->activation.is_none() && product->scale == 1 &&
              !product->transpose_a && facts.rankOf(product->b) == 2 &&
              facts.isConstant(product->b) && (!product->bias || facts.isConstant(product->bias)) &&
              facts.of(view.base).shape.dims().back().is(*row * operands.size);
  return fits ? product : std::nullopt;
}

// The product by all three matrices side by side. Null if there are no such three.
Value mergedProjection(const Operands& operands, Replacement& make, ValueFacts& facts) {
  MatrixProduct parts[3];
  const View* views[] = {&operands.q, &operands.k, &operands.v};
  for (size_t i = 0; i < 3; ++i) {
    auto product = projectionOf(*views[i], operands, facts);
    if (!product || (i > 0 && product->a != parts[0].a)) return {};
    parts[i] = *product;
  }
  GraphBuilder& graph = make.graph();
  const bool has_bias = parts[0].bias || parts[1].bias || parts[2].bias;
  llvm::SmallVector<Value> matrices, biases;
  for (size_t i = 0; i < 3; ++i) {
    MatrixProduct& part = parts[i];
    if (part.transpose_b != parts[0].transpose_b) part.b = make.transpose(part.b, {1, 0});
    matrices.push_back(part.b);
    if (!has_bias) continue;
    if (!part.bias) {
      Value zero = graph.number(graph.builder().getF32Type(), 0);
      const int64_t size = facts.of(views[i]->base).shape.dims().back().value();
      part.bias = make.value("broadcast_to", {zero, graph.integers({size})});
    }
    biases.push_back(part.bias);
  }
  MatrixProduct merged = parts[0];
  matrices.push_back(graph.integer(merged.transpose_b ? 0 : 1));
  merged.b = make.value("concat", matrices);
  if (has_bias) {
    biases.push_back(graph.integer(0));
    merged.bias = make.value("concat", biases);
  }
  return putProduct(merged, make, facts);
}

// The value with these sizes: as it is, or by a target that can be written. Null if there is none.
Value inShape(Value value, const SymbolicShape& shape, Value like, Replacement& make,
              ValueFacts& facts) {
  const SymbolicShape& is = facts.of(value).shape;
  if (std::ranges::equal(is.dims(), shape.dims(), [](Dim a, Dim b) { return a.IsSameAs(b); })) {
    return value;
  }
  if (auto sizes = targetOf(shape)) return make.reshape(value, *sizes);
  mlir::Operation* reshape = made<ReshapeOp>(like);
  return reshape ? make.value("reshape", {value, reshape->getOperand(1)}) : Value();
}

llvm::LogicalResult packAttention(AttentionOp op, Replacement& make, ValueFacts& facts) {
  auto operands = operandsOf(op, facts);
  if (!operands || facts.of(op.argument("q")).dtype != DType::kF32) return mlir::failure();
  const bool is_bhsd = textOf(op, "layout") == "bhsd";
  const SymbolicShape& q = facts.of(op.argument("q")).shape;
  const Dim batch = q.dim(0), steps = q.dim(is_bhsd ? 2 : 1);
  const SymbolicShape result({batch, steps, operands->heads, operands->size});
  // The result must have a shape that can be written.
  const bool can_write = batch.is_known() || steps.is_known();
  if (!can_write && (is_bhsd || !made<ReshapeOp>(op.argument("q")))) return mlir::failure();
  Value base = packedBase(*operands, facts);
  if (!base) base = mergedProjection(*operands, make, facts);
  if (!base) return mlir::failure();
  Value packed = inShape(base, SymbolicShape({batch, steps, operands->width()}), {}, make, facts);
  if (!packed) return mlir::failure();
  GraphBuilder& graph = make.graph();
  llvm::SmallVector<mlir::NamedAttribute> attributes = {
      graph.attribute("heads", operands->heads), graph.attribute("kv_heads", operands->kv_heads)};
  for (llvm::StringRef name : {"causal", "causal_at_end", "masked_rows_are_zero", "scale"}) {
    if (mlir::Attribute value = op->getAttr(name)) {
      attributes.emplace_back(mlir::StringAttr::get(op->getContext(), name), value);
    }
  }
  Value attention = make.value("packed_attention", {packed, op.argument("mask")}, attributes);
  if (!attention) return mlir::failure();
  Value heads = inShape(attention, result, op.argument("q"), make, facts);
  if (heads && is_bhsd) heads = make.transpose(heads, {0, 2, 1, 3});
  return make.finish(heads);
}

}  // namespace

void addPackedAttention(mlir::RewritePatternSet& patterns, ValueFacts& facts) {
  addRule(patterns, facts, packAttention);
}

}  // namespace tfrt::compiler::graph
