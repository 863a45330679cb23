// The passes in their order.

#include "tfrt/compiler/graph_passes.h"

#include "../passes.h"
#include "graph_passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

namespace tfrt::compiler {
namespace {

struct PipelineOptions : mlir::PassPipelineOptions<PipelineOptions> {
  Option<std::string> numerics{*this, "numerics",
                               llvm::cl::desc("fast, or exact: keep the rounding of the program"),
                               llvm::cl::init("fast")};
};

}  // namespace

void addGraphPasses(mlir::OpPassManager& manager, const GraphPassOptions& options) {
  auto add = [&](std::unique_ptr<mlir::Pass> pass) {
    manager.addNestedPass<mlir::func::FuncOp>(std::move(pass));
  };
  add(graph::createShapesPass());
  add(graph::createCanonicalizePass());
  add(graph::createShapesPass());
  add(graph::createFusePass(options.exact));
  add(graph::createLayoutPass());
  add(graph::createCanonicalizePass());
  add(graph::createTapePass());
}

mlir::LogicalResult compileGraph(mlir::ModuleOp module, const GraphPassOptions& options) {
  mlir::PassManager manager(module.getContext(), mlir::ModuleOp::getOperationName());
  addGraphPasses(manager, options);
  if (options.pack) manager.addNestedPass<mlir::func::FuncOp>(graph::createPackPass());
  manager.addPass(createLowerGraphPass());
  return manager.run(module);
}

void registerGraphPasses() {
  mlir::registerPass([] { return graph::createPackPass(); });
  mlir::registerPass([] { return graph::createShapesPass(); });
  mlir::registerPass([] { return graph::createCanonicalizePass(); });
  mlir::registerPass([] { return graph::createFusePass(/*exact=*/false); });
  mlir::registerPass([] { return graph::createLayoutPass(); });
  mlir::registerPass([] { return graph::createTapePass(); });
  mlir::PassPipelineRegistration<PipelineOptions>(
      "graph-pipeline", "All passes on graphs, in order",
      [](mlir::OpPassManager& manager, const PipelineOptions& options) {
        addGraphPasses(manager, {.exact = options.numerics == "exact"});
      });
}

}  // namespace tfrt::compiler
