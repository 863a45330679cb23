#include "tfrt/host_context/request_context.h"

#include <memory>
#include <mutex>
#include <utility>

#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/host_context.h"

namespace tfrt {

namespace {

// The request as its timer knows it: null once it goes, under the mutex.
struct TimedRequest {
  std::mutex mutex;
  RequestContext* request;
};

// A class with virtual functions, so that programs without deadlines link no timers.
class TimedDeadline final : public internal::RequestDeadline {
 public:
  TimedDeadline(TimerQueue* queue, std::chrono::steady_clock::time_point deadline,
                RequestContext* request)
      : queue_(queue), request_(std::make_shared<TimedRequest>()) {
    request_->request = request;
    timer_ = queue->ScheduleTimer(deadline, [timed = request_] {
      std::lock_guard lock(timed->mutex);  // keeps the request, or finds that it is gone
      if (timed->request) timed->request->Cancel(DeadlineExceededError("deadline exceeded"));
    });
  }
  ~TimedDeadline() override {
    {
      std::lock_guard lock(request_->mutex);
      request_->request = nullptr;
    }
    // A timer that has fired, or gone with its queue, holds nothing.
    if (request_.use_count() > 1) queue_->CancelTimer(timer_);
  }

 private:
  TimerQueue* const queue_;
  const std::shared_ptr<TimedRequest> request_;
  TimerQueue::TimerId timer_;
};

}  // namespace

RequestContext::~RequestContext() {
  // acquire: sees what whoever added them wrote.
  internal::RequestDeadline* deadline = deadlines_.load(std::memory_order_acquire);
  while (deadline) delete std::exchange(deadline, deadline->next);
  while (!data_.empty()) data_.pop_back();  // a vector would begin with the first
  if (AsyncValue* value = GetCancelAsyncValue()) value->DropRef();
}

RCReference<RequestContext> RequestContext::MakeIndependent() const {
  auto request = TakeRef(new RequestContext(host_, resource_context_, id_));
  request->options_ = options_;
  request->data_ = data_;
  return request;
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
  auto* added = new TimedDeadline(&host_->timer_queue(), deadline, request.get());
  // release: publishes it to the request's destructor.
  added->next = request->deadlines_.load(std::memory_order_relaxed);
  while (!request->deadlines_.compare_exchange_weak(added->next, added, std::memory_order_release,
                                                    std::memory_order_relaxed)) {
  }
}

void internal::BorrowedContext::Make() {
  const Use use = std::exchange(use_, Use::kMade);
  const ExecutionContext& from = original_;
  new (&context_) ExecutionContext(TakeRef(from.request_.get()), from.location_, from.work_queue_,
                                   from.call_depth_, from.kernel_order_);
  if (use == Use::kSamePlace) return;
  context_.set_call_depth(from.call_depth_ + 1);
  // Sets the order that functions called from there may assume.
  if (from.kernel_order_ != KernelOrder::kPrescribed && from.kernel_order_ != KernelOrder::kFree) {
    context_.set_kernel_order(use == Use::kOrderFreeCallee ? KernelOrder::kFree
                                                           : KernelOrder::kPrescribed);
  }
}

ExecutionContext::ExecutionContext(RCReference<RequestContext> request, Location location)
    : request_(std::move(request)),
      location_(location),
      work_queue_(&request_->host()->work_queue()) {}

}  // namespace tfrt
