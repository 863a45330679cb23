// RunResources: what the runs of a model give their kernels beside arguments.
#ifndef TFRT_LIB_OPS_OP_CALL_RUN_RESOURCES_H_
#define TFRT_LIB_OPS_OP_CALL_RUN_RESOURCES_H_

#include <span>

#include "tfrt/support/location.h"
#include "tfrt/support/status.h"

namespace tfrt {

namespace bef {
struct Weight;
}
class CallSites;
class ExecutionContext;
class HostAllocator;
struct OpPlace;

// Data of a request (RequestContextBuilder::AddData). Without it, or without a part, kernels use
// the resources of the host. Objects that it points to must outlive the request and all tensors
// made in it.
struct RunResources {
  HostAllocator* allocator = nullptr;  // of results; null: the host's
  const OpPlace* place = nullptr;      // where graph ops run; null: on the host, see allocator
  CallSites* call_sites = nullptr;     // null: nothing is remembered from one run to the next
  std::span<const bef::Weight> weights = {};  // of the program's file
  // Errors of ops and of what calls functions begin with their place, where it is known:
  // "step.cc:7:12: ".
  bool locate_errors = false;
};

// The error with its place in front, unless it begins so.
[[gnu::cold]] Status AtPlace(Location where, const Status& error);
// The error as the resources of the kernel's run have it: with its place, or as it is.
[[gnu::cold]] Status AtItsPlace(const ExecutionContext& exec_ctx, Status error);

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_OP_CALL_RUN_RESOURCES_H_
