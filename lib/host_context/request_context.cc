#include "tfrt/host_context/request_context.h"

#include <memory>
#include <mutex>
#include <utility>

#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/host_context.h"

namespace tfrt {

// Shared by the request and the timer, of which either may be the first to go.
struct RequestContext::Deadline {
  std::shared_ptr<Deadline> self;  // the request's reference
  Deadline* next = nullptr;
  TimerQueue::TimerId timer = 0;
  std::mutex mutex;
  RequestContext* request;  // null once that goes; under the mutex
};

RequestContext::~RequestContext() {
  // acquire: sees what whoever added them wrote.
  Deadline* deadline = deadlines_.load(std::memory_order_acquire);
  while (deadline) {
    const std::shared_ptr<Deadline> kept = std::move(deadline->self);
    deadline = kept->next;
    {
      std::lock_guard lock(kept->mutex);
      kept->request = nullptr;
    }
    // A timer that has fired, or gone with its queue, holds nothing.
    if (kept.use_count() > 1) host_->timer_queue().CancelTimer(kept->timer);
  }
  while (!data_.empty()) data_.pop_back();  // a vector would begin with the first
  if (AsyncValue* value = GetCancelAsyncValue()) value->DropRef();
}

void RequestContext::Cancel(Status error) {
  AsyncValue* value = MakeErrorAsyncValue(std::move(error)).release();
  AsyncValue* expected = nullptr;
  // release: publishes the error value to those who see the pointer.
  if (!cancel_value_.compare_exchange_strong(expected, value, std::memory_order_release,
                                             std::memory_order_relaxed)) {
    value->DropRef();  // cancelled already
  }
}

void RequestDeadlineTracker::CancelRequestOnDeadline(std::chrono::steady_clock::time_point deadline,
                                                     RCReference<RequestContext> request) {
  auto added = std::make_shared<RequestContext::Deadline>();
  added->request = request.get();
  added->timer = host_->timer_queue().ScheduleTimer(deadline, [added] {
    std::lock_guard lock(added->mutex);  // keeps the request, or finds that it is gone
    if (added->request) added->request->Cancel(DeadlineExceededError("deadline exceeded"));
  });
  added->self = added;
  // release: publishes it to the request's destructor.
  added->next = request->deadlines_.load(std::memory_order_relaxed);
  while (!request->deadlines_.compare_exchange_weak(
      added->next, added.get(), std::memory_order_release, std::memory_order_relaxed)) {
  }
}

ExecutionContext::ExecutionContext(RCReference<RequestContext> request, Location location)
    : request_(std::move(request)),
      location_(location),
      work_queue_(&request_->host()->work_queue()) {}

}  // namespace tfrt
