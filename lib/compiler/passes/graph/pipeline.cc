// The passes in their order.

#include "pipeline.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

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

// Those on functions, in their order.
std::vector<std::unique_ptr<mlir::Pass>> graphPasses(const GraphPassOptions& options) {
  std::vector<std::unique_ptr<mlir::Pass>> passes;
  passes.push_back(graph::createShapesPass());
  passes.push_back(graph::createCanonicalizePass(options.exact));
  passes.push_back(graph::createShapesPass());
  passes.push_back(graph::createDeadCodePass());
  passes.push_back(graph::createHoistInvariantsPass());
  passes.push_back(graph::createCsePass());
  if (!options.fuse) return passes;
  passes.push_back(graph::createFusePass(options.exact));
  passes.push_back(graph::createLayoutPass());
  passes.push_back(graph::createCanonicalizePass(options.exact));
  passes.push_back(graph::createTapePass());
  return passes;
}

std::vector<std::unique_ptr<mlir::Pass>> modelPasses(const GraphPassOptions& options) {
  auto passes = graphPasses(options);
  if (options.pack) passes.push_back(graph::createPackPass());
  return passes;
}

}  // namespace

void addGraphPasses(mlir::OpPassManager& manager, const GraphPassOptions& options) {
  for (auto& pass : graphPasses(options)) {
    manager.addNestedPass<mlir::func::FuncOp>(std::move(pass));
  }
}

mlir::LogicalResult compileGraph(mlir::ModuleOp module, const GraphPassOptions& options) {
  mlir::PassManager manager(module.getContext(), mlir::ModuleOp::getOperationName());
  for (auto& pass : modelPasses(options)) {
    manager.addNestedPass<mlir::func::FuncOp>(std::move(pass));
  }
  manager.addPass(createLowerGraphPass());
  return manager.run(module);
}

mlir::LogicalResult compileGraph(mlir::ModuleOp module, const GraphPassOptions& options,
                                 AfterPass after) {
  for (auto& pass : modelPasses(options)) {
    const std::string name = pass->getArgument().str();
    mlir::PassManager manager(module.getContext(), mlir::ModuleOp::getOperationName());
    manager.addNestedPass<mlir::func::FuncOp>(std::move(pass));
    if (mlir::failed(manager.run(module)) || mlir::failed(after(name, module))) {
      return mlir::failure();
    }
  }
  mlir::PassManager lowering(module.getContext(), mlir::ModuleOp::getOperationName());
  lowering.addPass(createLowerGraphPass());
  return lowering.run(module);
}

void registerGraphPasses() {
  [[maybe_unused]] static const bool registered = [] {
    mlir::registerPass([] { return createLowerGraphPass(); });
    mlir::registerPass([] { return graph::createPackPass(); });
    mlir::registerPass([] { return graph::createShapesPass(); });
    mlir::registerPass([] { return graph::createCanonicalizePass(/*exact=*/false); });
    mlir::registerPass([] { return graph::createCsePass(); });
    mlir::registerPass([] { return graph::createDeadCodePass(); });
    mlir::registerPass([] { return graph::createFusePass(/*exact=*/false); });
    mlir::registerPass([] { return graph::createHoistInvariantsPass(); });
    mlir::registerPass([] { return graph::createLayoutPass(); });
    mlir::registerPass([] { return graph::createTapePass(); });
    mlir::PassPipelineRegistration<PipelineOptions>(
        "graph-pipeline", "All passes on graphs, in order",
        [](mlir::OpPassManager& manager, const PipelineOptions& options) {
          addGraphPasses(manager, {.exact = options.numerics == "exact"});
        });
    return true;
  }();
}

}  // namespace tfrt::compiler
