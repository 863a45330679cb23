// The groups of graph ops, one per source file.
#ifndef TFRT_CORE_RUNTIME_GRAPH_OPS_GRAPH_OP_GROUPS_H_
#define TFRT_CORE_RUNTIME_GRAPH_OPS_GRAPH_OP_GROUPS_H_

namespace tfrt {

class OpRegistry;

void RegisterCreationGraphOps(OpRegistry* registry);
void RegisterGatherGraphOps(OpRegistry* registry);
void RegisterMovementGraphOps(OpRegistry* registry);
void RegisterPadGraphOps(OpRegistry* registry);
void RegisterStructureGraphOps(OpRegistry* registry);  // graph.identity, graph.shape_of

}  // namespace tfrt

#endif  // TFRT_CORE_RUNTIME_GRAPH_OPS_GRAPH_OP_GROUPS_H_
