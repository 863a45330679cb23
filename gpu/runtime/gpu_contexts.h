// GpuContexts: the contexts of a host's GPUs, opened on first use.
#ifndef TFRT_GPU_RUNTIME_GPU_CONTEXTS_H_
#define TFRT_GPU_RUNTIME_GPU_CONTEXTS_H_

#include <map>
#include <memory>
#include <mutex>

#include "context.h"
#include "gpu/wrapper/cuda_driver.h"
#include "tfrt/gpu/runtime/gpu_options.h"
#include "tfrt/host_context/shared_context.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"

namespace tfrt {
class HostContext;
}  // namespace tfrt

namespace tfrt::gpu {

// One per host (HostContext::GetOrCreateSharedContext). Nothing is opened before the first call
// that needs it. Primary contexts are kept until the host ends, with their modules and their
// memory. A context that is kept longer can still be used, except for functions that need a queue.
// Thread-safe.
class GpuContexts final : public SharedContext {
 public:
  explicit GpuContexts(HostContext* host);
  ~GpuContexts() override;

  // Returns FailedPrecondition if a context has already been made.
  Status SetOptions(GpuOptions options);

  // Returns the driver, initialised. Fails with NotFound or FailedPrecondition, and the searched
  // places. An error has the vendor's name, even where no software of the vendor is installed.
  StatusOr<const cuda::Driver*> driver();
  // Fails with NotFound, and the number of devices.
  StatusOr<cuda::CUdevice> FindDevice(int ordinal);
  // Returns the number of devices. NotFound, as for the first of them, if there is none.
  StatusOr<int> NumDevices();
  // Returns the same context for each call of one device; it is retained once.
  StatusOr<RCReference<Context>> GetPrimary(int ordinal);
  // Creates a context that belongs to the caller.
  StatusOr<RCReference<Context>> Create(int ordinal);

 private:
  StatusOr<const cuda::Driver*> DriverLocked();
  // Those of the host's accelerators. InvalidArgument for limits of which no memory can be taken.
  StatusOr<ContextOptions> OptionsOf(int ordinal) const;

  HostContext* const host_;
  const std::shared_ptr<QueueSlot> queue_ = std::make_shared<QueueSlot>();
  std::mutex mutex_;
  // Guarded by mutex_.
  GpuOptions options_;
  const cuda::Driver* driver_ = nullptr;
  bool is_in_use_ = false;
  std::map<int, RCReference<Context>> primary_;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_GPU_CONTEXTS_H_
