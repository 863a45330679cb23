#include "tfrt/core_runtime/graph_ops.h"

#include <cassert>

#include "graph_op_groups.h"

namespace tfrt {

void RegisterGraphOps(OpRegistry* registry) {
  RegisterAttentionGraphOps(registry);
  RegisterConversionGraphOps(registry);
  RegisterConvolutionGraphOps(registry);
  RegisterCreationGraphOps(registry);
  RegisterElementwiseGraphOps(registry);
  RegisterFusedGraphOps(registry);
  RegisterGatherGraphOps(registry);
  RegisterMovementGraphOps(registry);
  RegisterNormalizationGraphOps(registry);
  RegisterPadGraphOps(registry);
  RegisterPoolingGraphOps(registry);
  RegisterProductGraphOps(registry);
  RegisterRecurrentGraphOps(registry);
  RegisterReductionGraphOps(registry);
  RegisterResizeGraphOps(registry);
  RegisterSamplingGraphOps(registry);
  RegisterScatterGraphOps(registry);
  RegisterSelectionGraphOps(registry);
  RegisterSlicesGraphOps(registry);
  RegisterStructureGraphOps(registry);
  RegisterTapeGraphOps(registry);
  assert(registry->first_error().ok());
}

const OpRegistry& GraphOps() {
  static const OpRegistry* const ops = [] {
    auto* made = new OpRegistry();
    RegisterGraphOps(made);
    return made;
  }();
  return *ops;
}

}  // namespace tfrt
