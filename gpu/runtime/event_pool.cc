#include "event_pool.h"

#include <cassert>
#include <utility>

#include "context.h"

namespace tfrt::gpu {

EventPool::~EventPool() { assert(free_.size() == records_.size() && "an event is still in use"); }

StatusOr<EventRecord*> EventPool::Acquire() {
  {
    std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      EventRecord* record = free_.back();
      free_.pop_back();
      return record;
    }
  }
  TFRT_RETURN_IF_ERROR(context_->EnterAnew());
  cuda::CUevent event = nullptr;
  cuda::CUresult result = context_->Call([&] {
    return context_->driver().cuEventCreate(
        &event, cuda::CU_EVENT_DISABLE_TIMING | cuda::CU_EVENT_BLOCKING_SYNC);
  });
  TFRT_RETURN_IF_ERROR(context_->Check(result, "cuEventCreate"));
  auto record = std::make_unique<EventRecord>();
  record->event = cuda::Event(context_->native(), event);
  std::lock_guard lock(mutex_);
  records_.push_back(std::move(record));
  return records_.back().get();
}

void EventPool::GiveBack(EventRecord* record) {
  assert(record->pins == 0 && !record->is_listed);
  std::lock_guard lock(mutex_);
  free_.push_back(record);
}

size_t EventPool::num_events() const {
  std::lock_guard lock(mutex_);
  return records_.size();
}

}  // namespace tfrt::gpu
