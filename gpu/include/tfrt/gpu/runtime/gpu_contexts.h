// GpuContexts: the contexts of a host's GPUs, opened when they are first needed.
#ifndef TFRT_GPU_RUNTIME_GPU_CONTEXTS_H_
#define TFRT_GPU_RUNTIME_GPU_CONTEXTS_H_

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

#include "tfrt/gpu/runtime/context.h"
#include "tfrt/gpu/runtime/gpu_options.h"
#include "tfrt/gpu/wrapper/cuda_driver.h"
#include "tfrt/host_context/shared_context.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"

namespace tfrt {
class HostContext;
}  // namespace tfrt

namespace tfrt::gpu {

// One per host (HostContext::GetOrCreateSharedContext). Nothing is opened before the first call
// that needs it. Primary contexts are kept until the host ends, with their modules and their
// memory; who keeps one longer can still use it, but for what needs a queue. Thread-safe.
class GpuContexts final : public SharedContext {
 public:
  explicit GpuContexts(HostContext* host);
  ~GpuContexts() override;

  // FailedPrecondition if a context has been made already.
  Status SetOptions(GpuOptions options);

  // The driver, initialised. NotFound or FailedPrecondition, with where it was looked for; an error
  // has a name of the vendor's, also where there is nothing of the vendor's.
  StatusOr<const cuda::Driver*> driver();
  // NotFound, with how many there are.
  StatusOr<cuda::CUdevice> FindDevice(int ordinal);
  // Always the same for one device; retained once.
  StatusOr<RCReference<Context>> GetPrimary(int ordinal);
  // A new one, which belongs to the caller.
  StatusOr<RCReference<Context>> Create(int ordinal);

 private:
  StatusOr<const cuda::Driver*> DriverLocked();
  ContextOptions OptionsOf(int ordinal) const;

  const std::shared_ptr<QueueSlot> queue_ = std::make_shared<QueueSlot>();
  std::mutex mutex_;
  // Under mutex_.
  GpuOptions options_;
  const cuda::Driver* driver_ = nullptr;
  bool is_in_use_ = false;
  std::map<int, RCReference<Context>> primary_;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_GPU_CONTEXTS_H_
