#include "op_versions.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "import_onnx.h"

namespace tfrt::compiler {
namespace import {

std::string_view domainOf(std::string_view domain) {
  return domain == "ai.onnx" ? std::string_view() : domain;
}

Opsets::Opsets(llvm::ArrayRef<onnx::OpsetId> opsets) {
  for (const onnx::OpsetId& opset : opsets) versions_[domainOf(opset.domain)] = opset.version;
}

int64_t Opsets::versionOf(std::string_view domain) const {
  auto found = versions_.find(domainOf(domain));
  return found == versions_.end() ? 1 : found->second;
}

llvm::ArrayRef<NodeFamily> rowsByFamily() {
  constexpr llvm::StringRef kOnnx, kMicrosoft = "com.microsoft";
  static const NodeFamily all[] = {{kOnnx, activationRows()},
                                   {kOnnx, attentionRows()},
                                   {kOnnx, controlFlowRows()},
                                   {kOnnx, einsumRows()},
                                   {kOnnx, elementwiseRows()},
                                   {kOnnx, layerRows()},
                                   {kOnnx, lossRows()},
                                   {kOnnx, movementRows()},
                                   {kOnnx, normalizationRows()},
                                   {kOnnx, quantizationRows()},
                                   {kOnnx, randomnessRows()},
                                   {kOnnx, recurrentRows()},
                                   {kOnnx, reductionRows()},
                                   {kOnnx, resizingRows()},
                                   {kOnnx, rotaryRows()},
                                   {kOnnx, samplingRows()},
                                   {kOnnx, selectionRows()},
                                   {kOnnx, signalRows()},
                                   {kOnnx, slicingRows()},
                                   {kOnnx, stateRows()},
                                   {kOnnx, windowRows()},
                                   {kMicrosoft, microsoftAttentionRows()},
                                   {kMicrosoft, microsoftLayerRows()},
                                   {kMicrosoft, microsoftNormalizationRows()},
                                   {kMicrosoft, microsoftQuantizationRows()}};
  return all;
}

const NodeRow* findRow(std::string_view domain, std::string_view op, int64_t version) {
  const llvm::StringRef wanted(domainOf(domain));
  const NodeRow* best = nullptr;
  for (const NodeFamily& family : rowsByFamily()) {
    if (family.domain != wanted) continue;
    for (const NodeRow& row : family.rows) {
      bool fits = row.op == llvm::StringRef(op) && row.since <= version && version <= row.until;
      if (fits && (!best || best->since < row.since)) best = &row;
    }
  }
  return best;
}

}  // namespace import

std::vector<OnnxOpSupport> supportedOnnxOps() {
  std::map<std::pair<llvm::StringRef, llvm::StringRef>, OnnxOpSupport> ops;
  for (const import::NodeFamily& family : import::rowsByFamily()) {
    for (const import::NodeRow& row : family.rows) {
      auto [found, is_new] =
          ops.try_emplace({family.domain, row.op},
                          OnnxOpSupport{family.domain, row.op, row.since, row.until, row.limits});
      if (is_new) continue;
      OnnxOpSupport& op = found->second;
      op.first_version = std::min(op.first_version, row.since);
      op.last_version = std::max(op.last_version, row.until);
      if (op.limits.empty()) op.limits = row.limits;
    }
  }
  std::vector<OnnxOpSupport> list;
  for (const auto& [key, op] : ops) list.push_back(op);
  return list;
}

std::vector<OnnxOpUse> listOnnxOps(const onnx::Model& model) {
  std::map<std::tuple<std::string, std::string, int64_t>, OnnxOpUse> uses;
  std::set<import::FunctionKey> functions;
  for (const onnx::ModelFunction& function : model.functions) {
    functions.insert(import::keyOf(function));
  }
  auto add = [&](auto& add, llvm::ArrayRef<onnx::Node> nodes,
                 const import::Opsets& opsets) -> void {
    for (const onnx::Node& node : nodes) {
      for (const onnx::Attribute& attribute : node.attributes) {
        if (!attribute.large) continue;
        for (const onnx::Graph& graph : attribute.large->graphs) add(add, graph.nodes, opsets);
      }
      if (functions.contains(import::keyOf(node))) continue;
      std::string_view domain = import::domainOf(node.domain);
      std::string name(node.op);
      if (!node.overload.empty()) name.append(":").append(node.overload);
      int64_t version = opsets.versionOf(domain);
      OnnxOpUse& use = uses[{std::string(domain), name, version}];
      use.domain = domain;
      use.name = std::move(name);
      use.version = version;
      use.is_supported = import::findRow(domain, node.op, version) != nullptr;
      if (!node.name.empty()) {
        use.nodes.push_back("'" + std::string(node.name) + "'");
      } else {
        use.nodes.push_back("unnamed node making '" +
                            std::string(node.outputs.empty() ? "" : node.outputs[0]) + "'");
      }
    }
  };
  add(add, model.graph.nodes, import::Opsets(model.opsets));
  for (const onnx::ModelFunction& function : model.functions) {
    add(add, function.nodes, import::Opsets(function.opsets));
  }
  std::vector<OnnxOpUse> list;
  for (auto& [key, use] : uses) list.push_back(std::move(use));
  return list;
}

}  // namespace tfrt::compiler
