#include "import_traced.h"

#include "body_importer.h"
#include "dialects/graph/table_ops.h"
#include "lib/format/traced_graph/flatten.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

namespace tfrt::compiler {
namespace {

using function::TracedGraph;
using mlir::Value;

constexpr llvm::StringLiteral kEffects = "effects";

// The value's name, and that none of its sizes has one.
mlir::DictionaryAttr nameOf(llvm::StringRef name, mlir::Type type, mlir::Builder builder) {
  mlir::NamedAttrList attributes;
  if (auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type)) {
    llvm::SmallVector<mlir::Attribute> dims(static_cast<size_t>(tensor.getRank()),
                                            builder.getStringAttr(""));
    attributes.append("graph.dims", builder.getArrayAttr(dims));
  }
  attributes.append("graph.name", builder.getStringAttr(name));
  return attributes.getDictionary(builder.getContext());
}

mlir::OwningOpRef<mlir::ModuleOp> importFlat(const TracedGraph& from, mlir::MLIRContext* context) {
  const function::TracedFunction& traced = from.functions[0];
  mlir::OpBuilder builder(context);
  const mlir::Location location = mlir::NameLoc::get(builder.getStringAttr(traced.name));
  graph::GraphBuilder graph(builder, location);
  llvm::SmallVector<mlir::Type> types;
  for (function::ValueId id : traced.body.arguments) {
    const ValueType type = ToValueType(traced.values[id]);
    types.push_back(graph::tensorType(type, context));
    const std::string why = graph::whyTooLarge(type.shape);
    if (types.back() && why.empty()) continue;
    const std::string& name = traced.argument_names[types.size() - 1];
    mlir::emitError(location) << "argument '" << llvm::StringRef(name) << "' is "
                              << llvm::StringRef(traced.values[id].ToString())
                              << (why.empty() ? ", of which there are no programs" : "");
    return {};
  }
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(location);
  builder.setInsertionPointToEnd(module->getBody());
  auto function =
      mlir::func::FuncOp::create(builder, location, "main", builder.getFunctionType(types, {}));
  mlir::Block* block = function.addEntryBlock();
  builder.setInsertionPointToStart(block);
  traced::BodyImporter importer(from, graph);
  for (auto [index, id] : llvm::enumerate(traced.body.arguments)) {
    auto number = static_cast<unsigned>(index);
    function.setArgAttrs(number, nameOf(traced.argument_names[index], types[index], builder));
    graph.setType(block->getArgument(number), ToValueType(traced.values[id]));
    importer.set(id, block->getArgument(number));
  }
  const bool has_effects = function::ConventionOf(from).has_effects;
  if (has_effects) {
    importer.setToken(
        graph::BeginEffectsOp::create(builder, location, graph::TokenType::get(context)));
  }
  if (mlir::failed(importer.importOps(traced.body))) return {};

  llvm::SmallVector<Value> results;
  for (function::ValueId id : traced.body.results) results.push_back(importer.get(id));
  llvm::SmallVector<llvm::StringRef> names;
  for (const std::string& name : traced.result_names) names.push_back(name);
  if (has_effects) {
    auto truth = mlir::RankedTensorType::get({}, builder.getI1Type());
    results.push_back(graph::EndEffectsOp::create(builder, location, truth, importer.token()));
    names.push_back(kEffects);
  }
  graph::ReturnOp::create(builder, location, results);
  function.setFunctionType(builder.getFunctionType(types, mlir::ValueRange(results).getTypes()));
  for (auto [index, name] : llvm::enumerate(names)) {
    function.setResultAttrs(static_cast<unsigned>(index),
                            nameOf(name, results[index].getType(), builder));
  }
  if (mlir::failed(mlir::verify(*module))) return {};
  return module;
}

}  // namespace

mlir::OwningOpRef<mlir::ModuleOp> importTraced(const TracedGraph& graph,
                                               mlir::MLIRContext* context) {
  context->loadDialect<graph::GraphDialect, mlir::func::FuncDialect>();
  auto fail = [&](const Status& status) {
    mlir::emitError(mlir::UnknownLoc::get(context)) << llvm::StringRef(status.message());
    return mlir::OwningOpRef<mlir::ModuleOp>();
  };
  if (Status status = function::Verify(graph); !status.ok()) return fail(status);
  StatusOr<TracedGraph> flat = function::Flatten(graph);
  if (!flat.ok()) return fail(flat.status());
  return importFlat(*flat, context);
}

}  // namespace tfrt::compiler
