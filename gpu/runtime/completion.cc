#include "completion.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "event_pool.h"
#include "stream_slots.h"
#include "tfrt/gpu/runtime/context.h"
#include "tfrt/support/logging.h"
#include "tfrt/support/yield_point.h"

namespace tfrt::gpu {

Completion::~Completion() {
  {
    std::lock_guard lock(mutex_);
    assert(waits_.empty() && "a context goes while somebody waits");
    is_closing_ = true;
  }
  changed_.notify_all();
  for (OsThread& thread : threads_) thread.Join();
}

uint32_t Completion::StreamIdOf(const Wait& wait) {
  return wait.stream ? wait.stream->id() : wait.point.stream;
}

std::deque<Completion::Wait>::iterator Completion::FindWait() {
  return std::ranges::find_if(waits_, [&](const Wait& wait) {
    return std::ranges::find(busy_streams_, StreamIdOf(wait)) == busy_streams_.end();
  });
}

void Completion::Add(Stream* stream, EventRecord* record, AsyncValueRef<Chain> done,
                     TaskTicket ticket) {
  Add({stream, record, {}, std::move(done), std::move(ticket), FormRef(context_)});
}

void Completion::AddGoing(Point point, AsyncValueRef<Chain> done, TaskTicket ticket) {
  Add({nullptr, nullptr, point, std::move(done), std::move(ticket), FormRef(context_)});
}

void Completion::Add(Wait wait) {
  {
    std::lock_guard lock(mutex_);
    waits_.push_back(std::move(wait));
    if (num_free_ == 0 && FindWait() != waits_.end()) StartThread();
  }
  changed_.notify_one();
}

void Completion::StartThread() {
  threads_.emplace_back();
  if (threads_.back().Start([this] { Run(); })) {
    ++num_free_;
    return;
  }
  // Those that there are come to it.
  threads_.pop_back();
  if (threads_.empty()) TFRT_LOG(FATAL) << "the system has no thread to wait for a GPU";
}

void Completion::Run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return is_closing_ || FindWait() != waits_.end(); });
    auto found = FindWait();
    if (found == waits_.end()) return;
    Wait wait = std::move(*found);
    waits_.erase(found);
    const uint32_t stream = StreamIdOf(wait);
    busy_streams_.push_back(stream);
    // The next one in line: this thread may be away for long.
    if (--num_free_ == 0 && FindWait() != waits_.end()) StartThread();
    lock.unlock();
    Status status;
    if (wait.record) {
      status = Await(*wait.stream, *wait.record);
      TFRT_YIELD_POINT("gpu_completion_done");
      wait.stream->Unpin(wait.record);
    } else {
      status = internal::AwaitGoing(wait.point);
    }
    // The task may end the last use of the context, whose destructor then waits for this thread: so
    // nothing of the wait is left here.
    TaskTicket ticket = std::move(wait.ticket);
    ticket.AddTask([done = std::move(wait.done), status = std::move(status),
                    context = std::move(wait.context)]() mutable {
      if (status.ok()) {
        done.emplace();
      } else {
        done.SetError(std::move(status));
      }
    });
    lock.lock();
    ++num_free_;
    std::erase(busy_streams_, stream);
  }
}

Status Completion::Await(Stream& stream, const EventRecord& record) {
  // Another thread may have waited for it, or for something behind it.
  if (IsKnownDone(record.point)) return OkStatus();
  if (context_->is_lost()) return context_->loss();
  (void)context_->native().MakeCurrent();
  cuda::CUresult result = context_->driver().cuEventSynchronize(record.event.get());
  TFRT_RETURN_IF_ERROR(context_->Check(result, "cuEventSynchronize"));
  return stream.NoteDone(record);
}

}  // namespace tfrt::gpu
