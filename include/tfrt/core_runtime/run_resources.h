// RunResources: what the runs of a model give their kernels beside arguments.
#ifndef TFRT_CORE_RUNTIME_RUN_RESOURCES_H_
#define TFRT_CORE_RUNTIME_RUN_RESOURCES_H_

#include <span>

namespace tfrt {

namespace bef {
struct Weight;
}
class CallSites;
class HostAllocator;

// Data of a request (RequestContextBuilder::AddData). Without it, or without a part, kernels use
// what the host has. What it points to must outlive the request and all tensors that come of it.
struct RunResources {
  HostAllocator* allocator = nullptr;  // of results; null: the host's
  CallSites* call_sites = nullptr;     // null: nothing is remembered from one run to the next
  std::span<const bef::Weight> weights = {};  // of the program's file
};

}  // namespace tfrt

#endif  // TFRT_CORE_RUNTIME_RUN_RESOURCES_H_
