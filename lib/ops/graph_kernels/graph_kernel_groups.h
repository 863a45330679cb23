// The groups that make up RegisterGraphKernels beside the ops, one per source file.
#ifndef TFRT_LIB_OPS_GRAPH_KERNELS_GRAPH_KERNEL_GROUPS_H_
#define TFRT_LIB_OPS_GRAPH_KERNELS_GRAPH_KERNEL_GROUPS_H_

namespace tfrt {

class KernelRegistry;

void RegisterGraphControlFlowKernels(KernelRegistry* registry);  // graph.if_call, .loop_call
void RegisterGraphEffectKernels(KernelRegistry* registry);       // graph.host_call, ...
void RegisterWeightKernel(KernelRegistry* registry);             // graph.weight

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_GRAPH_KERNELS_GRAPH_KERNEL_GROUPS_H_
