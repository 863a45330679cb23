// The groups of graph ops, one per source file.
#ifndef TFRT_CORE_RUNTIME_GRAPH_OPS_GRAPH_OP_GROUPS_H_
#define TFRT_CORE_RUNTIME_GRAPH_OPS_GRAPH_OP_GROUPS_H_

namespace tfrt {

class OpRegistry;

void RegisterAttentionGraphOps(OpRegistry* registry);
void RegisterConversionGraphOps(OpRegistry* registry);  // graph.cast, graph.quantize, ...
void RegisterConvolutionGraphOps(OpRegistry* registry);
void RegisterCreationGraphOps(OpRegistry* registry);
void RegisterElementwiseGraphOps(OpRegistry* registry);  // graph.add, graph.select, ...
void RegisterFusedGraphOps(OpRegistry* registry);
void RegisterGatherGraphOps(OpRegistry* registry);
void RegisterMovementGraphOps(OpRegistry* registry);
void RegisterNormalizationGraphOps(OpRegistry* registry);  // graph.softmax, graph.lrn, ...
void RegisterPadGraphOps(OpRegistry* registry);
void RegisterPoolingGraphOps(OpRegistry* registry);
void RegisterProductGraphOps(OpRegistry* registry);
void RegisterRecurrentGraphOps(OpRegistry* registry);
void RegisterReductionGraphOps(OpRegistry* registry);  // graph.reduce_sum, graph.argmax, ...
void RegisterResizeGraphOps(OpRegistry* registry);
void RegisterSamplingGraphOps(OpRegistry* registry);
void RegisterScatterGraphOps(OpRegistry* registry);
void RegisterSelectionGraphOps(OpRegistry* registry);
void RegisterSlicesGraphOps(OpRegistry* registry);
void RegisterStructureGraphOps(OpRegistry* registry);  // graph.identity, graph.shape_of
void RegisterTapeGraphOps(OpRegistry* registry);       // graph.elementwise_tape

}  // namespace tfrt

#endif  // TFRT_CORE_RUNTIME_GRAPH_OPS_GRAPH_OP_GROUPS_H_
