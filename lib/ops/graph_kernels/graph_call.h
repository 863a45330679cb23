// A call of a graph op on the device that its run names (RunResources::place).
#ifndef TFRT_LIB_OPS_GRAPH_KERNELS_GRAPH_CALL_H_
#define TFRT_LIB_OPS_GRAPH_KERNELS_GRAPH_CALL_H_

#include <span>
#include <vector>

#include "lib/ops/op_call/call_sites.h"
#include "lib/ops/op_call/op_runner.h"
#include "tfrt/async/async_value.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/support/status.h"

namespace tfrt {

// Records a call if recording is on. The `site` describes the call.
void RecordGraphCall(const OpDefinition& op, std::span<AsyncValue* const> arguments,
                     CallSite* site);

// The data that a call on a device needs. Objects that it points to outlive the request.
struct PlacedGraphCall {
  const OpDefinition& op;
  OpPlace place;
  ExecutionContext exec_ctx;    // its location is that of the kernel
  CallSites* sites = nullptr;   // of one session; null: nothing is remembered
  const void* key = nullptr;    // of the call's place among them
  bool locates_errors = false;  // errors that come late begin with their place (RunResources)
  std::vector<RCReference<AsyncValue>> arguments;  // available tensors; null: left out
};

// Runs the op on the call's device and sets all `results`, the last one of an op with side effects
// being its token. Arguments that lie elsewhere are copied there, or to the host if the op reads
// them there. At once if they are where the op needs them, otherwise when the copies are available.
// `attrs` need not outlive this function.
// NotFound if the device does not have the op.
void RunPlacedGraphCall(PlacedGraphCall call, const OpAttrsRef& attrs,
                        std::span<RCReference<AsyncValue>> results);

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_GRAPH_KERNELS_GRAPH_CALL_H_
