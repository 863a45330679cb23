#include "tfrt/host_context/request_context.h"

#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/host_context.h"

namespace tfrt {

RequestContext::~RequestContext() {
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
  host_->timer_queue().ScheduleTimer(deadline, [request = std::move(request)] {
    request->Cancel(DeadlineExceededError("deadline exceeded"));
  });
}

ExecutionContext::ExecutionContext(RCReference<RequestContext> request, Location location)
    : request_(std::move(request)),
      location_(location),
      work_queue_(&request_->host()->work_queue()) {}

}  // namespace tfrt
