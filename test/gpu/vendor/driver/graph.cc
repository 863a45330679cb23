#include "graph.h"

#include <algorithm>
#include <map>
#include <utility>

#include "driver.h"
#include "kernel_operation.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::cuda_double {
namespace {

const char* TypeName(CUgraphNodeType type) {
  switch (type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      return "KERNEL";
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return "MEMCPY";
    case CU_GRAPH_NODE_TYPE_MEMSET:
      return "MEMSET";
    case CU_GRAPH_NODE_TYPE_HOST:
      return "HOST";
    default:
      return "EMPTY";
  }
}

}  // namespace

std::shared_ptr<Node> AddNode(Driver& driver, Graph& graph, Context* context,
                              std::shared_ptr<const Operation> operation,
                              std::vector<Node*> dependencies) {
  auto node = std::make_shared<Node>();
  node->id = ++driver.num_nodes;
  node->graph = &graph;
  node->context = context;
  node->operation = std::move(operation);
  node->dependencies = std::move(dependencies);
  node->handle = driver.nodes.Add(node);
  graph.nodes.push_back(node);
  if (driver.profiler) driver.profiler->node(node->handle, node->id, nullptr);
  return node;
}

void DestroyGraph(Driver& driver, Graph& graph) {
  for (const auto& node : graph.nodes) driver.nodes.Remove(node->handle);
  driver.graphs.Remove(graph.handle);
}

std::shared_ptr<GraphExec> Instantiate(Driver& driver, const Graph& from, Context* context) {
  auto exec = std::make_shared<GraphExec>();
  exec->context = context;
  exec->id = ++driver.num_execs;
  std::map<const Node*, size_t> indices;
  std::vector<size_t> lane_ends;  // the last node of each lane
  for (const auto& node : from.nodes) {
    size_t index = exec->nodes.size();
    GraphExec::ExecNode& made = exec->nodes.emplace_back();
    made.id = ++driver.num_nodes;  // as drivers do: the copy is another node
    made.original = node->handle;
    if (driver.profiler) {
      // No program sees the copy: any handle that no other node has.
      auto handle = reinterpret_cast<void*>(uintptr_t{0x2aull} << 56 | made.id);
      driver.profiler->node(handle, made.id, node->handle);
    }
    made.context = node->context;
    made.operation = node->operation;
    made.lane = lane_ends.size();
    for (const Node* dependency : node->dependencies) {
      size_t before = indices.at(dependency);
      made.dependencies.push_back(before);
      // It goes on where one of its dependencies is the last.
      size_t lane = exec->nodes[before].lane;
      if (made.lane == lane_ends.size() && lane_ends[lane] == before) made.lane = lane;
    }
    if (made.lane == lane_ends.size()) {
      lane_ends.push_back(index);
      exec->lanes.push_back(
          driver.AddLane(context, StrCat("branch ", lane_ends.size(), " of graph ", exec->id),
                         /*of_stream=*/false, /*blocking=*/false));
    } else {
      lane_ends[made.lane] = index;
    }
    indices[node.get()] = index;
  }
  return exec;
}

CUgraphExecUpdateResultInfo UpdateExec(GraphExec& exec, const Graph& graph) {
  if (exec.nodes.size() != graph.nodes.size()) {
    return {CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, nullptr, nullptr};
  }
  std::map<const Node*, size_t> indices;
  for (size_t i = 0; i < graph.nodes.size(); ++i) indices[graph.nodes[i].get()] = i;
  // All is compared before anything is changed.
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = *graph.nodes[i];
    const GraphExec::ExecNode& old = exec.nodes[i];
    if (node.operation->type() != old.operation->type()) {
      return {CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED, node.handle, nullptr};
    }
    if (node.dependencies.size() != old.dependencies.size()) {
      return {CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, node.handle, nullptr};
    }
    for (size_t d = 0; d < old.dependencies.size(); ++d) {
      if (indices.at(node.dependencies[d]) != old.dependencies[d]) {
        return {CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, node.handle,
                node.dependencies[d]->handle};
      }
    }
    CUgraphExecUpdateResult change = CompareOperations(*old.operation, *node.operation);
    if (change != CU_GRAPH_EXEC_UPDATE_SUCCESS) return {change, node.handle, nullptr};
  }
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    exec.nodes[i].operation = graph.nodes[i]->operation;
  }
  return {CU_GRAPH_EXEC_UPDATE_SUCCESS, nullptr, nullptr};
}

std::string DebugDot(const Graph& graph, unsigned flags) {
  bool verbose = (flags & CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE) != 0;
  std::string text = "digraph dot {\n";
  for (const auto& node : graph.nodes) {
    text += StrCat("  node", node->id, " [label=\"", TypeName(node->operation->type()), "\\n",
                   node->operation->name());
    if (verbose || (flags & CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES) != 0) {
      text += StrCat("\\nID ", node->id);
    }
    if (node->operation->type() == CU_GRAPH_NODE_TYPE_KERNEL &&
        (verbose || (flags & CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS) != 0)) {
      const auto& kernel = static_cast<const KernelOperation&>(*node->operation);
      const LaunchShape& shape = kernel.shape();
      text += StrCat("\\n<<<(", shape.grid.x, ",", shape.grid.y, ",", shape.grid.z, "),(",
                     shape.block.x, ",", shape.block.y, ",", shape.block.z, "),",
                     shape.dynamic_shared_bytes, ">>>");
    }
    text += "\"];\n";
    for (const Node* dependency : node->dependencies) {
      text += StrCat("  node", dependency->id, " -> node", node->id, ";\n");
    }
  }
  return text + "}\n";
}

}  // namespace tfrt::gpu::cuda_double
