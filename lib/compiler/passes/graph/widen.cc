// Ops on f16 and bf16 as ops on f32, which the host computes in any case. Values keep their f32
// between two ops, so that nothing is rounded or converted there. Constants are widened when the
// program is loaded.

#include "graph_passes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/Pass.h"
#include "rewriting.h"

namespace tfrt::compiler::graph {

#define GEN_PASS_DEF_WIDENPASS
#include "lib/compiler/graph_passes.h.inc"

namespace {

using mlir::Operation;
using mlir::Value;

bool isHalf(mlir::Type type) {
  const DType dtype = mlir::isa<mlir::TensorType>(type) ? valueTypeOf(type).dtype : DType::kI32;
  return dtype == DType::kF16 || dtype == DType::kBF16;
}

// Ops that move elements. They are cheaper with 16 bits, if these are there in any case.
bool onlyMoves(Operation* op) {
  return mlir::isa<BroadcastToOp, ConcatOp, DepthToSpaceOp, ExpandDimsOp, GatherOp, IdentityOp,
                   ReshapeOp, SliceOp, SpaceToDepthOp, SqueezeOp, StridedSliceOp, TileOp,
                   TransposeOp>(op);
}

class Widening {
 public:
  explicit Widening(mlir::func::FuncOp function)
      : facts_(function), rewriter_(function.getContext(), &facts_) {}

  void run(mlir::func::FuncOp function) {
    llvm::SmallVector<Operation*> ops;
    function.walk<mlir::WalkOrder::PreOrder>([&](Operation* op) {
      if (descriptionOf(op) && op->getNumResults() != 0) ops.push_back(op);
    });
    for (Operation* op : ops) {
      if (!facts_.isConstant(op->getResult(0))) widen(op);
    }
  }

  unsigned num_ops = 0;

 private:
  void widen(Operation* op) {
    const bool has_half =
        llvm::any_of(op->getOperandTypes(), isHalf) || llvm::any_of(op->getResultTypes(), isHalf);
    // Ops with effects take a token.
    if (!has_half || !mlir::isMemoryEffectFree(op)) return;
    if (mlir::isa<CastOp>(op)) return widenCast(op);
    if (onlyMoves(op) && llvm::none_of(op->getOperands(), [&](Value each) {
          return isHalf(each.getType()) && isComputed(each);
        })) {
      return;
    }
    llvm::SmallVector<Value> arguments;
    for (Value each : argumentsOf(op)) {
      arguments.push_back(each && isHalf(each.getType()) ? wideOf(each) : each);
    }
    replace(op, arguments);
  }

  // A cast between f32 and 16 bits keeps what it casts, unless the program casts there and back: it
  // does that to round.
  void widenCast(Operation* op) {
    Value from = op->getOperand(0), to = op->getResult(0);
    if (isHalf(to.getType())) {
      if (valueTypeOf(from.getType()).dtype != DType::kF32) return;
      wide_[to] = from;
      narrowed_.insert(to);
      return;
    }
    if (!isComputed(from) || narrowed_.contains(from)) return;
    Value wide = wide_.lookup(from);
    if (wide.getType() == to.getType()) {
      rewriter_.replaceOp(op, wide);
      ++num_ops;
      return;
    }
    replace(op, {wide});
  }

  // Puts the same op on other arguments in its place, unless it gives something else than the same
  // results in f32.
  void replace(Operation* op, llvm::ArrayRef<Value> arguments) {
    Replacement make(rewriter_, facts_, op);
    Value first;
    {
      mlir::ScopedDiagnosticHandler quiet(op->getContext(),
                                          [](mlir::Diagnostic&) { return mlir::success(); });
      first = make.value(descriptionOf(op)->name, arguments, tableAttributesOf(op));
    }
    if (!first) return;
    Operation* wide = first.getDefiningOp();
    for (auto [was, is] : llvm::zip(op->getResults(), wide->getResults())) {
      const DType want = isHalf(was.getType()) ? DType::kF32 : valueTypeOf(was.getType()).dtype;
      if (valueTypeOf(is.getType()).dtype == want) continue;
      rewriter_.eraseOp(wide);
      return;
    }
    llvm::SmallVector<Value> results;
    for (auto [was, is] : llvm::zip(op->getResults(), wide->getResults())) {
      results.push_back(isHalf(was.getType()) ? rounded(make, is, was) : Value(is));
    }
    rewriter_.replaceOp(op, results);
    ++num_ops;
  }

  Value rounded(Replacement& make, Value wide, Value like) {
    Value half =
        make.value("cast", {wide},
                   {make.graph().attribute(
                       "dtype", mlir::cast<mlir::TensorType>(like.getType()).getElementType())});
    wide_[half] = wide;
    return half;
  }

  // Whether the value in f32 is there without a cast.
  bool isComputed(Value half) {
    auto found = wide_.find(half);
    return found != wide_.end() && !widened_.contains(found->second);
  }

  Value wideOf(Value half) {
    Value& wide = wide_[half];
    if (wide) return wide;
    rewriter_.setInsertionPointAfterValue(half);
    GraphBuilder graph(rewriter_, half.getLoc());
    if (mlir::TypedAttr elements = wideElements(half)) {
      wide = graph.constant(elements);
    } else {
      wide = graph.value("cast", {half}, {graph.attribute("dtype", rewriter_.getF32Type())});
    }
    widened_.insert(wide);
    return wide;
  }

  // A constant in f32 that is small enough for passes to look into; null for other values.
  mlir::TypedAttr wideElements(Value half) {
    auto constant = half.getDefiningOp<ConstantOp>();
    auto elements =
        constant ? mlir::dyn_cast<mlir::DenseFPElementsAttr>(constant.getValue()) : nullptr;
    if (!elements) return {};
    return elements.mapValues(rewriter_.getF32Type(), [](const llvm::APFloat& number) {
      llvm::APFloat wide = number;
      bool is_changed = false;
      wide.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &is_changed);
      return wide.bitcastToAPInt();
    });
  }

  ValueFacts facts_;
  mlir::IRRewriter rewriter_;
  llvm::DenseMap<Value, Value> wide_;  // of 16 bits, in f32
  llvm::DenseSet<Value> widened_;      // casts of what is there with 16 bits alone
  llvm::DenseSet<Value> narrowed_;     // made of f32 by casts of the program
};

struct WidenPass : impl::WidenPassBase<WidenPass> {
  using WidenPassBase::WidenPassBase;
  void runOnOperation() override {
    mlir::func::FuncOp function = getOperation();
    if (function.isExternal()) return;
    Widening widening(function);
    widening.run(function);
    updateResultTypes(function);
    if (remarks) function.emitRemark() << "computes " << widening.num_ops << " ops in f32";
  }
};

}  // namespace

}  // namespace tfrt::compiler::graph
