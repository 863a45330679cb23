#include "tfrt/core_runtime/cpu_ops.h"

#include <cassert>

#include "op_groups.h"

namespace tfrt {

void RegisterCpuOps(OpRegistry* registry) {
  RegisterElementwiseOps(registry);
  RegisterContractionOps(registry);
  assert(registry->first_error().ok());
}

}  // namespace tfrt
