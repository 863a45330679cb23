// -async-to-tfrt: async.execute becomes tfrt_test.do.async, and an async value its value, because
// every value of a program is available later.

#include "dialects/tfrt_test/tfrt_test_dialect.h"
#include "gpu_passes.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/RegionUtils.h"

namespace tfrt::compiler::gpu {

#define GEN_PASS_DEF_ASYNCTOTFRTPASS
#include "lib/compiler/gpu_passes.h.inc"

namespace {

using mlir::Operation;
using mlir::Type;
using mlir::Value;
using mlir::async::AwaitOp;
using mlir::async::ExecuteOp;
using mlir::func::FuncOp;

Type withoutAsync(Type type) {
  while (auto value = mlir::dyn_cast<mlir::async::ValueType>(type)) type = value.getValueType();
  return type;
}
void removeAsync(mlir::ValueRange values) {
  for (Value value : values) value.setType(withoutAsync(value.getType()));
}

void changeTypes(FuncOp function) {
  mlir::FunctionType type = function.getFunctionType();
  function.setType(mlir::FunctionType::get(function.getContext(),
                                           llvm::map_to_vector(type.getInputs(), withoutAsync),
                                           llvm::map_to_vector(type.getResults(), withoutAsync)));
  function.walk([](mlir::Block* block) {
    removeAsync(block->getArguments());
    for (Operation& op : *block) removeAsync(op.getResults());
  });
}

void convert(AwaitOp await) {
  if (Value result = await.getResult()) result.replaceAllUsesWith(await.getOperand());
  await.erase();
}

mlir::LogicalResult convert(ExecuteOp execute) {
  if (!execute.getToken().use_empty()) return reportIllegal(execute);
  mlir::Region& region = execute.getBodyRegion();
  llvm::SetVector<Value> captured;
  mlir::getUsedValuesDefinedAbove(region, captured);
  for (Value value : captured) {
    Value argument = region.addArgument(value.getType(), value.getLoc());
    mlir::replaceAllUsesInRegionWith(value, argument, region);
  }
  Operation* yield = region.front().getTerminator();
  KernelBuilder end(yield);
  ReturnOp::create(end, end.location, yield->getOperands());
  yield->erase();

  llvm::SmallVector<Value> operands(execute.getBodyOperands());
  llvm::append_range(operands, captured);
  KernelBuilder builder(execute);
  auto task =
      DoAsyncOp::create(builder, builder.location, execute.getBodyResults().getTypes(), operands);
  task->setDiscardableAttrs(execute->getDiscardableAttrDictionary());
  task.getRegion().takeBody(region);
  execute->getResults().drop_front().replaceAllUsesWith(task.getResults());
  execute.erase();
  return mlir::success();
}

struct AsyncToTfrtPass : impl::AsyncToTfrtPassBase<AsyncToTfrtPass> {
  void runOnOperation() override {
    changeTypes(getOperation());
    getOperation().walk([](AwaitOp await) { convert(await); });
    // Tokens order tasks, which here depend on values alone.
    llvm::SmallVector<ExecuteOp> tasks;
    getOperation().walk([&](ExecuteOp execute) {
      execute.getDependenciesMutable().clear();
      tasks.push_back(execute);
    });
    for (ExecuteOp execute : tasks) {  // inner ones first: what they capture, the outer do, too
      if (mlir::failed(convert(execute))) return signalPassFailure();
    }
    mlir::WalkResult illegal = getOperation().walk([](Operation* op) {
      if (!mlir::isa_and_nonnull<mlir::async::AsyncDialect>(op->getDialect())) {
        return mlir::WalkResult::advance();
      }
      return mlir::WalkResult(reportIllegal(op));
    });
    if (illegal.wasInterrupted()) signalPassFailure();
  }
};

}  // namespace
}  // namespace tfrt::compiler::gpu
