// EventRecord: an event of the driver that was recorded at a place of a stream. EventPool: those
// that are free.
#ifndef TFRT_GPU_RUNTIME_EVENT_POOL_H_
#define TFRT_GPU_RUNTIME_EVENT_POOL_H_

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "tfrt/gpu/runtime/point.h"
#include "tfrt/gpu/runtime/stream.h"
#include "tfrt/gpu/wrapper/cuda_handles.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

class Context;

// One use of an event. The driver's event is recorded again for another one, which is legal while
// streams still wait for the old record, but who asks about the event then hears of the new one: so
// whoever is about to ask, or to have a stream wait, pins the record. Under its stream's lock.
struct EventRecord {
  cuda::Event event;
  Point point;  // that it is behind
  // What else precedes it; null before the first use.
  RCReference<const internal::SeenClock> seen;
  int pins = 0;            // who uses it
  bool is_listed = false;  // its stream may give it to others
};

// Thread-safe. Events are made when there is none, and destroyed with the context.
class EventPool {
 public:
  explicit EventPool(Context* context) : context_(context) {}
  ~EventPool();
  EventPool(const EventPool&) = delete;
  EventPool& operator=(const EventPool&) = delete;

  StatusOr<EventRecord*> Take();
  void GiveBack(EventRecord* record);
  // How many there are, free or not.
  size_t num_events() const;

 private:
  Context* const context_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<EventRecord>> records_;  // all
  std::vector<EventRecord*> free_;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_EVENT_POOL_H_
