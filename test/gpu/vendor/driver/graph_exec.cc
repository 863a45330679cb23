// Launches of graphs, and what an update may change.
#include <utility>

#include "capture.h"
#include "driver.h"
#include "graph.h"
#include "kernel_operation.h"
#include "operations.h"

namespace tfrt::gpu::cuda_double {
namespace {

// The kind and the device of a copy's side must stay.
bool IsSameMemory(const CopySide& a, const CopySide& b) {
  if (!a.allocation || !b.allocation) return !a.allocation && !b.allocation;
  return IsHost(a.allocation->kind) == IsHost(b.allocation->kind) &&
         a.allocation->device == b.allocation->device &&
         (a.allocation->pool || b.allocation->pool ||
          a.allocation->context == b.allocation->context);
}

CUgraphExecUpdateResult CompareKernels(const KernelOperation& a, const KernelOperation& b) {
  if (a.kernel().module->context != b.kernel().module->context ||
      a.shape().cooperative != b.shape().cooperative) {
    return CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE;
  }
  return CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

CUgraphExecUpdateResult CompareFills(const MemsetOperation& a, const MemsetOperation& b) {
  bool flat = a.shape().num_rows == 1 && b.shape().num_rows == 1;
  bool same_shape = a.shape().row_bytes == b.shape().row_bytes &&
                    a.shape().num_rows == b.shape().num_rows && a.to().pitch == b.to().pitch;
  return IsSameMemory(a.to(), b.to()) && (flat || same_shape)
             ? CU_GRAPH_EXEC_UPDATE_SUCCESS
             : CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
}

}  // namespace

CUgraphExecUpdateResult CompareOperations(const Operation& a, const Operation& b) {
  switch (a.type()) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      return CompareKernels(static_cast<const KernelOperation&>(a),
                            static_cast<const KernelOperation&>(b));
    case CU_GRAPH_NODE_TYPE_MEMCPY: {
      const auto& from = static_cast<const CopyOperation&>(a);
      const auto& to = static_cast<const CopyOperation&>(b);
      return IsSameMemory(from.to(), to.to()) && IsSameMemory(from.from(), to.from())
                 ? CU_GRAPH_EXEC_UPDATE_SUCCESS
                 : CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
    }
    case CU_GRAPH_NODE_TYPE_MEMSET:
      return CompareFills(static_cast<const MemsetOperation&>(a),
                          static_cast<const MemsetOperation&>(b));
    default:
      return CU_GRAPH_EXEC_UPDATE_SUCCESS;
  }
}

void LaunchGraph(Driver& driver, std::unique_lock<std::mutex>& lock, GraphExec& exec,
                 const Stream& stream) {
  static const auto& kBegin = MakeMark("cuGraphLaunch");
  static const auto& kEnd = MakeMark("end of cuGraphLaunch");
  auto edges = ImplicitEdges(stream);
  if (exec.last_launch) edges.push_back(exec.last_launch);
  std::vector<std::shared_ptr<Command>> made{
      driver.MakeCommand(stream.context, stream.lane, kBegin, std::move(edges))};
  std::shared_ptr<Command> begin = made.front();
  std::vector<std::shared_ptr<Command>> of_node;
  for (const GraphExec::ExecNode& node : exec.nodes) {
    std::vector<std::shared_ptr<Command>> waits_for{begin};
    for (size_t before : node.dependencies) {
      if (exec.nodes[before].lane != node.lane) waits_for.push_back(of_node[before]);
    }
    auto command = driver.MakeCommand(node.context, exec.lanes[node.lane], node.operation,
                                      std::move(waits_for));
    command->graph_node_id = node.id;
    of_node.push_back(command);
    made.push_back(command);
  }
  std::vector<std::shared_ptr<Command>> ends = of_node;  // the clock of each is joined
  exec.last_launch = driver.MakeCommand(stream.context, stream.lane, kEnd, std::move(ends));
  made.push_back(exec.last_launch);
  driver.Enqueue(lock, made);
}

}  // namespace tfrt::gpu::cuda_double
