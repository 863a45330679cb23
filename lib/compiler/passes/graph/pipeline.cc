// The passes in their order.

#include "pipeline.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "graph_passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

namespace tfrt::compiler {
namespace graph {

#define GEN_PASS_REGISTRATION
#include "lib/compiler/graph_passes.h.inc"

}  // namespace graph
namespace {

struct PipelineOptions : mlir::PassPipelineOptions<PipelineOptions> {
  Option<std::string> numerics{*this, "numerics",
                               llvm::cl::desc("fast, or exact: keep the rounding of the program"),
                               llvm::cl::init("fast")};
};

// Those on functions, in their order.
std::vector<std::unique_ptr<mlir::Pass>> graphPasses(const GraphPassOptions& options) {
  const std::string numerics = options.exact ? "exact" : "fast";
  std::vector<std::unique_ptr<mlir::Pass>> passes;
  passes.push_back(graph::createShapesPass());
  if (options.widen && !options.exact) passes.push_back(graph::createWidenPass());
  passes.push_back(graph::createCanonicalizePass({.numerics = numerics}));
  passes.push_back(graph::createShapesPass());
  passes.push_back(graph::createDeadCodePass());
  passes.push_back(graph::createHoistInvariantsPass());
  passes.push_back(graph::createCsePass());
  if (!options.fuse) return passes;
  passes.push_back(graph::createFusePass({.numerics = numerics}));
  if (options.quantize) {
    graph::QuantizePassOptions quantize;
    quantize.keep.assign(options.keep_f32.begin(), options.keep_f32.end());
    quantize.remarks = true;
    passes.push_back(graph::createQuantizePass(quantize));
  }
  if (!options.weights.empty()) {
    graph::NarrowPassOptions narrow;
    narrow.dtype = options.weights;
    narrow.keep.assign(options.keep_f32.begin(), options.keep_f32.end());
    narrow.remarks = true;
    passes.push_back(graph::createNarrowPass(narrow));
  }
  passes.push_back(graph::createLayoutPass());
  passes.push_back(graph::createCanonicalizePass({.numerics = numerics}));
  passes.push_back(graph::createTapePass());
  return passes;
}

}  // namespace

void addGraphPasses(mlir::OpPassManager& manager, const GraphPassOptions& options) {
  for (auto& pass : graphPasses(options)) {
    manager.addNestedPass<mlir::func::FuncOp>(std::move(pass));
  }
}

mlir::LogicalResult compileGraph(mlir::ModuleOp module, const GraphPassOptions& options,
                                 AfterPass after) {
  auto passes = graphPasses(options);
  if (options.pack) passes.push_back(graph::createPackPass());
  for (auto& pass : passes) {
    const std::string name = pass->getArgument().str();
    mlir::PassManager manager(module.getContext(), mlir::ModuleOp::getOperationName());
    manager.addNestedPass<mlir::func::FuncOp>(std::move(pass));
    if (mlir::failed(manager.run(module)) || (after && mlir::failed(after(name, module)))) {
      return mlir::failure();
    }
  }
  mlir::PassManager lowering(module.getContext(), mlir::ModuleOp::getOperationName());
  lowering.addPass(graph::createLowerGraphPass());
  return lowering.run(module);
}

void registerGraphPasses() {
  [[maybe_unused]] static const bool registered = [] {
    graph::registerPasses();
    mlir::PassPipelineRegistration<PipelineOptions>(
        "graph-pipeline", "All passes on graphs, in order",
        [](mlir::OpPassManager& manager, const PipelineOptions& options) {
          addGraphPasses(manager, {.exact = options.numerics == "exact"});
        });
    return true;
  }();
}

}  // namespace tfrt::compiler
