// -async-tfrt-streamify: an async value of a token becomes two, of a chain and of an event.

#include <array>

#include "gpu_passes.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace tfrt::compiler::gpu {

#define GEN_PASS_DEF_ASYNCSTREAMIFYPASS
#include "lib/compiler/gpu_passes.h.inc"

namespace {

using mlir::Operation;
using mlir::Type;
using mlir::Value;
using mlir::async::AwaitOp;
using mlir::async::ExecuteOp;

using ValueType = mlir::async::ValueType;

bool isToken(Type type) { return mlir::isa<mlir::gpu::AsyncTokenType>(type); }
bool isValueOfToken(Type type) {
  auto value = mlir::dyn_cast<ValueType>(type);
  return value && isToken(value.getValueType());
}

struct AsyncStreamifyPass : impl::AsyncStreamifyPassBase<AsyncStreamifyPass> {
  void runOnOperation() override {
    pairs_.clear();
    mlir::MLIRContext* context = &getContext();
    parts_ = {ChainType::get(context), EventType::get(context)};
    values_ = {ValueType::get(parts_[0]), ValueType::get(parts_[1])};
    llvm::SmallVector<Operation*> ops;
    getOperation().walk<mlir::WalkOrder::PreOrder>([&](Operation* op) {
      if (mlir::isa<ExecuteOp, AwaitOp>(op)) ops.push_back(op);
    });
    for (Operation* op : ops) {
      if (auto execute = mlir::dyn_cast<ExecuteOp>(op)) {
        convert(execute);
      } else if (isValueOfToken(op->getOperand(0).getType())) {
        convert(mlir::cast<AwaitOp>(op));
      }
    }
    eraseReplaced();
  }

 private:
  using Pair = std::array<Value, 2>;

  // The pair that a value has become.
  Pair pairOf(Value value) {
    auto [it, is_new] = pairs_.try_emplace(value);
    if (is_new) {
      mlir::OpBuilder builder(&getContext());
      builder.setInsertionPointAfterValue(value);
      auto cast = KernelBuilder(builder, value.getLoc()).cast(value, values_);
      it->second = {cast.getResult(0), cast.getResult(1)};
    }
    return it->second;
  }

  void convert(AwaitOp await) {
    Pair pair = pairOf(await.getOperand());
    KernelBuilder builder(await);
    Value chain = AwaitOp::create(builder, builder.location, pair[0]).getResult();
    Value event = AwaitOp::create(builder, builder.location, pair[1]).getResult();
    await.getResult().replaceAllUsesWith(builder.makeToken(chain, event));
    await.erase();
  }

  void convert(ExecuteOp old) {
    llvm::SmallVector<Value> operands;
    for (Value operand : old.getBodyOperands()) {
      if (isValueOfToken(operand.getType())) {
        llvm::append_range(operands, pairOf(operand));
      } else {
        operands.push_back(operand);
      }
    }
    llvm::SmallVector<Type> types = {old.getToken().getType()};
    for (Type type : old.getBodyResults().getTypes()) {
      if (isValueOfToken(type)) {
        llvm::append_range(types, values_);
      } else {
        types.push_back(type);
      }
    }
    convertArguments(old.getBodyRegion().front());
    convertYield(old.getBodyRegion().front().getTerminator());
    replace(old, operands, types);
  }

  // A token among the arguments is a cast of two.
  void convertArguments(mlir::Block& body) {
    KernelBuilder builder(mlir::OpBuilder::atBlockBegin(&body), body.getParentOp()->getLoc());
    for (unsigned i = 0; i < body.getNumArguments(); ++i) {
      mlir::BlockArgument token = body.getArgument(i);
      if (!isToken(token.getType())) continue;
      Value event = body.insertArgument(i + 1, parts_[1], token.getLoc());
      Value chain = body.insertArgument(i + 1, parts_[0], token.getLoc());
      token.replaceAllUsesWith(builder.makeToken(chain, event));
      body.eraseArgument(i);
      ++i;
    }
  }
  void convertYield(Operation* yield) {
    KernelBuilder builder(yield);
    llvm::SmallVector<Value> values;
    for (Value value : yield->getOperands()) {
      if (isToken(value.getType())) {
        llvm::append_range(values, builder.cast(value, parts_).getResults());
      } else {
        values.push_back(value);
      }
    }
    yield->setOperands(values);
  }

  void replace(ExecuteOp old, mlir::ValueRange operands, mlir::TypeRange types) {
    KernelBuilder builder(old);
    mlir::OperationState state(builder.location, old->getName());
    state.addOperands(old.getDependencies());
    state.addOperands(operands);
    state.addTypes(types);
    state.addAttributes(llvm::to_vector(old->getDiscardableAttrs()));
    const auto num_dependencies = static_cast<int32_t>(old.getDependencies().size());
    state.addAttribute(
        "operandSegmentSizes",
        builder.getDenseI32ArrayAttr({num_dependencies, static_cast<int32_t>(operands.size())}));
    state.addRegion()->takeBody(old.getBodyRegion());
    Operation* made = builder.create(state);
    unsigned next = 0;
    for (Value result : old->getResults()) {
      if (isValueOfToken(result.getType())) {
        pairs_[result] = {made->getResult(next), made->getResult(next + 1)};
        next += 2;
      } else {
        result.replaceAllUsesWith(made->getResult(next++));
      }
    }
    replaced_.push_back(old);
  }

  // Ops that are not converted get values of tokens, as before.
  void eraseReplaced() {
    for (Operation* old : replaced_) old->dropAllReferences();
    for (Operation* old : replaced_) {
      for (Value result : old->getResults()) {
        if (result.use_empty()) continue;
        Pair pair = pairOf(result);
        mlir::OpBuilder builder(&getContext());
        builder.setInsertionPointAfterValue(pair[0]);
        auto cast = KernelBuilder(builder, old->getLoc()).cast(pair, result.getType());
        result.replaceAllUsesWith(cast.getResult(0));
      }
      old->erase();
    }
    replaced_.clear();
  }

  llvm::DenseMap<Value, Pair> pairs_;
  llvm::SmallVector<Operation*> replaced_;
  std::array<Type, 2> parts_;
  std::array<Type, 2> values_;
};

}  // namespace
}  // namespace tfrt::compiler::gpu
