// -lower-graph: a function of graph ops as what a model file holds: @load, which runs once, and the
// function, which takes what @load returns behind its own arguments. Regions are functions, too.

#include "dialects/graph/graph_dialect.h"
#include "dialects/tfrt/tfrt_dialect.h"
#include "graph/cannot_fail.h"
#include "graph/constant_facts.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/CSE.h"
#include "outline_regions.h"

namespace tfrt::compiler::graph {

#define GEN_PASS_DEF_LOWERGRAPHPASS
#include "lib/compiler/graph_passes.h.inc"

namespace {

using mlir::func::FuncOp;

constexpr llvm::StringLiteral kMain = "main", kLoad = "load";

// Bytes of a tensor type; none if they are not known.
std::optional<int64_t> sizeOf(mlir::Type type) {
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape()) return std::nullopt;
  int64_t size = static_cast<int64_t>(DTypeSize(dtypeOf(tensor.getElementType())));
  for (int64_t dim : tensor.getShape()) {
    if (llvm::MulOverflow(size, dim, size)) return std::nullopt;
  }
  return size;
}

// True if keeping the results costs much more memory than keeping the operands: a large tensor of
// zeros is made anew at each run.
bool isBlownUp(mlir::Operation& op) {
  constexpr int64_t kLarge = 1 << 20;
  int64_t operands = 0, results = 0;
  for (mlir::Type type : op.getOperandTypes()) operands += sizeOf(type).value_or(0);
  for (mlir::Type type : op.getResultTypes()) results += sizeOf(type).value_or(0);
  return results > kLarge && results > 4 * operands;
}

// Returns the ops that depend on constants alone, in the order of the program. Regions are not
// entered: such ops have been moved out of them before.
llvm::SetVector<mlir::Operation*> constantOps(mlir::Block& block) {
  llvm::SetVector<mlir::Operation*> constant;
  for (mlir::Operation& op : block.without_terminator()) {
    bool is_constant = mlir::isa<ConstantOp>(op);
    if (!is_constant && op.getNumRegions() == 0 && mlir::isPure(&op)) {
      is_constant = !isBlownUp(op) && llvm::all_of(op.getOperands(), [&](mlir::Value operand) {
        mlir::Operation* made_by = operand.getDefiningOp();
        return made_by && constant.contains(made_by);
      });
    }
    if (is_constant) constant.insert(&op);
  }
  return constant;
}

// Moves ops that constants alone decide out of regions into the function's body. Weights of a
// branch or of a loop are packed once, and those of two branches together. An op that could fail
// stays where it may never run.
void liftConstants(FuncOp function) {
  mlir::Block& body = function.getBody().front();
  ConstantFacts constants;
  for (mlir::Operation& outer : body) {
    outer.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation* op) {
      if (op == &outer) return;
      const bool is_constant = mlir::isa<ConstantOp>(op);
      const bool sees_outside = llvm::all_of(op->getOperands(), [&](mlir::Value operand) {
        return operand.getParentBlock() == &body && constants.isConstant(operand);
      });
      if (!is_constant && !(sees_outside && cannotFail(op) && !isBlownUp(*op))) return;
      op->moveBefore(&outer);
    });
  }
  mlir::IRRewriter rewriter(function.getContext());
  mlir::DominanceInfo dominance(function);
  mlir::eliminateCommonSubExpressions(rewriter, dominance, function);
}

// Attributes that are left out get their defaults: kernels find all of them.
llvm::LogicalResult completeAttributes(mlir::Operation* op, const OpDescription& row) {
  mlir::Builder builder(op->getContext());
  for (const OpAttrSpec& spec : row.attrs) {
    llvm::StringRef name(spec.name.data(), spec.name.size());
    if (op->hasAttr(name)) continue;
    StatusOr<OpAttrValue> value = ParseDefault(spec);
    mlir::Attribute attribute =
        value.ok() ? graph::attributeOf(spec.kind, *value, op->getContext()) : mlir::Attribute();
    if (!attribute) return op->emitOpError("has no attribute '") << name << "'";
    op->setAttr(name, attribute);
  }
  return mlir::success();
}

struct LowerGraphPass : impl::LowerGraphPassBase<LowerGraphPass> {
  void runOnOperation() override {
    mlir::ModuleOp module = getOperation();
    auto main = module.lookupSymbol<FuncOp>(kMain);
    if (!main || main.isExternal()) {
      module.emitError("there is no function @main to lower");
      return signalPassFailure();
    }
    if (module.lookupSymbol(kLoad)) {
      module.emitError("there is a function @load already");
      return signalPassFailure();
    }
    hoistConstants(module, main);
    outlineRegions(main);
    for (auto function : module.getOps<FuncOp>()) {
      if (mlir::failed(lower(function))) return signalPassFailure();
    }
  }

 private:
  static void hoistConstants(mlir::ModuleOp module, FuncOp main) {
    liftConstants(main);
    mlir::Block& body = main.getBody().front();
    llvm::SetVector<mlir::Operation*> constant = constantOps(body);

    mlir::OpBuilder builder(main);
    auto load = FuncOp::create(builder, main.getLoc(), kLoad, builder.getFunctionType({}, {}));
    builder.setInsertionPointToStart(load.addEntryBlock());
    mlir::IRMapping mapping;
    llvm::SmallVector<mlir::Value> returned;
    for (mlir::Operation* op : constant) {
      builder.clone(*op, mapping);
      for (mlir::Value result : op->getResults()) {
        bool is_needed = llvm::any_of(
            result.getUsers(), [&](mlir::Operation* user) { return !constant.contains(user); });
        if (!is_needed) continue;
        returned.push_back(mapping.lookup(result));
        result.replaceUsesWithIf(
            body.addArgument(result.getType(), result.getLoc()),
            [&](mlir::OpOperand& use) { return !constant.contains(use.getOwner()); });
      }
    }
    ReturnOp::create(builder, main.getLoc(), returned);
    for (mlir::Operation* op : llvm::reverse(constant)) op->erase();
    load.setType(builder.getFunctionType({}, mlir::ValueRange(returned).getTypes()));

    llvm::SmallVector<mlir::Type> arguments(body.getArgumentTypes());
    main.setType(builder.getFunctionType(arguments, main.getFunctionType().getResults()));
    if (mlir::ArrayAttr names = main.getArgAttrsAttr()) {
      llvm::SmallVector<mlir::Attribute> all(names.begin(), names.end());
      all.resize(arguments.size(), builder.getDictionaryAttr({}));
      main.setArgAttrsAttr(builder.getArrayAttr(all));
    }
  }

  static llvm::LogicalResult lower(FuncOp function) {
    mlir::WalkResult result = function.walk([](mlir::Operation* op) {
      if (auto constant = mlir::dyn_cast<ConstantOp>(op)) {
        lowerConstant(constant);
      } else if (auto returned = mlir::dyn_cast<ReturnOp>(op)) {
        if (mlir::isa<FuncOp>(op->getParentOp())) {
          mlir::OpBuilder builder(op);
          compiler::ReturnOp::create(builder, op->getLoc(), returned.getOperands());
          op->erase();
        }
      } else if (const OpDescription* row = descriptionOf(op)) {
        if (mlir::failed(completeAttributes(op, *row))) return mlir::WalkResult::interrupt();
      }
      return mlir::WalkResult::advance();
    });
    return mlir::failure(result.wasInterrupted());
  }

  // A resource lies in the file's section of weights.
  static void lowerConstant(ConstantOp constant) {
    if (!mlir::isa<mlir::DenseResourceElementsAttr>(constant.getValue())) return;
    mlir::OpBuilder builder(constant);
    auto weight =
        WeightOp::create(builder, constant.getLoc(), constant.getType(), constant.getValue());
    constant.replaceAllUsesWith(weight.getResult());
    constant.erase();
  }
};

}  // namespace

}  // namespace tfrt::compiler::graph
