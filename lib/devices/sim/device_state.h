// DeviceState: what the streams of an accelerator share.
#ifndef TFRT_LIB_DEVICES_SIM_DEVICE_STATE_H_
#define TFRT_LIB_DEVICES_SIM_DEVICE_STATE_H_

#include <memory>
#include <mutex>

#include "event_record.h"
#include "lib/runtime/host/timeline_observer.h"
#include "memory.h"
#include "pool.h"

namespace tfrt::sim::internal {

struct DeviceState {
  DeviceState(std::unique_ptr<Memory> owned, TimelineObserver* observer)
      : memory(std::move(owned)),
        observer(observer),
        space(observer ? observer->AddSpace(memory->name(), memory->begin(), memory->size_bytes())
                       : TimelineObserver::kHostMemory),
        pool(memory->size_bytes()) {}
  ~DeviceState() {
    if (observer) observer->RemoveSpace(space);
  }

  const std::unique_ptr<Memory> memory;
  TimelineObserver* const observer;  // may be null
  const TimelineObserver::Space space;
  const std::shared_ptr<HostPositions> host = std::make_shared<HostPositions>();

  // Taken behind the mutex of a stream, before those of the host's positions and the observer.
  std::mutex pool_mutex;
  Pool pool;
};

}  // namespace tfrt::sim::internal

#endif  // TFRT_LIB_DEVICES_SIM_DEVICE_STATE_H_
