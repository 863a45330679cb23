#include "import_onnx.h"

#include "graph_importer.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Transforms/RegionUtils.h"
#include "signature.h"

namespace tfrt::compiler {
namespace {

using mlir::Value;

// One error for all that is not supported.
llvm::LogicalResult checkOps(const onnx::Model& model, mlir::Location location) {
  std::string text;
  size_t count = 0;
  for (const OnnxOpUse& use : listOnnxOps(model)) {
    if (use.is_supported) continue;
    ++count;
    text += text.empty() ? "" : "; ";
    text += (use.domain.empty() ? "" : use.domain + ".") + use.name + " version " +
            std::to_string(use.version) + " (";
    constexpr size_t kMaxNodes = 10;
    for (size_t i = 0; i < use.nodes.size() && i < kMaxNodes; ++i) {
      text += (i == 0 ? "" : ", ") + use.nodes[i];
    }
    if (use.nodes.size() > kMaxNodes) {
      text += " and " + std::to_string(use.nodes.size() - kMaxNodes) + " more";
    }
    text += ")";
  }
  if (count == 0) return mlir::success();
  return mlir::emitError(location)
         << count << (count == 1 ? " op is" : " ops are") << " not supported: " << text;
}

}  // namespace

mlir::OwningOpRef<mlir::ModuleOp> importOnnx(const onnx::Model& model,
                                             const OnnxImportOptions& options,
                                             mlir::MLIRContext* context) {
  context->loadDialect<graph::GraphDialect, mlir::func::FuncDialect>();
  mlir::OpBuilder builder(context);
  const mlir::Location location = mlir::NameLoc::get(builder.getStringAttr(model.path));
  graph::GraphBuilder graph(builder, location);
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(location);
  import::setModelAttributes(*module, model);
  // Before version 3 of the format there was one operator set alone.
  if (model.ir_version >= 3 && model.opsets.empty()) {
    mlir::emitError(location) << "the model does not say of which operator sets its ops are "
                                 "(opset_import)";
    return {};
  }
  if (mlir::failed(checkOps(model, location))) return {};
  auto inputs = import::readInputs(model, options, graph);
  if (!inputs) return {};
  llvm::SmallVector<mlir::Type> types;
  for (const import::Input& input : *inputs) {
    types.push_back(graph::tensorType(input.type, context));
  }
  builder.setInsertionPointToEnd(module->getBody());
  auto function =
      mlir::func::FuncOp::create(builder, location, "main", builder.getFunctionType(types, {}));
  mlir::Block* body = function.addEntryBlock();
  builder.setInsertionPointToStart(body);
  import::Scope scope;
  for (auto [index, input] : llvm::enumerate(*inputs)) {
    Value argument = body->getArgument(static_cast<unsigned>(index));
    function.setArgAttrs(static_cast<unsigned>(index), input.attributes);
    graph.setType(argument, input.type);
    if (scope.add(input.info->name, argument)) continue;
    mlir::emitError(location) << "'" << llvm::StringRef(input.info->name) << "' is made twice";
    return {};
  }
  llvm::SmallVector<Value> results;
  if (mlir::failed(import::GraphImporter(model, options, graph).importMain(scope, results)))
    return {};
  graph::ReturnOp::create(builder, location, results);
  import::nameResults(function, model.graph.outputs, results, graph);
  // Ops that the outputs do not need.
  mlir::IRRewriter rewriter(context);
  (void)mlir::runRegionDCE(rewriter, function.getBody());
  if (mlir::failed(mlir::verify(*module))) return {};
  return module;
}

}  // namespace tfrt::compiler
