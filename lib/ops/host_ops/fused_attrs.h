// Attributes of graph ops that complete their sums at once.
#ifndef TFRT_LIB_OPS_HOST_OPS_FUSED_ATTRS_H_
#define TFRT_LIB_OPS_HOST_OPS_FUSED_ATTRS_H_

#include "lib/ops/maths/contraction/activation.h"
#include "tfrt/core_runtime/op_call.h"

namespace tfrt {

// Returns the attributes `activation`, `alpha` and `beta`; no activation if they are left out.
StatusOr<maths::ActivationWithParameters> FusedActivationOf(const OpCall& call);

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_HOST_OPS_FUSED_ATTRS_H_
