#include "tfrt/host_context/host_context.h"

#include <cassert>
#include <utility>

#include "lib/base/support/call_guarded.h"
#include "lib/base/support/logging.h"
#include "tfrt/async/chain.h"
#include "tfrt/host_context/enqueue.h"

namespace tfrt {

HostContext::HostContext(DiagnosticHandler diagnostic_handler,
                         std::unique_ptr<HostAllocator> allocator,
                         std::unique_ptr<ConcurrentWorkQueue> work_queue)
    : HostContext(std::move(diagnostic_handler), allocator.get(), std::move(work_queue)) {
  own_allocator_ = std::move(allocator);
}

HostContext::HostContext(DiagnosticHandler diagnostic_handler, HostAllocator* allocator,
                         std::unique_ptr<ConcurrentWorkQueue> work_queue)
    : diagnostic_handler_(std::move(diagnostic_handler)),
      allocator_(allocator),
      work_queue_(std::move(work_queue)) {}

HostContext::~HostContext() {
  work_queue_->Quiesce();
  timer_queue_.Stop();  // a callback may still add work
  work_queue_->Quiesce();
  DestroySharedContexts();
  work_queue_.reset();
}

void HostContext::DestroySharedContexts() {
  {
    std::lock_guard lock(shared_contexts_mutex_);
    shared_contexts_end_ = true;
  }
  // Nobody else makes contexts any more, so the list is this thread's.
  while (SharedContextEntry* entry = newest_shared_context_) {
    newest_shared_context_ = entry->older;
    // The newest of all is the first of its chain, too. relaxed: who may still look for contexts is
    // work that is added from now on, and does so after this.
    shared_contexts_[entry->type % kSharedContextBuckets].store(entry->next,
                                                                std::memory_order_relaxed);
    delete entry;
    // Its destructor may have added work, for which the older ones are still there.
    work_queue_->Quiesce();
  }
}

Status HostContext::EmitError(Location location, Status error) {
  if (diagnostic_handler_) {
    const DecodedDiagnostic diagnostic{location.Decode(), error};
    CallNoexcept([&] { diagnostic_handler_(diagnostic); });
  }
  return error;
}

SharedContext& HostContext::CreateSharedContext(
    TypeId type, std::unique_ptr<SharedContext> (*make)(HostContext*)) {
  std::unique_lock lock(shared_contexts_mutex_);
  SharedContextInMaking making{type, std::this_thread::get_id(), nullptr};
  // Another thread that makes it is waited for. Asleep: tasks on top of this thread might ask for a
  // context that is being made below them.
  while (true) {
    if (SharedContext* context = FindSharedContext(type)) return *context;
    SharedContextInMaking* other = shared_contexts_in_making_;
    while (other && other->type != type) other = other->next;
    if (!other) break;
    if (other->thread == making.thread) {
      TFRT_LOG(FATAL) << "the constructor of a shared context asks for that context: "
                      << TypeName(type);
    }
    shared_context_made_.wait(lock);
  }
  assert(!shared_contexts_end_ &&
         "the destructor of a shared context asks for one that is gone or was never made");
  making.next = std::exchange(shared_contexts_in_making_, &making);
  lock.unlock();  // the constructor may take its time
  auto entry =
      std::make_unique<SharedContextEntry>(SharedContextEntry{type, make(this), nullptr, nullptr});
  lock.lock();
  SharedContextInMaking** link = &shared_contexts_in_making_;
  while (*link != &making) link = &(*link)->next;
  *link = making.next;
  SharedContext& context = *entry->context;
  auto& bucket = shared_contexts_[type % kSharedContextBuckets];
  // Read now: the constructor above may have made contexts of its own. They are older: this one
  // uses them.
  entry->next = bucket.load(std::memory_order_relaxed);
  entry->older = newest_shared_context_;
  newest_shared_context_ = entry.get();
  // release: who finds the entry sees the context whole.
  bucket.store(entry.release(), std::memory_order_release);
  shared_context_made_.notify_all();
  return context;
}

Status EmitError(const ExecutionContext& exec_ctx, Status error) {
  return exec_ctx.host()->EmitError(exec_ctx.location(), std::move(error));
}

Status EmitError(const ExecutionContext& exec_ctx, std::string_view message) {
  return EmitError(exec_ctx, InternalError(message));
}

}  // namespace tfrt
