#include "event_pool.h"

#include <cassert>
#include <utility>

#include "tfrt/gpu/runtime/context.h"

namespace tfrt::gpu {

EventPool::~EventPool() {
  assert(free_.size() == records_.size() && "an event is still in use");
  for (const auto& record : records_) {
    // A driver that fails here has gone, and the event with it.
    (void)context_->driver().cuEventDestroy_v2(record->event);
  }
}

StatusOr<EventRecord*> EventPool::Take() {
  {
    std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      EventRecord* record = free_.back();
      free_.pop_back();
      return record;
    }
  }
  TFRT_RETURN_IF_ERROR(context_->EnterAnew());
  auto record = std::make_unique<EventRecord>();
  cuda::CUresult result = context_->driver().cuEventCreate(
      &record->event, cuda::CU_EVENT_DISABLE_TIMING | cuda::CU_EVENT_BLOCKING_SYNC);
  TFRT_RETURN_IF_ERROR(context_->Check(result, "cuEventCreate"));
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
