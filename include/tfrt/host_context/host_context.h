// HostContext: the root object of a runtime: allocator, work queue, kernels, devices, shared
// contexts.
#ifndef TFRT_HOST_CONTEXT_HOST_CONTEXT_H_
#define TFRT_HOST_CONTEXT_HOST_CONTEXT_H_

#include <array>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <span>
#include <thread>

#include "tfrt/host_context/device.h"
#include "tfrt/host_context/diagnostic.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/host_context/kernel_registry.h"
#include "tfrt/host_context/shared_context.h"
#include "tfrt/work_queue/concurrent_work_queue.h"
#include "tfrt/work_queue/timer_queue.h"

namespace tfrt {

// Must outlive everything that runs on it. Destruction waits for all queued work, drops the timers,
// and destroys the shared contexts, newest first. Meanwhile work can still be queued and is still
// waited for. Thread-safe, except for the kernel registry, which is filled before the first program
// is loaded.
class HostContext {
 public:
  HostContext(DiagnosticHandler diagnostic_handler, std::unique_ptr<HostAllocator> allocator,
              std::unique_ptr<ConcurrentWorkQueue> work_queue);
  // Makes a host with an allocator that outlives it, for memory that also outlives the host.
  HostContext(DiagnosticHandler diagnostic_handler, HostAllocator* allocator,
              std::unique_ptr<ConcurrentWorkQueue> work_queue);
  HostContext(const HostContext&) = delete;
  HostContext& operator=(const HostContext&) = delete;
  ~HostContext();

  HostAllocator* allocator() { return allocator_; }
  ConcurrentWorkQueue& work_queue() { return *work_queue_; }
  KernelRegistry& kernel_registry() { return kernel_registry_; }
  DeviceManager& device_manager() { return device_manager_; }
  TimerQueue& timer_queue() { return timer_queue_; }
  // Returns cpu:0.
  const RCReference<Device>& GetHostDevice() const { return device_manager_.host_device(); }

  // Passes the error, with its decoded location, to the diagnostic handler and returns it.
  Status EmitError(Location location, Status error);

  // See ConcurrentWorkQueue.
  void Await(std::span<AsyncValue* const> values) { work_queue_->Await(values); }
  void Quiesce() { work_queue_->Quiesce(); }

  // Returns the host's only T (a SharedContext with a constructor T(HostContext*)), made at first
  // use. Cheap enough for every kernel call once it exists: no lock.
  template <typename T>
  T& GetOrCreateSharedContext() {
    TypeId type = GetTypeId<T>();
    if (SharedContext* context = FindSharedContext(type)) return static_cast<T&>(*context);
    return static_cast<T&>(
        CreateSharedContext(type, [](HostContext* host) -> std::unique_ptr<SharedContext> {
          return std::make_unique<T>(host);
        }));
  }

 private:
  // A hash table of shared contexts. Its chains only grow while the host is in use, so finding a
  // context needs no lock.
  struct SharedContextEntry {
    TypeId type;
    std::unique_ptr<SharedContext> context;
    SharedContextEntry* next;   // older entry of its chain
    SharedContextEntry* older;  // older entry of the whole table
  };
  // A context whose constructor is running, on that thread. Lies on the thread's stack.
  struct SharedContextInMaking {
    TypeId type;
    std::thread::id thread;
    SharedContextInMaking* next;
  };
  static constexpr size_t kSharedContextBuckets = 16;

  // Returns null if the context does not exist yet. acquire: sees what the context's constructor
  // wrote.
  SharedContext* FindSharedContext(TypeId type) const {
    auto& bucket = shared_contexts_[type % kSharedContextBuckets];
    for (auto* entry = bucket.load(std::memory_order_acquire); entry; entry = entry->next) {
      if (entry->type == type) return entry->context.get();
    }
    return nullptr;
  }
  SharedContext& CreateSharedContext(TypeId type,
                                     std::unique_ptr<SharedContext> (*make)(HostContext*));
  void DestroySharedContexts();

  DiagnosticHandler diagnostic_handler_;
  std::unique_ptr<HostAllocator> own_allocator_;  // null: the allocator is borrowed
  HostAllocator* const allocator_;
  KernelRegistry kernel_registry_;
  DeviceManager device_manager_{this};
  std::mutex shared_contexts_mutex_;  // not held while a context is made
  std::condition_variable shared_context_made_;
  std::array<std::atomic<SharedContextEntry*>, kSharedContextBuckets> shared_contexts_ = {};
  // Guarded by the mutex, like the flag. Contexts are ordered by the end of their constructors.
  SharedContextEntry* newest_shared_context_ = nullptr;
  SharedContextInMaking* shared_contexts_in_making_ = nullptr;
  bool shared_contexts_end_ = false;
  TimerQueue timer_queue_;
  std::unique_ptr<ConcurrentWorkQueue> work_queue_;
};

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_HOST_CONTEXT_H_
