#include "program_builder.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "tfrt/support/str_cat.h"

namespace tfrt::function {

uint32_t ProgramBuilder::AddLocation(Location where) {
  if (!where) return kNoLocation;
  auto [found, is_new] = locations_.try_emplace({where.handler(), where.data()},
                                                static_cast<uint32_t>(graph.locations.size()));
  if (is_new) graph.locations.push_back(where.Decode());
  return found->second;
}

uint32_t ProgramBuilder::AddConstant(const eager::Tensor& keeps_alive,
                                     const DenseHostTensor& elements) {
  TracedConstant constant;
  constant.type.dtype = elements.dtype();
  const ShapeDims dims = elements.shape().dims();
  constant.type.dims.emplace(dims.begin(), dims.end());
  // The address identifies elements that are kept alive; their buffer is immutable.
  auto [found, is_new] = constants_.try_emplace({elements.data(), constant.type.ToString()},
                                                static_cast<uint32_t>(graph.constants.size()));
  if (!is_new && elements.size_bytes() > 0) return found->second;
  found->second = static_cast<uint32_t>(graph.constants.size());
  auto owner = std::make_shared<DenseHostTensor>(elements.ShareBuffer());
  constant.data = {static_cast<const uint8_t*>(owner->data()), owner->size_bytes()};
  constant.owner = std::move(owner);
  graph.constants.push_back(std::move(constant));
  if (keeps_alive.valid()) kept_.push_back(keeps_alive);
  return found->second;
}

uint32_t ProgramBuilder::AddVariable(const eager::Variable& variable,
                                     const TensorMetadata& metadata) {
  auto [found, is_new] =
      variable_numbers_.try_emplace(variable.id(), static_cast<uint32_t>(graph.variables.size()));
  if (!is_new) return found->second;
  TracedVariable traced;
  traced.name = StrCat("v", graph.variables.size());
  traced.type.dtype = metadata.dtype;
  const ShapeDims dims = metadata.shape.dims();
  traced.type.dims.emplace(dims.begin(), dims.end());
  graph.variables.push_back(std::move(traced));
  variables.push_back(variable);
  return found->second;
}

uint32_t ProgramBuilder::AddCallback(const std::string& name, HostFunction function) {
  std::string unique = name;
  for (size_t n = 2;; ++n) {
    bool taken = false;
    for (const std::string& other : graph.callbacks) taken |= other == unique;
    if (!taken) break;
    unique = StrCat(name, "#", n);
  }
  graph.callbacks.push_back(std::move(unique));
  callbacks.push_back(std::move(function));
  return static_cast<uint32_t>(callbacks.size() - 1);
}

void SortFunctions(TracedGraph& graph, uint32_t first) {
  std::vector<uint32_t> order;
  std::vector<bool> is_seen(graph.functions.size());
  auto visit = [&](auto& self, uint32_t index) -> void {
    if (is_seen[index]) return;
    is_seen[index] = true;
    auto visit_body = [&](auto& again, const TracedBody& body) -> void {
      for (const TracedOp& op : body.ops) {
        if (op.kind == TracedOpKind::kCall) self(self, op.index);
        for (const TracedBody& inner : op.bodies) again(again, inner);
      }
    };
    visit_body(visit_body, graph.functions[index].body);
    order.push_back(index);
  };
  visit(visit, first);
  std::ranges::reverse(order);
  std::vector<uint32_t> number(graph.functions.size());
  std::vector<TracedFunction> sorted;
  for (uint32_t index : order) {
    number[index] = static_cast<uint32_t>(sorted.size());
    sorted.push_back(std::move(graph.functions[index]));
  }
  auto renumber = [&](auto& self, TracedBody& body) -> void {
    for (TracedOp& op : body.ops) {
      if (op.kind == TracedOpKind::kCall) op.index = number[op.index];
      for (TracedBody& inner : op.bodies) self(self, inner);
    }
  };
  for (TracedFunction& function : sorted) renumber(renumber, function.body);
  graph.functions = std::move(sorted);
}

}  // namespace tfrt::function
