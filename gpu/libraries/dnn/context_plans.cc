#include "context_plans.h"

#include <utility>

#include "gpu/wrapper/cuda_context.h"
#include "planner.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::dnn {

StatusOr<PlanStore*> ContextPlans::Get() {
  std::lock_guard lock(mutex_);
  if (store_) return store_.get();
  TFRT_ASSIGN_OR_RETURN(const cudnn::Library* library, cudnn::Library::Get());
  if (library->version() < kMinPlanVersion) {
    return FailedPreconditionError(StrCat(library->path(), " is cuDNN ",
                                          cudnn::VersionText(library->version()), "; plans need ",
                                          cudnn::VersionText(kMinPlanVersion)));
  }
  TFRT_RETURN_IF_ERROR(context_->EnterAnew());
  StatusOr<DeviceDescription> device =
      DeviceDescription::OfDevice(library->table(), context_->device());
  cuda::Context::ForgetCurrent();  // the library may leave any context current
  if (!device.ok()) return device.status();
  store_ =
      std::make_unique<PlanStore>(library, *std::move(device), context_->options().plan_folder);
  return store_.get();
}

StatusOr<std::shared_ptr<const Plan>> GetPlan(Context& context, const Graph& graph,
                                              const PlanChoice& choice) {
  TFRT_ASSIGN_OR_RETURN(PlanStore * store, PlansOf(context));
  TFRT_RETURN_IF_ERROR(context.EnterAnew());
  StatusOr<std::shared_ptr<const Plan>> plan = store->Get(graph, choice);
  cuda::Context::ForgetCurrent();  // the library may leave any context current
  return plan;
}

}  // namespace tfrt::gpu::dnn
