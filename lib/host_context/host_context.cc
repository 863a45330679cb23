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
}

Status HostContext::EmitError(Location location, Status error) {
  if (diagnostic_handler_) diagnostic_handler_({location.Decode(), error});
  return error;
}

SharedContext& HostContext::GetOrCreateSharedContext(
    TypeId type, std::unique_ptr<SharedContext> (*make)(HostContext*)) {
  std::lock_guard lock(shared_contexts_mutex_);
  auto found = shared_contexts_.find(type);
  if (found == shared_contexts_.end()) found = shared_contexts_.emplace(type, make(this)).first;
  return *found->second;
}

Status EmitError(const ExecutionContext& exec_ctx, Status error) {
  return exec_ctx.host()->EmitError(exec_ctx.location(), std::move(error));
}

Status EmitError(const ExecutionContext& exec_ctx, std::string message) {
  return EmitError(exec_ctx, InternalError(std::move(message)));
}

}  // namespace tfrt
