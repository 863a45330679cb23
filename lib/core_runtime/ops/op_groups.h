// The groups of eager ops.
#ifndef TFRT_CORE_RUNTIME_OPS_OP_GROUPS_H_
#define TFRT_CORE_RUNTIME_OPS_OP_GROUPS_H_

namespace tfrt {

class OpRegistry;

void RegisterElementwiseOps(OpRegistry* registry);
void RegisterContractionOps(OpRegistry* registry);

}  // namespace tfrt

#endif  // TFRT_CORE_RUNTIME_OPS_OP_GROUPS_H_
