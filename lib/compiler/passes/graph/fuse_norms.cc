// Normalisations of rows that programs write as what they are made of.

#include "factors.h"
#include "graph_passes.h"
#include "rewriting.h"

namespace tfrt::compiler::graph {
namespace {

using mlir::Value;

// The value whose mean over the last dimension this is, which stays as one of size 1.
Value averagedRow(Value value, ValueFacts& facts) {
  mlir::Operation* op = made<ReduceMeanOp>(value);
  if (!op || !boolOf(op, "keep_dims")) return {};
  auto axes = facts.elementsOf(op->getOperand(1));
  auto rank = facts.rankOf(op->getOperand(0));
  if (!axes || axes->size() != 1 || !rank) return {};
  const int64_t last = static_cast<int64_t>(*rank) - 1;
  return axes->front() == -1 || axes->front() == last ? op->getOperand(0) : Value();
}

// The value whose square this is.
Value squared(Value value, ValueFacts& facts) {
  mlir::Operation* op = madeForOne<MulOp, PowOp>(value);
  if (!op) return {};
  if (mlir::isa<PowOp>(op)) {
    return facts.isScalar(op->getOperand(1), 2) ? op->getOperand(0) : Value();
  }
  return op->getOperand(0) == op->getOperand(1) ? op->getOperand(0) : Value();
}

// sqrt(mean(v^2) + epsilon)
struct Deviation {
  Value of;
  double epsilon;
};
std::optional<Deviation> deviationOf(Value sum, ValueFacts& facts) {
  mlir::Operation* add = madeForOne<AddOp>(sum);
  if (!add) return std::nullopt;
  for (unsigned i : {0, 1}) {
    auto epsilon = facts.scalarOf(add->getOperand(1 - i));
    Value square = averagedRow(add->getOperand(i), facts);
    Value of = square && add->getOperand(i).hasOneUse() ? squared(square, facts) : Value();
    if (epsilon && of) return Deviation{of, *epsilon};
  }
  return std::nullopt;
}
std::optional<Deviation> rootOf(Value root, ValueFacts& facts) {
  mlir::Operation* op = madeForOne<SqrtOp, PowOp>(root);
  if (!op || (mlir::isa<PowOp>(op) && !facts.isScalar(op->getOperand(1), 0.5))) return std::nullopt;
  return deviationOf(op->getOperand(0), facts);
}
// 1 / sqrt(...), however it is written.
std::optional<Deviation> inverseRootOf(Value value, ValueFacts& facts) {
  if (mlir::Operation* op = madeForOne<RsqrtOp>(value)) {
    return deviationOf(op->getOperand(0), facts);
  }
  if (mlir::Operation* op = madeForOne<ReciprocalOp>(value)) {
    return rootOf(op->getOperand(0), facts);
  }
  if (mlir::Operation* op = madeForOne<DivOp>(value)) {
    return facts.isScalar(op->getOperand(0), 1) ? rootOf(op->getOperand(1), facts) : std::nullopt;
  }
  mlir::Operation* op = madeForOne<PowOp>(value);
  bool inverts = op && facts.isScalar(op->getOperand(1), -0.5);
  return inverts ? deviationOf(op->getOperand(0), facts) : std::nullopt;
}

// A vector for each row, all of one number.
Value filled(int64_t size, double number, Replacement& make) {
  GraphBuilder& graph = make.graph();
  Value one = graph.number(graph.builder().getF32Type(), number);
  return make.value("broadcast_to", {one, graph.integers({size})});
}

// value / deviation, of which the value is x - mean(x), or x itself.
llvm::LogicalResult normalised(Value value, std::optional<Deviation> deviation, Value result,
                               Replacement& make, ValueFacts& facts) {
  if (!deviation || deviation->of != value || facts.of(value).dtype != DType::kF32) {
    return mlir::failure();
  }
  const SymbolicShape& shape = facts.of(value).shape;
  if (!shape.has_rank() || shape.rank() == 0 || !shape.dims().back().is_known()) {
    return mlir::failure();
  }
  if (!facts.haveSameShape(value, result)) return mlir::failure();
  const int64_t size = shape.dims().back().value();
  auto epsilon = make.graph().attribute("epsilon", static_cast<float>(deviation->epsilon));
  mlir::Operation* centred = made<SubOp>(value);
  if (centred && averagedRow(centred->getOperand(1), facts) == centred->getOperand(0)) {
    Value ones = filled(size, 1, make), zeros = filled(size, 0, make);
    return make.finish(make.value("layer_norm", {centred->getOperand(0), ones, zeros}, {epsilon}));
  }
  return make.finish(make.value("rms_norm", {value, filled(size, 1, make)}, {epsilon}));
}

llvm::LogicalResult quotientIsNorm(DivOp op, Replacement& make, ValueFacts& facts) {
  return normalised(op.argument("x"), rootOf(op.argument("y"), facts), op.result(), make, facts);
}
llvm::LogicalResult productIsNorm(MulOp op, Replacement& make, ValueFacts& facts) {
  for (auto [value, inverse] : eitherOrder(op)) {
    auto deviation = inverseRootOf(inverse, facts);
    if (mlir::succeeded(normalised(value, deviation, op.result(), make, facts))) {
      return mlir::success();
    }
  }
  return mlir::failure();
}

// A constant with a number for each element of a row, as a vector; null if it is something else.
Value rowVector(Value constant, Value rows, Replacement& make, ValueFacts& facts) {
  auto sizes = facts.sizesOf(constant);
  const SymbolicShape& shape = facts.of(rows).shape;
  if (!sizes || sizes->empty() || !facts.isConstant(constant)) return {};
  if (!shape.has_rank() || shape.rank() < sizes->size() || !shape.dims().back().is(sizes->back())) {
    return {};
  }
  for (size_t i = 0; i + 1 < sizes->size(); ++i) {
    if ((*sizes)[i] != 1) return {};
  }
  return sizes->size() == 1 ? constant : make.reshape(constant, {sizes->back()});
}

llvm::SmallVector<mlir::NamedAttribute> epsilonAttributeOf(mlir::Operation* norm) {
  mlir::Attribute epsilon = norm->getAttr("epsilon");
  if (!epsilon) return {};
  return {{mlir::StringAttr::get(norm->getContext(), "epsilon"), epsilon}};
}

// Factors become the scale, and those of the offset, which is often 0.
llvm::LogicalResult factorIsScale(MulOp op, Replacement& make, ValueFacts& facts) {
  for (auto [value, factor] : eitherOrder(op)) {
    mlir::Operation* norm = madeForOne<LayerNormOp, RmsNormOp>(value);
    if (!norm || !facts.isConstant(norm->getOperand(1))) continue;
    const bool has_offset = mlir::isa<LayerNormOp>(norm);
    if (has_offset && !facts.isConstant(norm->getOperand(2))) continue;
    Value vector = rowVector(factor, value, make, facts);
    if (!vector) continue;
    Value scale = norm->getOperand(1);
    scale = facts.isScalar(scale, 1) ? vector : make.value("mul", {scale, vector});
    llvm::SmallVector<Value> arguments = {norm->getOperand(0), scale};
    if (has_offset) {
      Value offset = norm->getOperand(2);
      arguments.push_back(facts.isScalar(offset, 0) ? offset : make.value("mul", {offset, vector}));
    }
    return make.finish(
        make.value(norm->getName().stripDialect(), arguments, epsilonAttributeOf(norm)));
  }
  return mlir::failure();
}
llvm::LogicalResult summandIsOffset(AddOp op, Replacement& make, ValueFacts& facts) {
  for (auto [value, summand] : eitherOrder(op)) {
    mlir::Operation* norm = madeForOne<LayerNormOp>(value);
    if (!norm || !facts.isConstant(norm->getOperand(2))) continue;
    Value vector = rowVector(summand, value, make, facts);
    if (!vector) continue;
    Value offset = norm->getOperand(2);
    offset = facts.isScalar(offset, 0) ? vector : make.value("add", {offset, vector});
    return make.finish(make.value("layer_norm", {norm->getOperand(0), norm->getOperand(1), offset},
                                  epsilonAttributeOf(norm)));
  }
  return mlir::failure();
}

}  // namespace

void addNormFusion(mlir::RewritePatternSet& patterns, ValueFacts& facts) {
  addRule(patterns, facts, quotientIsNorm, 2);
  addRule(patterns, facts, productIsNorm, 2);
  addRule(patterns, facts, factorIsScale, 2);
  addRule(patterns, facts, summandIsOffset, 2);
}

}  // namespace tfrt::compiler::graph
