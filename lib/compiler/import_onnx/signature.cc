#include "signature.h"

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "dialects/graph/table_ops.h"
#include "llvm/ADT/StringExtras.h"
#include "node.h"

namespace tfrt::compiler::import {
namespace {

bool isName(const onnx::Dim& dim) { return !dim.symbol.empty() && dim.symbol != "?"; }

// Writers put 0, -1 and "?" where they do not know.
Dim sizeOf(const onnx::Dim& dim, const OnnxImportOptions& options, graph::GraphBuilder& graph) {
  if (dim.value) return *dim.value > 0 ? Dim(*dim.value) : Dim();
  if (!isName(dim)) return Dim();
  auto fixed = options.dims.find(llvm::StringRef(dim.symbol));
  return fixed == options.dims.end() ? graph.symbol(llvm::StringRef(dim.symbol))
                                     : Dim(fixed->second);
}

std::optional<Input> readInput(const onnx::ValueInfo& input, const OnnxImportOptions& options,
                               graph::GraphBuilder& graph) {
  auto fail = [&](const llvm::Twine& message) {
    mlir::emitError(graph.location())
        << "input '" << llvm::StringRef(input.name) << "' " << message;
    return std::nullopt;
  };
  if (input.kind != onnx::TypeKind::kTensor) return fail("is no tensor");
  ValueType type{onnx::DTypeOf(input.type)};
  if (!elementType(type.dtype, graph.context())) {
    return fail("is of " + onnx::DataTypeName(input.type) + ", which is not supported");
  }
  mlir::OpBuilder& builder = graph.builder();
  llvm::SmallVector<mlir::Attribute> dim_names;
  if (input.dims) {
    std::vector<Dim> dims;
    for (const onnx::Dim& dim : *input.dims) {
      dims.push_back(sizeOf(dim, options, graph));
      // A list of axes, sizes or so that is empty.
      bool is_list = input.type == onnx::DataType::kInt64 && input.dims->size() == 1;
      if (is_list && dim.value == 0) dims.back() = 0;
      dim_names.push_back(builder.getStringAttr(
          dims.back().is_symbol() ? llvm::StringRef(dim.symbol) : llvm::StringRef()));
    }
    type.shape = SymbolicShape(std::move(dims));
    if (std::string why = graph::whyTooLarge(type.shape); !why.empty()) return fail(why);
  }
  auto attributes = builder.getDictionaryAttr(
      {builder.getNamedAttr("graph.dims", builder.getArrayAttr(dim_names)),
       builder.getNamedAttr("graph.name", builder.getStringAttr(llvm::StringRef(input.name)))});
  return Input{&input, std::move(type), attributes};
}

// Sizes that options name must be those of an input: a wrong name would change nothing.
bool haveSizes(llvm::ArrayRef<Input> inputs, const OnnxImportOptions& options,
               mlir::Location location) {
  std::set<std::string> names;
  for (const Input& input : inputs) {
    if (!input.info->dims) continue;
    for (const onnx::Dim& dim : *input.info->dims) {
      if (isName(dim)) names.emplace(dim.symbol);
    }
  }
  // In the order of names: a map of strings has none.
  std::set<std::string> wanted;
  for (const auto& entry : options.dims) wanted.insert(entry.getKey().str());
  for (const std::string& name : wanted) {
    if (names.contains(name)) continue;
    mlir::emitError(location) << "no input has a size '" << name << "'"
                              << (names.empty() ? "" : ": there are ") << llvm::join(names, ", ");
    return false;
  }
  return true;
}

}  // namespace

std::optional<std::vector<Input>> readInputs(const onnx::Model& model,
                                             const OnnxImportOptions& options,
                                             graph::GraphBuilder& graph) {
  std::set<std::string_view> initialized;
  for (const onnx::TensorData& tensor : model.graph.initializers) initialized.insert(tensor.name);
  std::vector<Input> inputs;
  for (const onnx::ValueInfo& input : model.graph.inputs) {
    if (initialized.contains(input.name)) continue;
    auto read = readInput(input, options, graph);
    if (!read) return std::nullopt;
    inputs.push_back(std::move(*read));
  }
  return haveSizes(inputs, options, graph.location()) ? std::optional(std::move(inputs))
                                                      : std::nullopt;
}

void nameResults(mlir::func::FuncOp function, llvm::ArrayRef<onnx::ValueInfo> outputs,
                 llvm::ArrayRef<mlir::Value> values, graph::GraphBuilder& graph) {
  mlir::OpBuilder& builder = graph.builder();
  function.setFunctionType(
      builder.getFunctionType(function.getArgumentTypes(), mlir::ValueRange(values).getTypes()));
  for (auto [index, output] : llvm::enumerate(outputs)) {
    auto number = static_cast<unsigned>(index);
    function.setResultAttr(number, "graph.name",
                           builder.getStringAttr(llvm::StringRef(output.name)));
    const SymbolicShape shape = graph.typeOf(values[index]).shape;
    if (!shape.has_rank()) continue;
    llvm::SmallVector<mlir::Attribute> names;
    for (Dim size : shape.dims()) names.push_back(builder.getStringAttr(graph.nameOf(size)));
    function.setResultAttr(number, "graph.dims", builder.getArrayAttr(names));
  }
}

void setModelAttributes(mlir::ModuleOp module, const onnx::Model& model) {
  mlir::Builder builder(module.getContext());
  std::string producer(model.producer_name);
  if (!model.producer_version.empty()) {
    producer += (producer.empty() ? "" : " ") + std::string(model.producer_version);
  }
  if (!producer.empty()) module->setAttr("graph.producer", builder.getStringAttr(producer));
  mlir::NamedAttrList metadata;
  for (const auto& [key, value] : model.metadata) {
    if (key.empty() || metadata.get(llvm::StringRef(key))) continue;
    metadata.append(llvm::StringRef(key), builder.getStringAttr(llvm::StringRef(value)));
  }
  if (metadata.empty()) return;
  module->setAttr("graph.metadata", metadata.getDictionary(builder.getContext()));
}

}  // namespace tfrt::compiler::import
