// ContextPlans: the plans of a context's device.
#ifndef TFRT_GPU_LIBRARIES_DNN_CONTEXT_PLANS_H_
#define TFRT_GPU_LIBRARIES_DNN_CONTEXT_PLANS_H_

#include <memory>
#include <mutex>

#include "gpu/runtime/context.h"
#include "gpu/runtime/context_part.h"
#include "plan_store.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu::dnn {

// Found with `context.Part<ContextPlans>()`. Thread-safe.
class ContextPlans final : public ContextPart {
 public:
  explicit ContextPlans(Context* context) : context_(context) {}

  // Returns the store, which lives as long as the context. The first call opens the library and
  // asks it for the device. Fails with the library's errors, and with FailedPrecondition for one
  // that is older than kMinPlanVersion. Must be called under no lock, and not in a stream's call.
  StatusOr<PlanStore*> Get();

 private:
  Context* const context_;
  std::mutex mutex_;
  std::unique_ptr<PlanStore> store_;  // under mutex_, and not changed any more
};

// Returns the context's store.
inline StatusOr<PlanStore*> PlansOf(Context& context) { return context.Part<ContextPlans>().Get(); }

// Returns the plan of a graph for the context's device, as PlanStore::Get does. The library runs
// with the context current. Must be called under no lock, and not in a stream's call.
StatusOr<std::shared_ptr<const Plan>> GetPlan(Context& context, const Graph& graph,
                                              const PlanChoice& choice);

}  // namespace tfrt::gpu::dnn

#endif  // TFRT_GPU_LIBRARIES_DNN_CONTEXT_PLANS_H_
