#include "tfrt/host_context/host_context.h"

#include "tfrt/async/chain.h"
#include "tfrt/host_context/enqueue.h"

namespace tfrt {

HostContext::HostContext(DiagnosticHandler diagnostic_handler,
                         std::unique_ptr<HostAllocator> allocator,
                         std::unique_ptr<ConcurrentWorkQueue> work_queue)
    : diagnostic_handler_(std::move(diagnostic_handler)),
      allocator_(std::move(allocator)),
      work_queue_(std::move(work_queue)) {
  device_manager_.MaybeAddDevice(MakeRef<CpuDevice>("CPU:0"));
}

HostContext::~HostContext() {
  work_queue_->Quiesce();
  timer_queue_.Stop();  // a callback may still add work
  work_queue_->Quiesce();
  work_queue_.reset();
  for (auto& bucket : shared_contexts_) {
    SharedContextEntry* next = nullptr;
    for (auto* entry = bucket.load(std::memory_order_relaxed); entry; entry = next) {
      next = entry->next;
      delete entry;
    }
  }
}

Status HostContext::EmitError(Location location, Status error) {
  if (diagnostic_handler_) diagnostic_handler_({location.Decode(), error});
  return error;
}

SharedContext& HostContext::CreateSharedContext(
    TypeId type, std::unique_ptr<SharedContext> (*make)(HostContext*)) {
  std::lock_guard lock(shared_contexts_mutex_);
  if (SharedContext* context = FindSharedContext(type)) return *context;  // another thread's
  auto entry = std::make_unique<SharedContextEntry>(SharedContextEntry{type, make(this), nullptr});
  SharedContext& context = *entry->context;
  auto& bucket = shared_contexts_[type % kSharedContextBuckets];
  // Read now: the constructor above may have made contexts of its own.
  entry->next = bucket.load(std::memory_order_relaxed);
  // release: who finds the entry sees the context whole.
  bucket.store(entry.release(), std::memory_order_release);
  return context;
}

Status EmitError(const ExecutionContext& exec_ctx, Status error) {
  return exec_ctx.host()->EmitError(exec_ctx.location(), std::move(error));
}

Status EmitError(const ExecutionContext& exec_ctx, std::string message) {
  return EmitError(exec_ctx, InternalError(std::move(message)));
}

}  // namespace tfrt
