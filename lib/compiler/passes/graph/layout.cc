// Channels last inside the program, whatever it has at its borders: convolutions read and write
// [N,X...,C], where kernels are fastest, and the transposes between them cancel.

#include "layout.h"

#include <type_traits>

#include "graph_passes.h"
#include "mlir/Pass/Pass.h"
#include "products.h"

namespace tfrt::compiler::graph {

#define GEN_PASS_DEF_LAYOUTPASS
#include "lib/compiler/graph_passes.h.inc"

namespace {

using mlir::Value;
using Integers = std::vector<int64_t>;

// On transposes, while the pass runs: it made them.
constexpr llvm::StringLiteral kTurned = "graph.turned";

mlir::NamedAttrList withChannelsLast(mlir::Operation* op, GraphBuilder& graph) {
  mlir::NamedAttrList attributes = tableAttributesOf(op);
  attributes.set("channels_last", graph.builder().getBoolAttr(true));
  return attributes;
}

// With transposes before and behind it. Filters are constants, which are turned once. `addend`: the
// place of the argument that is like the result.
template <typename Op, size_t addend = 3>
llvm::LogicalResult turnConvolution(Op op, Replacement& make, ValueFacts& facts) {
  auto rank = facts.rankOf(op.argument("input"));
  const bool has_bytes = std::is_same_v<Op, QuantizedConvOp>;
  if (boolOf(op, "channels_last") || !rank || *rank < 3 ||
      !facts.isConstant(op.argument("filter")) ||
      (!has_bytes && facts.of(op.argument("input")).dtype != DType::kF32)) {
    return mlir::failure();
  }
  llvm::SmallVector<Value> arguments = argumentsOf(op);
  const Integers to_last = channelsToLast(*rank);
  arguments[0] = make.transpose(arguments[0], to_last);
  // [O,I,X...] is [X...,I,O] there; of a transposed convolution the first two are the other way
  // round in both.
  Integers filter(*rank);
  std::iota(filter.begin(), filter.end(), 2);
  filter[*rank - 2] = 1;
  filter[*rank - 1] = 0;
  arguments[1] = make.transpose(arguments[1], filter);
  if (arguments.size() > addend && arguments[addend]) {
    arguments[addend] = make.transpose(arguments[addend], to_last);
  }
  Value result =
      make.value(op->getName().stripDialect(), arguments, withChannelsLast(op, make.graph()));
  return finishTurned(make, result, *rank);
}

// Windows without filters stand between convolutions: they follow what comes before them.
template <typename Op>
llvm::LogicalResult turnWindows(Op op, Replacement& make, ValueFacts& facts) {
  Value last = lastOf(op.argument("input"), facts);
  if (!last || boolOf(op, "channels_last")) return mlir::failure();
  const size_t rank = facts.of(last).shape.rank();
  Value result =
      make.value(op->getName().stripDialect(), {last}, withChannelsLast(op, make.graph()));
  return finishTurned(make, result, rank);
}

// A product with images whose elements are one row: the rows of the matrix are turned instead.
template <typename Op>
llvm::LogicalResult turnMatrix(Op op, Replacement& make, ValueFacts& facts) {
  auto product = productOf(op, facts);
  if (!product || product->transpose_a || facts.rankOf(product->b) != 2 ||
      !facts.isConstant(product->b)) {
    return mlir::failure();
  }
  mlir::Operation* flatten = madeForOne<ReshapeOp>(product->a);
  Value last = flatten ? lastOf(flatten->getOperand(0), facts) : Value();
  if (!last) return mlir::failure();
  const SymbolicShape &images = facts.of(last).shape, &rows = facts.of(product->a).shape;
  auto matrix = facts.sizesOf(product->b);
  // [N,X...,C], of which the sizes but N are known, as [N,K].
  Integers sizes;
  int64_t count = 1;
  for (Dim dim : images.dims().subspan(1)) {
    if (!dim.is_known()) return mlir::failure();
    sizes.push_back(dim.value());
    count *= dim.value();
  }
  if (!matrix || rows.rank() != 2 || !rows.dim(0).IsSameAs(images.dim(0)) ||
      !rows.dim(1).is(count)) {
    return mlir::failure();
  }
  // The matrix as [C,X...,M] or [M,C,X...], turned, and flat again.
  const size_t first = product->transpose_b ? 1 : 0, spatial = sizes.size() - 1;
  Integers whole = {sizes.back()};
  whole.insert(whole.end(), sizes.begin(), sizes.end() - 1);
  const int64_t columns = (*matrix)[product->transpose_b ? 0 : 1];
  whole.insert(first == 1 ? whole.begin() : whole.end(), columns);
  Integers turned(whole.size());
  std::iota(turned.begin(), turned.end(), 0);
  for (size_t i = 0; i < spatial; ++i) turned[first + i] = static_cast<int64_t>(first + 1 + i);
  turned[first + spatial] = static_cast<int64_t>(first);
  product->b = make.reshape(make.transpose(make.reshape(product->b, whole), turned), *matrix);
  product->a = make.value("reshape", {last, flatten->getOperand(1)});
  return make.finish(putProduct(*product, make, facts));
}

struct LayoutPass : impl::LayoutPassBase<LayoutPass> {
  using LayoutPassBase::LayoutPassBase;
  void runOnOperation() override {
    mlir::func::FuncOp function = getOperation();
    if (function.isExternal()) return;
    const size_t before = countTransposes(function);
    ValueFacts facts(function);
    mlir::RewritePatternSet patterns(&getContext());
    addRule(patterns, facts, turnConvolution<ConvOp>);
    addRule(patterns, facts, turnConvolution<FusedConvOp>);
    addRule(patterns, facts, turnConvolution<QuantizedConvOp, 7>);
    addRule(patterns, facts, turnConvolution<ConvTransposeOp>);
    addRule(patterns, facts, turnWindows<MaxPoolOp>);
    addRule(patterns, facts, turnWindows<AveragePoolOp>);
    addRule(patterns, facts, turnWindows<LpPoolOp>);
    addRule(patterns, facts, turnWindows<DepthToSpaceOp>);
    addRule(patterns, facts, turnWindows<SpaceToDepthOp>);
    addRule(patterns, facts, turnMatrix<MatmulOp>);
    addRule(patterns, facts, turnMatrix<BatchMatmulOp>);
    addRule(patterns, facts, turnMatrix<FusedBatchMatmulOp>);
    addTransposeSinking(patterns, facts);
    if (mlir::failed(applyPatterns(function, facts, std::move(patterns)))) {
      function.emitError("transposes move for ever");
      return signalPassFailure();
    }
    size_t turned = 0;
    function.walk([&](mlir::Operation* op) {
      op->removeAttr(kTurned);
      turned += mlir::isa<ConvOp, FusedConvOp, QuantizedConvOp, ConvTransposeOp>(op) &&
                boolOf(op, "channels_last");
    });
    if (remarks) {
      function.emitRemark() << turned << " convolutions have their channels last; had " << before
                            << " transposes, has " << countTransposes(function);
    }
  }

 private:
  static size_t countTransposes(mlir::func::FuncOp function) {
    size_t count = 0;
    ConstantFacts constants;
    function.walk([&](TransposeOp op) { count += !constants.isConstant(op.result()); });
    return count;
  }
};

}  // namespace

Value lastOf(Value value, ValueFacts& facts) {
  mlir::Operation* op = made<TransposeOp>(value);
  auto permutation = op ? facts.elementsOf(op->getOperand(1)) : std::nullopt;
  if (!permutation || permutation->size() < 3) return {};
  if (permutation->size() == 3 && !op->hasAttr(kTurned)) return {};
  return *permutation == channelsToFirst(permutation->size()) ? op->getOperand(0) : Value();
}

llvm::LogicalResult finishTurned(Replacement& make, Value last, size_t rank) {
  if (!last) return mlir::failure();
  Value first = make.transpose(last, channelsToFirst(rank));
  first.getDefiningOp()->setAttr(kTurned, make.rewriter().getUnitAttr());
  return make.finish(first);
}

}  // namespace tfrt::compiler::graph
