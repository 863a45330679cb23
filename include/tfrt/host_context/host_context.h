// HostContext: the root object of a runtime: allocator, work queue, kernels, devices, shared contexts.
#ifndef TFRT_HOST_CONTEXT_HOST_CONTEXT_H_
#define TFRT_HOST_CONTEXT_HOST_CONTEXT_H_

#include <map>
#include <memory>
#include <mutex>
#include <span>

#include "tfrt/host_context/concurrent_work_queue.h"
#include "tfrt/host_context/device.h"
#include "tfrt/host_context/diagnostic.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/host_context/kernel_registry.h"
#include "tfrt/host_context/shared_context.h"
#include "tfrt/host_context/timer_queue.h"

namespace tfrt {

// Must outlive everything that runs on it. Destruction waits for all queued work. Thread-safe, but
// for the kernel registry, which is filled before the first program is loaded.
class HostContext {
 public:
  HostContext(DiagnosticHandler diagnostic_handler, std::unique_ptr<HostAllocator> allocator,
              std::unique_ptr<ConcurrentWorkQueue> work_queue);
  HostContext(const HostContext&) = delete;
  HostContext& operator=(const HostContext&) = delete;
  ~HostContext();

  HostAllocator* allocator() { return allocator_.get(); }
  ConcurrentWorkQueue& work_queue() { return *work_queue_; }
  KernelRegistry& kernel_registry() { return kernel_registry_; }
  DeviceManager& device_manager() { return device_manager_; }
  TimerQueue& timer_queue() { return timer_queue_; }
  RCReference<Device> GetHostDevice() { return device_manager_.GetDevice("CPU:0"); }

  // Hands the error, with its decoded location, to the diagnostic handler and returns it.
  Status EmitError(Location location, Status error);

  // See ConcurrentWorkQueue.
  void Await(std::span<AsyncValue* const> values) { work_queue_->Await(values); }
  void Quiesce() { work_queue_->Quiesce(); }

  // The host's one T (a SharedContext with a constructor T(HostContext*)), made at first use.
  template <typename T>
  T& GetOrCreateSharedContext() {
    return static_cast<T&>(GetOrCreateSharedContext(
        GetTypeId<T>(),
        [](HostContext* host) -> std::unique_ptr<SharedContext> {
          return std::make_unique<T>(host);
        }));
  }

 private:
  SharedContext& GetOrCreateSharedContext(
      TypeId type, std::unique_ptr<SharedContext> (*make)(HostContext*));

  DiagnosticHandler diagnostic_handler_;
  std::unique_ptr<HostAllocator> allocator_;
  KernelRegistry kernel_registry_;
  DeviceManager device_manager_;
  std::recursive_mutex shared_contexts_mutex_;  // a T's constructor may ask for another T
  std::map<TypeId, std::unique_ptr<SharedContext>> shared_contexts_;
  TimerQueue timer_queue_;
  std::unique_ptr<ConcurrentWorkQueue> work_queue_;
};

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_HOST_CONTEXT_H_
