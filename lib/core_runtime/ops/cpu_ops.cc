#include "tfrt/core_runtime/cpu_ops.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "op_groups.h"

namespace tfrt {

void RegisterCpuOps(OpRegistry* registry) {
  RegisterBinaryOps(registry);
  RegisterUnaryOps(registry);
  RegisterMatMulOps(registry);
  RegisterConvolutionOps(registry);
  RegisterPoolingOps(registry);
  RegisterNormalizationOps(registry);
  RegisterBatchNormOps(registry);
  RegisterReductionOps(registry);
  RegisterConstantOps(registry);
  RegisterReshapeOps(registry);
  RegisterMovementOps(registry);
  RegisterGatherOps(registry);
  RegisterSliceOps(registry);
  RegisterPadOps(registry);
  RegisterTrainingOps(registry);
  RegisterGradientOps(registry);
  RegisterCheckOps(registry);
  RegisterListOps(registry);
  RegisterTestCreationOps(registry);
  RegisterTestOps(registry);
  RegisterTestNetworkOps(registry);
  assert(registry->first_error().ok());
}

void CpuOps::LeaveOut(std::initializer_list<std::string_view> prefixes) {
  auto kept = std::make_unique<OpRegistry>();
  for (const OpDefinition& op : ops_->ops()) {
    bool leaves = std::ranges::any_of(
        prefixes, [&](std::string_view prefix) { return op.name.starts_with(prefix); });
    if (!leaves) kept->Add(op);
  }
  ops_ = std::move(kept);
}

}  // namespace tfrt
