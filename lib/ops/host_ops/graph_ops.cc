#include "graph_ops.h"

#include <cassert>

#include "op_groups.h"
#include "tfrt/core_runtime/op_registry.h"

namespace tfrt {
namespace {

void RegisterGraphOps(OpRegistry* registry) {
  RegisterAttentionOps(registry);
  RegisterBatchNormOps(registry);
  RegisterCheckOps(registry);
  RegisterConversionOps(registry);
  RegisterConvolution2dOps(registry);
  RegisterConvolutionOps(registry);
  RegisterCreationOps(registry);
  RegisterElementwiseOps(registry);
  RegisterFourierOps(registry);
  RegisterFusedOps(registry);
  RegisterGatherOps(registry);
  RegisterGradientOps(registry);
  RegisterLinearAlgebraOps(registry);
  RegisterListOps(registry);
  RegisterMovementOps(registry);
  RegisterNormalizationOps(registry);
  RegisterPadOps(registry);
  RegisterPooling2dOps(registry);
  RegisterPoolingOps(registry);
  RegisterProductOps(registry);
  RegisterQuantizedOps(registry);
  RegisterRecurrentOps(registry);
  RegisterReductionOps(registry);
  RegisterResizeOps(registry);
  RegisterSamplingOps(registry);
  RegisterScatterOps(registry);
  RegisterSelectionOps(registry);
  RegisterSlicesOps(registry);
  RegisterSortingOps(registry);
  RegisterStructureOps(registry);
  RegisterTapeOps(registry);
  RegisterTrainingOps(registry);
  assert(registry->first_error().ok());
}

}  // namespace

const OpRegistry& GraphOps() {
  static const OpRegistry* const ops = [] {
    auto* made = new OpRegistry();
    RegisterGraphOps(made);
    return made;
  }();
  return *ops;
}

}  // namespace tfrt
