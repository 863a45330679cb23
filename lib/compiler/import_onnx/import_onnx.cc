#include "tfrt/compiler/import_onnx.h"

#include <map>
#include <tuple>
#include <utility>

#include "constants.h"
#include "llvm/ADT/ScopeExit.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "node.h"

namespace tfrt::compiler {
namespace {

using graph::GraphBuilder;
using import::CallAttributes;
using import::NodeRow;
using mlir::Value;

llvm::StringRef refOf(std::string_view text) { return {text.data(), text.size()}; }

llvm::ArrayRef<llvm::ArrayRef<NodeRow>> families() {
  static const llvm::ArrayRef<NodeRow> all[] = {
      import::attentionRows(),   import::controlFlowRows(),   import::einsumRows(),
      import::elementwiseRows(), import::layerRows(),         import::lossRows(),
      import::movementRows(),    import::normalizationRows(), import::quantizationRows(),
      import::recurrentRows(),   import::reductionRows(),     import::resizingRows(),
      import::samplingRows(),    import::selectionRows(),     import::signalRows(),
      import::slicingRows(),     import::windowRows()};
  return all;
}

// The opsets that a file, or a function in it, imports.
class Opsets {
 public:
  explicit Opsets(llvm::ArrayRef<onnx::OpsetId> opsets) {
    for (const onnx::OpsetId& opset : opsets) versions_[domainOf(opset.domain)] = opset.version;
  }
  // The one that is missing is 1.
  int64_t versionOf(std::string_view domain) const {
    auto found = versions_.find(domainOf(domain));
    return found == versions_.end() ? 1 : found->second;
  }
  static std::string_view domainOf(std::string_view domain) {
    return domain == "ai.onnx" ? std::string_view() : domain;
  }

 private:
  std::map<std::string_view, int64_t> versions_;
};

// The row for an op as an opset has it: the last one that is not newer. Null if there is none.
const NodeRow* findRow(std::string_view domain, std::string_view op, int64_t version) {
  if (!Opsets::domainOf(domain).empty()) return nullptr;
  const NodeRow* best = nullptr;
  for (llvm::ArrayRef<NodeRow> family : families()) {
    for (const NodeRow& row : family) {
      bool fits = row.op == refOf(op) && row.since <= version && version <= row.until;
      if (fits && (!best || best->since < row.since)) best = &row;
    }
  }
  return best;
}

// The values that names stand for: those of a graph, and then those of the graphs around it.
class Scope {
 public:
  explicit Scope(const Scope* outer = nullptr) : outer_(outer) {}

  // Null if nothing made it yet.
  Value find(std::string_view name) const {
    auto found = values_.find(name);
    if (found != values_.end()) return found->second;
    return outer_ ? outer_->find(name) : Value();
  }
  void set(std::string_view name, Value value) { values_[name] = value; }
  // False if this graph has made it before.
  bool add(std::string_view name, Value value) { return values_.emplace(name, value).second; }

 private:
  const Scope* outer_;
  std::map<std::string_view, Value> values_;
};

class Importer {
 public:
  Importer(const onnx::Model& model, const OnnxImportOptions& options, mlir::MLIRContext* context)
      : model_(model),
        options_(options),
        files_(model.folder()),
        builder_(context),
        graph_(builder_, mlir::NameLoc::get(builder_.getStringAttr(model.path))) {
    for (const onnx::ModelFunction& function : model.functions) {
      functions_[{Opsets::domainOf(function.domain), function.name}] = &function;
    }
  }

  mlir::OwningOpRef<mlir::ModuleOp> run() {
    mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(graph_.location());
    setModelAttributes(*module);
    if (mlir::failed(checkOps())) return {};
    llvm::SmallVector<mlir::Type> types;
    llvm::SmallVector<mlir::DictionaryAttr> names;
    llvm::SmallVector<const onnx::ValueInfo*> inputs;
    if (mlir::failed(readInputs(types, names, inputs))) return {};
    builder_.setInsertionPointToEnd(module->getBody());
    auto function = mlir::func::FuncOp::create(builder_, graph_.location(), "main",
                                               builder_.getFunctionType(types, {}));
    mlir::Block* body = function.addEntryBlock();
    builder_.setInsertionPointToStart(body);
    Scope scope;
    for (auto [index, input] : llvm::enumerate(inputs)) {
      Value argument = body->getArgument(static_cast<unsigned>(index));
      function.setArgAttrs(static_cast<unsigned>(index), names[index]);
      graph_.setType(argument, types_[index]);
      if (scope.add(input->name, argument)) continue;
      (void)fail("'" + refOf(input->name) + "' is made twice");
      return {};
    }
    if (mlir::failed(importConstants(model_.graph, scope))) return {};
    if (mlir::failed(importNodes(model_.graph.nodes, Opsets(model_.opsets), {}, scope))) return {};
    if (mlir::failed(finish(function, scope))) return {};
    removeUnused(*body);
    if (mlir::failed(mlir::verify(*module))) return {};
    return module;
  }

 private:
  // Of functions that call each other and graphs in nodes.
  static constexpr int kMaxDepth = 32;
  // A function may call another one twice, and so on: a small file could ask for any number.
  static constexpr size_t kMaxNodes = size_t{1} << 18;

  // Graphs in a node's attributes, as the node sees the graphs around it.
  class InnerGraphs final : public import::Subgraphs {
   public:
    InnerGraphs(Importer& importer, const Opsets& opsets, const CallAttributes& call,
                const Scope& scope)
        : importer_(importer), opsets_(opsets), call_(call), scope_(scope) {}
    llvm::LogicalResult import(const onnx::Graph& graph, llvm::ArrayRef<Value> inputs,
                               llvm::SmallVectorImpl<Value>& outputs) override {
      return importer_.importGraph(graph, inputs, opsets_, call_, scope_, outputs);
    }

   private:
    Importer& importer_;
    const Opsets& opsets_;
    const CallAttributes& call_;
    const Scope& scope_;
  };

  // Who made the model, and what it says of itself. Of two texts of one key the first counts.
  void setModelAttributes(mlir::ModuleOp module) {
    std::string producer(model_.producer_name);
    if (!model_.producer_version.empty()) {
      producer += (producer.empty() ? "" : " ") + std::string(model_.producer_version);
    }
    if (!producer.empty()) module->setAttr("graph.producer", builder_.getStringAttr(producer));
    mlir::NamedAttrList metadata;
    for (const auto& [key, value] : model_.metadata) {
      if (key.empty() || metadata.get(refOf(key))) continue;
      metadata.append(refOf(key), builder_.getStringAttr(refOf(value)));
    }
    if (metadata.empty()) return;
    module->setAttr("graph.metadata", metadata.getDictionary(builder_.getContext()));
  }

  llvm::LogicalResult fail(const llvm::Twine& message) {
    return mlir::emitError(graph_.location()) << message;
  }

  llvm::LogicalResult tooDeep() {
    return fail("graphs and functions are nested more than " + llvm::Twine(kMaxDepth) + " deep");
  }

  // One error for all that is not supported.
  llvm::LogicalResult checkOps() {
    std::string text;
    size_t count = 0;
    for (const OnnxOpUse& use : listOnnxOps(model_)) {
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
    return fail(llvm::Twine(count) + (count == 1 ? " op is" : " ops are") +
                " not supported: " + text);
  }

  // Sizes as the file says: known, a name, or nothing.
  llvm::LogicalResult readInputs(llvm::SmallVectorImpl<mlir::Type>& types,
                                 llvm::SmallVectorImpl<mlir::DictionaryAttr>& names,
                                 llvm::SmallVectorImpl<const onnx::ValueInfo*>& inputs) {
    std::map<std::string_view, bool> initialized;
    for (const onnx::TensorData& tensor : model_.graph.initializers)
      initialized[tensor.name] = true;
    for (const onnx::ValueInfo& input : model_.graph.inputs) {
      // Old files list initialisers among the inputs.
      if (initialized.contains(input.name)) continue;
      if (input.kind != onnx::TypeKind::kTensor) {
        return fail("input '" + refOf(input.name) + "' is no tensor");
      }
      ValueType type{onnx::DTypeOf(input.type)};
      if (!graph::elementType(type.dtype, builder_.getContext())) {
        return fail("input '" + refOf(input.name) + "' is of " + onnx::DataTypeName(input.type) +
                    ", which is not supported");
      }
      llvm::SmallVector<mlir::Attribute> dim_names;
      if (input.dims) {
        std::vector<Dim> dims;
        for (const onnx::Dim& dim : *input.dims) {
          dims.push_back(sizeOf(dim));
          // A list of axes, sizes or so that is empty.
          bool is_list = input.type == onnx::DataType::kInt64 && input.dims->size() == 1;
          if (is_list && dim.value == 0) dims.back() = 0;
          dim_names.push_back(builder_.getStringAttr(dims.back().is_symbol() ? refOf(dim.symbol)
                                                                             : llvm::StringRef()));
        }
        type.shape = SymbolicShape(std::move(dims));
        if (std::string why = graph::whyTooLarge(type.shape); !why.empty()) {
          return fail("input '" + refOf(input.name) + "' " + why);
        }
      }
      types.push_back(graph::tensorType(type, builder_.getContext()));
      types_.push_back(std::move(type));
      names.push_back(builder_.getDictionaryAttr(
          {builder_.getNamedAttr("graph.dims", builder_.getArrayAttr(dim_names)),
           builder_.getNamedAttr("graph.name", builder_.getStringAttr(refOf(input.name)))}));
      inputs.push_back(&input);
    }
    return mlir::success();
  }

  // Writers put 0, -1 and "?" where they do not know.
  Dim sizeOf(const onnx::Dim& dim) {
    if (dim.value) return *dim.value > 0 ? Dim(*dim.value) : Dim();
    if (dim.symbol.empty() || dim.symbol == "?") return Dim();
    auto fixed = options_.dims.find(refOf(dim.symbol));
    return fixed == options_.dims.end() ? graph_.symbol(refOf(dim.symbol)) : Dim(fixed->second);
  }

  llvm::LogicalResult importConstants(const onnx::Graph& graph, Scope& scope) {
    if (graph.num_sparse_initializers > 0) return fail("sparse initialisers are not supported");
    for (const onnx::TensorData& tensor : graph.initializers) {
      mlir::TypedAttr value =
          import::readConstant(tensor, files_, graph_.location(), builder_.getContext());
      if (!value) return mlir::failure();
      if (scope.add(tensor.name, graph_.constant(value))) continue;
      return fail("'" + refOf(tensor.name) + "' is made twice");
    }
    return mlir::success();
  }

  llvm::LogicalResult importGraph(const onnx::Graph& graph, llvm::ArrayRef<Value> inputs,
                                  const Opsets& opsets, const CallAttributes& call,
                                  const Scope& outer, llvm::SmallVectorImpl<Value>& outputs) {
    if (graph.inputs.size() != inputs.size()) {
      return fail("graph '" + refOf(graph.name) + "' has " + llvm::Twine(graph.inputs.size()) +
                  " inputs, expected " + llvm::Twine(inputs.size()));
    }
    llvm::scope_exit back([&] { --depth_; });
    if (++depth_ > kMaxDepth) return tooDeep();
    Scope scope(&outer);
    for (auto [input, value] : llvm::zip(graph.inputs, inputs)) {
      if (input.kind != onnx::TypeKind::kTensor && input.kind != onnx::TypeKind::kNone) {
        return fail("input '" + refOf(input.name) + "' of graph '" + refOf(graph.name) +
                    "' is no tensor");
      }
      if (!scope.add(input.name, value)) return fail("'" + refOf(input.name) + "' is made twice");
    }
    if (mlir::failed(importConstants(graph, scope)) ||
        mlir::failed(importNodes(graph.nodes, opsets, call, scope))) {
      return mlir::failure();
    }
    for (const onnx::ValueInfo& output : graph.outputs) {
      outputs.push_back(scope.find(output.name));
      if (outputs.back()) continue;
      return fail("output '" + refOf(output.name) + "' is not made by any node");
    }
    return mlir::success();
  }

  llvm::LogicalResult importNodes(llvm::ArrayRef<onnx::Node> nodes, const Opsets& opsets,
                                  const CallAttributes& call, Scope& scope) {
    for (const onnx::Node& node : nodes) {
      auto location = graph_.location();
      llvm::scope_exit back([&] { graph_.setLocation(location); });
      graph_.setLocation(locationOf(node));
      if (++num_nodes_ > kMaxNodes) {
        return fail("the graphs and functions in each other have more than " +
                    llvm::Twine(kMaxNodes) + " nodes");
      }
      llvm::SmallVector<Value> inputs;
      for (std::string_view name : node.inputs) {
        if (name.empty()) {
          inputs.push_back({});
          continue;
        }
        inputs.push_back(scope.find(name));
        if (inputs.back()) continue;
        return fail("input '" + refOf(name) + "' is not made by an earlier node");
      }
      llvm::SmallVector<Value> outputs;
      if (mlir::failed(importNode(node, opsets, call, inputs, scope, outputs)))
        return mlir::failure();
      for (auto [index, name] : llvm::enumerate(node.outputs)) {
        if (name.empty()) continue;
        if (index >= outputs.size()) {
          return fail(refOf(node.op) + " has " + llvm::Twine(outputs.size()) + " outputs, but '" +
                      refOf(name) + "' is one more");
        }
        if (!scope.add(name, outputs[index])) {
          return fail("'" + refOf(name) + "' is made twice");
        }
      }
    }
    return mlir::success();
  }

  llvm::LogicalResult importNode(const onnx::Node& onnx_node, const Opsets& opsets,
                                 const CallAttributes& call, llvm::ArrayRef<Value> inputs,
                                 const Scope& scope, llvm::SmallVectorImpl<Value>& outputs) {
    auto function = functions_.find({Opsets::domainOf(onnx_node.domain), onnx_node.op});
    if (function != functions_.end()) {
      return importCall(onnx_node, *function->second, call, inputs, outputs);
    }
    const int64_t version = opsets.versionOf(onnx_node.domain);
    const NodeRow* row = findRow(onnx_node.domain, onnx_node.op, version);
    // Seen before, unless a graph comes to a function from a caller of another opset.
    if (!row)
      return fail(refOf(onnx_node.op) + " version " + llvm::Twine(version) + " is not supported");
    InnerGraphs inner(*this, opsets, call, scope);
    import::Node node(onnx_node, version, call, files_, inner, graph_, inputs);
    if (mlir::failed(import::checkCounts(node)) || mlir::failed(row->function(node)) ||
        node.has_failed()) {
      return mlir::failure();
    }
    outputs = std::move(node.outputs);
    return mlir::success();
  }

  // The body of a function with the call's inputs and attributes.
  llvm::LogicalResult importCall(const onnx::Node& node, const onnx::ModelFunction& function,
                                 const CallAttributes& outer, llvm::ArrayRef<Value> inputs,
                                 llvm::SmallVectorImpl<Value>& outputs) {
    llvm::scope_exit back([&] { --depth_; });
    if (++depth_ > kMaxDepth) return tooDeep();
    CallAttributes call;
    for (const onnx::Attribute& attribute : function.default_attributes) {
      call[refOf(attribute.name)] = &attribute;
    }
    for (const onnx::Attribute& attribute : node.attributes) {
      const onnx::Attribute* given = &attribute;
      if (!attribute.ref.empty()) {
        auto found = outer.find(refOf(attribute.ref));
        if (found == outer.end()) continue;
        given = found->second;
      }
      call[refOf(attribute.name)] = given;
    }
    if (inputs.size() > function.inputs.size()) {
      return fail("function " + refOf(function.name) + " has " +
                  llvm::Twine(function.inputs.size()) + " inputs, but is given " +
                  llvm::Twine(inputs.size()));
    }
    Scope scope;
    for (auto [index, input] : llvm::enumerate(inputs)) {
      if (input) scope.set(function.inputs[index], input);
    }
    if (mlir::failed(importNodes(function.nodes, Opsets(function.opsets), call, scope))) {
      return mlir::failure();
    }
    for (std::string_view name : function.outputs) {
      outputs.push_back(scope.find(name));
      if (outputs.back()) continue;
      return fail("function " + refOf(function.name) + " does not make its output '" + refOf(name) +
                  "'");
    }
    return mlir::success();
  }

  llvm::LogicalResult finish(mlir::func::FuncOp function, Scope& scope) {
    llvm::SmallVector<Value> results;
    for (const onnx::ValueInfo& output : model_.graph.outputs) {
      results.push_back(scope.find(output.name));
      if (results.back()) continue;
      return fail("output '" + refOf(output.name) + "' is not made by any node");
    }
    graph::ReturnOp::create(builder_, graph_.location(), results);
    function.setFunctionType(builder_.getFunctionType(function.getArgumentTypes(),
                                                      mlir::ValueRange(results).getTypes()));
    for (auto [index, output] : llvm::enumerate(model_.graph.outputs)) {
      auto number = static_cast<unsigned>(index);
      function.setResultAttr(number, "graph.name", builder_.getStringAttr(refOf(output.name)));
      const SymbolicShape& shape = graph_.typeOf(results[index]).shape;
      if (!shape.has_rank()) continue;
      llvm::SmallVector<mlir::Attribute> names;
      for (Dim size : shape.dims()) names.push_back(builder_.getStringAttr(graph_.nameOf(size)));
      function.setResultAttr(number, "graph.dims", builder_.getArrayAttr(names));
    }
    return mlir::success();
  }

  // What the outputs do not need.
  static void removeUnused(mlir::Block& body) {
    for (mlir::Operation& op : llvm::make_early_inc_range(llvm::reverse(body))) {
      if (mlir::isOpTriviallyDead(&op)) {
        op.erase();
        continue;
      }
      for (mlir::Region& region : op.getRegions()) {
        for (mlir::Block& block : region) removeUnused(block);
      }
    }
  }

  // "node"("model.onnx": Op)
  mlir::Location locationOf(const onnx::Node& node) {
    std::string where = model_.path + ": " + std::string(node.op);
    mlir::Location file = mlir::NameLoc::get(builder_.getStringAttr(where));
    if (!node.name.empty()) {
      return mlir::NameLoc::get(builder_.getStringAttr(refOf(node.name)), file);
    }
    return file;
  }

  const onnx::Model& model_;
  const OnnxImportOptions& options_;
  onnx::ExternalFiles files_;
  mlir::OpBuilder builder_;
  GraphBuilder graph_;
  std::map<std::pair<std::string_view, std::string_view>, const onnx::ModelFunction*> functions_;
  std::vector<ValueType> types_;  // of the inputs
  int depth_ = 0;                 // of calls and graphs in nodes
  size_t num_nodes_ = 0;          // so far
};

}  // namespace

mlir::OwningOpRef<mlir::ModuleOp> importOnnx(const onnx::Model& model,
                                             const OnnxImportOptions& options,
                                             mlir::MLIRContext* context) {
  context->loadDialect<graph::GraphDialect, mlir::func::FuncDialect>();
  return Importer(model, options, context).run();
}

std::vector<OnnxOpSupport> supportedOnnxOps() {
  std::vector<OnnxOpSupport> ops;
  for (llvm::ArrayRef<NodeRow> family : families()) {
    for (const NodeRow& row : family) ops.push_back({row.op, row.since, row.until});
  }
  llvm::sort(ops, [](const OnnxOpSupport& a, const OnnxOpSupport& b) {
    return std::tie(a.name, a.first_version) < std::tie(b.name, b.first_version);
  });
  return ops;
}

std::vector<OnnxOpUse> listOnnxOps(const onnx::Model& model) {
  std::map<std::tuple<std::string, std::string, int64_t>, OnnxOpUse> uses;
  std::map<std::pair<std::string_view, std::string_view>, bool> functions;
  for (const onnx::ModelFunction& function : model.functions) {
    functions[{Opsets::domainOf(function.domain), function.name}] = true;
  }
  auto add = [&](auto& add, llvm::ArrayRef<onnx::Node> nodes, const Opsets& opsets) -> void {
    for (const onnx::Node& node : nodes) {
      for (const onnx::Attribute& attribute : node.attributes) {
        if (!attribute.large) continue;
        for (const onnx::Graph& graph : attribute.large->graphs) add(add, graph.nodes, opsets);
      }
      std::string_view domain = Opsets::domainOf(node.domain);
      if (functions.contains({domain, node.op})) continue;
      int64_t version = opsets.versionOf(domain);
      OnnxOpUse& use = uses[{std::string(domain), std::string(node.op), version}];
      use.domain = domain;
      use.name = node.op;
      use.version = version;
      use.is_supported = findRow(domain, node.op, version) != nullptr;
      if (!node.name.empty()) {
        use.nodes.push_back("'" + std::string(node.name) + "'");
      } else {
        use.nodes.push_back("unnamed node making '" +
                            std::string(node.outputs.empty() ? "" : node.outputs[0]) + "'");
      }
    }
  };
  add(add, model.graph.nodes, Opsets(model.opsets));
  for (const onnx::ModelFunction& function : model.functions) {
    add(add, function.nodes, Opsets(function.opsets));
  }
  std::vector<OnnxOpUse> list;
  for (auto& [key, use] : uses) list.push_back(std::move(use));
  return list;
}

}  // namespace tfrt::compiler
