#include "completion.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "context.h"
#include "event_pool.h"
#include "lib/base/support/logging.h"
#include "stream_slots.h"
#include "tfrt/support/yield_point.h"

namespace tfrt::gpu {

Completion::~Completion() {
  {
    std::lock_guard lock(mutex_);
    // A thread may still be about to see that it has none left.
    assert(std::ranges::all_of(waits_, [](const auto& entry) { return entry.second.empty(); }) &&
           "a context goes while somebody waits");
    is_closing_ = true;
  }
  changed_.notify_all();
  for (OsThread& thread : threads_) thread.Join();
}

void Completion::Add(Stream* stream, EventRecord* record, AsyncValueRef<Chain> done,
                     TaskTicket ticket) {
  Add({stream, record, {}, std::move(done), std::move(ticket), FormRef(context_)});
}

void Completion::AddGoing(Point point, AsyncValueRef<Chain> done, TaskTicket ticket) {
  Add({nullptr, nullptr, point, std::move(done), std::move(ticket), FormRef(context_)});
}

void Completion::Add(Wait wait) {
  const uint32_t stream = wait.stream ? wait.stream->id() : wait.point.stream;
  {
    std::lock_guard lock(mutex_);
    auto [waits, is_first] = waits_.try_emplace(stream);
    waits->second.push_back(std::move(wait));
    if (!is_first) return;  // a thread is there for the stream, or will be
    ready_.push_back(stream);
    if (ready_.size() > num_free_) StartThread();
  }
  changed_.notify_one();
}

void Completion::StartThread() {
  threads_.emplace_back();
  if (threads_.back().Start([this] { Run(); })) {
    ++num_free_;
    return;
  }
  threads_.pop_back();
  if (threads_.empty()) TFRT_LOG(FATAL) << "the system has no thread to wait for a GPU";
  TFRT_LOG(ERROR)
      << "the system has no further thread to wait for a GPU: a stream may keep another "
         "one waiting";
}

void Completion::Run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return is_closing_ || !ready_.empty(); });
    if (ready_.empty()) return;
    const uint32_t stream = ready_.front();
    ready_.pop_front();
    std::deque<Wait>& waits = waits_.find(stream)->second;
    Wait wait = std::move(waits.front());
    waits.pop_front();
    --num_free_;
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
    if (waits_.find(stream)->second.empty()) {
      waits_.erase(stream);
    } else {
      ready_.push_back(stream);
    }
  }
}

Status Completion::Await(Stream& stream, const EventRecord& record) {
  // Another thread may have waited for it, or for something behind it.
  if (IsKnownDone(record.point)) return OkStatus();
  if (context_->is_lost()) return context_->loss();
  (void)context_->native().MakeCurrent();
  cuda::CUresult result = context_->driver().cuEventSynchronize(record.event.get());
  TFRT_RETURN_IF_ERROR(context_->CheckWait(result, "cuEventSynchronize", stream));
  return stream.NoteDone(record);
}

}  // namespace tfrt::gpu
