#include "tfrt/core_runtime/cpu_ops.h"

#include <cassert>

#include "op_groups.h"

namespace tfrt {

void RegisterCpuOps(OpRegistry* registry) {
  RegisterBinaryOps(registry);
  RegisterUnaryOps(registry);
  RegisterMatMulOps(registry);
  RegisterConvolutionOps(registry);
  RegisterPoolingOps(registry);
  RegisterNormalizationOps(registry);
  RegisterReductionOps(registry);
  RegisterConstantOps(registry);
  RegisterReshapeOps(registry);
  RegisterMovementOps(registry);
  RegisterPadOps(registry);
  RegisterTrainingOps(registry);
  RegisterTestCreationOps(registry);
  RegisterTestOps(registry);
  RegisterTestNetworkOps(registry);
  assert(registry->first_error().ok());
}

}  // namespace tfrt
