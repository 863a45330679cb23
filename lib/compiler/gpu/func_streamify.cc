// -func-tfrt-streamify: functions that wait for a GPU when they begin and end get a chain and a
// stream instead, and return a chain. Calls of them in the bodies of tfrt_gpu.streamify follow.

#include "gpu_passes.h"
#include "llvm/ADT/DenseSet.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace tfrt::compiler::gpu {

#define GEN_PASS_DEF_FUNCSTREAMIFYPASS
#include "lib/compiler/gpu_passes.h.inc"

namespace {

using mlir::LogicalResult;
using mlir::Operation;
using mlir::success;
using mlir::Type;
using mlir::TypeRange;
using mlir::Value;
using mlir::func::FuncOp;
using mlir::gpu::WaitOp;

struct Waits {
  llvm::SmallVector<WaitOp> first;  // asynchronous, without dependencies
  WaitOp last;                      // for the host, in the function's own block
};

// Empty if the function has none to convert.
std::optional<Waits> waitsOf(FuncOp function) {
  Waits waits;
  bool is_isolated = false;
  function.walk([&](WaitOp wait) {
    if (wait.getAsyncToken() && !wait.getAsyncDependencies().empty()) return;
    if (waits.last) waits.first.push_back(waits.last);
    waits.last = wait;
    is_isolated |= isIsolatedWithin(wait, function);
  });
  if (waits.first.empty() || is_isolated || waits.last.getAsyncToken() ||
      waits.last->getBlock() != &function.getBody().front()) {
    return std::nullopt;
  }
  const bool are_async =
      llvm::all_of(waits.first, [](WaitOp wait) { return bool(wait.getAsyncToken()); });
  return are_async ? std::optional(waits) : std::nullopt;
}

// A chain and a stream in front of the function's arguments; a chain, and the stream where a loop
// passes it on, in front of its results.
void changeSignature(FuncOp function, bool returns_stream) {
  mlir::MLIRContext* context = function.getContext();
  const Type types[] = {ChainType::get(context), StreamType::get(context)};
  const mlir::DictionaryAttr none[] = {{}, {}};
  const mlir::Location locations[] = {function.getLoc(), function.getLoc()};
  const unsigned in_front[] = {0, 0};
  const size_t num_results = returns_stream ? 2 : 1;
  [[maybe_unused]] const bool changed =
      succeeded(function.insertArguments(in_front, types, none, locations)) &&
      succeeded(function.insertResults(llvm::ArrayRef(in_front).take_front(num_results),
                                       llvm::ArrayRef(types).take_front(num_results),
                                       llvm::ArrayRef(none).take_front(num_results)));
  assert(changed && "the types of functions can be changed");
}

// The function's return, with values in front of those that it had.
void replaceReturn(FuncOp function, mlir::ValueRange in_front) {
  Operation* old = function.getBody().front().getTerminator();
  mlir::OpBuilder builder(old);
  llvm::SmallVector<Value> values(in_front);
  llvm::append_range(values, old->getOperands());
  ReturnOp::create(builder, old->getLoc(), values);
  old->erase();
}

void streamify(FuncOp function, Waits waits, bool returns_stream) {
  changeSignature(function, returns_stream);
  mlir::Block& body = function.getBody().front();
  Type token = mlir::gpu::AsyncTokenType::get(function.getContext());
  KernelBuilder builder(mlir::OpBuilder::atBlockBegin(&body), waits.first.front().getLoc());
  Value at_begin = builder.makeToken(body.getArgument(0), body.getArgument(1));
  at_begin = WaitOp::create(builder, builder.location, token, at_begin).getAsyncToken();
  for (WaitOp wait : waits.first) wait.addAsyncDependency(at_begin);

  KernelBuilder end(mlir::OpBuilder(body.getTerminator()), waits.last.getLoc());
  llvm::SmallVector<Value> dependencies(waits.last.getAsyncDependencies());
  if (dependencies.empty()) dependencies.push_back(at_begin);
  Value at_end = WaitOp::create(end, end.location, token, dependencies).getAsyncToken();
  waits.last.erase();
  auto parts = end.cast(at_end, TypeRange(body.getArgumentTypes()).take_front(2));
  replaceReturn(function, parts.getResults().take_front(returns_stream ? 2 : 1));
}

// A function that does nothing has nothing to wait for, either.
bool isEmpty(FuncOp function) {
  mlir::Block& body = function.getBody().front();
  return llvm::hasSingleElement(body) && body.front().getNumOperands() == 0;
}

struct FuncStreamifyPass : impl::FuncStreamifyPassBase<FuncStreamifyPass> {
  void runOnOperation() override {
    llvm::DenseSet<Operation*> loop_bodies;
    getOperation().walk([&](WhileOp loop) { loop_bodies.insert(functionOf(loop)); });
    getOperation().walk([&](FuncOp function) {
      if (!function.getBody().hasOneBlock()) return;
      if (function->getParentOfType<mlir::gpu::GPUModuleOp>()) return;  // it runs on the device
      if (std::optional<Waits> waits = waitsOf(function)) {
        streamify(function, *waits, loop_bodies.contains(function));
      } else if (isEmpty(function)) {
        changeSignature(function, /*returns_stream=*/false);
        replaceReturn(function, function.getArgument(0));
      }
    });
    mlir::WalkResult adapted = getOperation().walk([](Operation* op) {
      if (auto call = mlir::dyn_cast<CallOp>(op)) return mlir::WalkResult(adapt(call));
      if (auto loop = mlir::dyn_cast<WhileOp>(op)) return mlir::WalkResult(adapt(loop));
      return mlir::WalkResult::advance();
    });
    if (adapted.wasInterrupted()) signalPassFailure();
  }

 private:
  static FuncOp functionOf(CallOp call) {
    return mlir::SymbolTable::lookupNearestSymbolFrom<FuncOp>(call, call.getCalleeAttr());
  }
  static FuncOp functionOf(WhileOp loop) {
    return mlir::SymbolTable::lookupNearestSymbolFrom<FuncOp>(loop, loop.getBodyFnAttr());
  }

  static LogicalResult adapt(CallOp call) {
    FuncOp function = functionOf(call);
    if (!function) return reportIllegal(call);
    TypeRange types = function.getResultTypes();
    if (function.getArgumentTypes() == call.getOperandTypes() && types == call.getResultTypes()) {
      return success();
    }
    if (!canStreamify(call, call.getOperands(), function, types)) return reportIllegal(call);
    llvm::SmallVector<Value> operands = argumentsOf(call, call.getOperands());
    mlir::OpBuilder builder(call);
    auto made = CallOp::create(builder, call.getLoc(), types, call.getCallee(), operands);
    replace(call, made);
    return success();
  }

  static LogicalResult adapt(WhileOp loop) {
    FuncOp function = functionOf(loop);
    if (!function || function.getNumResults() == 0) return reportIllegal(loop);
    TypeRange types = TypeRange(function.getResultTypes()).drop_back();  // the condition
    if (function.getArgumentTypes() == loop.getArguments().getTypes() &&
        types == loop.getResultTypes()) {
      return success();
    }
    if (types.size() != function.getNumArguments() ||
        !canStreamify(loop, loop.getArguments(), function, types)) {
      return reportIllegal(loop);
    }
    llvm::SmallVector<Value> arguments = argumentsOf(loop, loop.getArguments());
    mlir::OpBuilder builder(loop);
    auto made = WhileOp::create(builder, loop.getLoc(), types, loop.getCond(), arguments,
                                loop.getBodyFn(), loop.getParallelIterations());
    replace(loop, made);
    return success();
  }

  // Whether the op is in the body of a tfrt_gpu.streamify, and fits the function with a chain and a
  // stream in front of its operands, and a chain, and perhaps the stream, in front of its results.
  static bool canStreamify(Operation* op, mlir::ValueRange operands, FuncOp function,
                           TypeRange results) {
    if (!mlir::isa<StreamifyOp>(op->getParentOp())) return false;
    TypeRange inputs = function.getArgumentTypes();
    if (inputs.size() != operands.size() + 2 || inputs.drop_front(2) != operands.getTypes() ||
        !mlir::isa<ChainType>(inputs[0]) || !mlir::isa<StreamType>(inputs[1]) ||
        inputs.take_front(2) != TypeRange(op->getBlock()->getArgumentTypes()).take_front(2)) {
      return false;
    }
    const size_t num_results = op->getNumResults();
    if (results.size() <= num_results || results.size() > num_results + 2 ||
        results.take_back(num_results) != op->getResultTypes()) {
      return false;
    }
    return mlir::isa<ChainType>(results[0]) &&
           (results.size() == num_results + 1 || mlir::isa<StreamType>(results[1]));
  }

  // The body's chain and stream, and the op's own operands.
  static llvm::SmallVector<Value> argumentsOf(Operation* op, mlir::ValueRange operands) {
    llvm::SmallVector<Value> values = {chainBefore(op), op->getBlock()->getArgument(1)};
    llvm::append_range(values, operands);
    return values;
  }

  static void replace(Operation* old, Operation* made) {
    returnChain(old, made->getResult(0));
    old->replaceAllUsesWith(made->getResults().take_back(old->getNumResults()));
    old->erase();
  }
};

}  // namespace
}  // namespace tfrt::compiler::gpu
