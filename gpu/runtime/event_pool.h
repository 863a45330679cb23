// EventRecord: an event of the driver that was recorded at a place of a stream. EventPool: those
// that are free.
#ifndef TFRT_GPU_RUNTIME_EVENT_POOL_H_
#define TFRT_GPU_RUNTIME_EVENT_POOL_H_

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "gpu/wrapper/cuda_handles.h"
#include "point.h"
#include "stream.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

class Context;

// One use of an event. The driver's event may be recorded again for another use while streams still
// wait for the old record. A query would then report the new record. Code that is about to query
// the event, or to have a stream wait for it, therefore pins the record. Under its stream's lock.
struct EventRecord {
  cuda::Event event;
  Point point;  // that it is behind
  // The clock of everything else that precedes it; null before the first use.
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

  StatusOr<EventRecord*> Acquire();
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
