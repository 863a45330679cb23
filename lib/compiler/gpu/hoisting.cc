// -gpu-tfrt-hoisting: handles of libraries are created once, in functions that a program can call
// before it needs them.

#include "gpu_passes.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"

namespace tfrt::compiler::gpu {

#define GEN_PASS_DEF_HOISTINGPASS
#include "lib/compiler/gpu_passes.h.inc"

namespace {

using mlir::Operation;
using mlir::Value;
using mlir::func::FuncOp;

// Whether a function makes something of a context and of nothing else.
bool isOfContext(FuncOp function) {
  return function.getNumArguments() == 1 &&
         mlir::isa<ContextType>(function.getArgumentTypes().front());
}

struct HoistingPass : impl::HoistingPassBase<HoistingPass> {
  void runOnOperation() override {
    mlir::SymbolTable symbols(getOperation());
    for (FuncOp function : llvm::make_early_inc_range(getOperation().getOps<FuncOp>())) {
      if (!isOfContext(function)) hoist(function, symbols);
    }
    addPreloading(symbols);
  }

 private:
  static void hoist(FuncOp function, mlir::SymbolTable& symbols) {
    llvm::SmallVector<Operation*> ops;
    function.walk([&](Operation* op) {
      llvm::StringRef name = op->getName().getStringRef();
      if (name == "tfrt_gpu.blas.create" || name == "tfrt_gpu.dnn.create" ||
          name == "tfrt_gpu.solver.create") {
        ops.push_back(op);
      }
    });
    llvm::DenseMap<std::pair<mlir::Type, Value>, FuncOp> made;
    for (Operation* op : ops) {
      FuncOp& creation = made[{op->getResult(0).getType(), op->getOperand(0)}];
      if (!creation) creation = makeFunction(op, function, symbols);
      KernelBuilder builder(op);
      op->getResult(0).replaceAllUsesWith(
          builder.makeOnce(creation.getName(), op->getOperand(0), op->getResult(0).getType()));
      op->erase();
    }
  }

  // A function of a context that does what the op does.
  static FuncOp makeFunction(Operation* op, FuncOp user, mlir::SymbolTable& symbols) {
    mlir::OpBuilder builder(op->getContext());
    auto function =
        FuncOp::create(op->getLoc(), op->getName().getStringRef(),
                       builder.getFunctionType(op->getOperandTypes(), op->getResultTypes()));
    builder.setInsertionPointToStart(function.addEntryBlock());
    Operation* copy = builder.clone(*op);
    copy->setOperands(function.getArguments());
    ReturnOp::create(builder, op->getLoc(), copy->getResults());
    symbols.insert(function, user->getIterator());
    return function;
  }

  void addPreloading(mlir::SymbolTable& symbols) {
    mlir::ModuleOp module = getOperation();
    // A call without results has no form that can be read back, and gives nothing to keep.
    auto functions =
        llvm::to_vector(llvm::make_filter_range(module.getOps<FuncOp>(), [](FuncOp function) {
          return isOfContext(function) && function.getNumResults() > 0;
        }));
    mlir::Builder types(module.getContext());
    auto preloading = FuncOp::create(module.getLoc(), "tfrt_gpu_preload_resources",
                                     types.getFunctionType(ContextType::get(module.getContext()),
                                                           ChainType::get(module.getContext())));
    KernelBuilder builder(mlir::OpBuilder::atBlockBegin(preloading.addEntryBlock()),
                          module.getLoc());
    llvm::SmallVector<Value> results;
    for (FuncOp function : functions) {
      auto once = OnceOp::create(builder, builder.location, function.getResultTypes(),
                                 function.getName(), preloading.getArguments());
      llvm::append_range(results, once.getResults());
    }
    Value done = results.empty() ? builder.makeChain("tfrt.new.chain", {})
                                 : builder.makeChain("tfrt.merge.chains", results);
    ReturnOp::create(builder, builder.location, done);
    symbols.insert(preloading);
  }
};

}  // namespace
}  // namespace tfrt::compiler::gpu
