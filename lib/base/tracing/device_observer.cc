#include "device_observer.h"

#include <algorithm>
#include <array>
#include <mutex>

namespace tfrt::tracing {

constinit std::atomic<DeviceObserver*> internal::device_observer{nullptr};

namespace {

constinit std::mutex mutex;
// Under the mutex. Null at the end.
constinit std::array<DeviceGate*, kMaxDeviceGates> gates = {};
constinit bool is_open = false;

// If one thread sets an observer and another makes a context, at least one sees the other's write.
// Both may, so observers are sometimes called twice.
bool IsDeviceInUse() {
  std::lock_guard lock(mutex);
  return gates[0] != nullptr;
}

}  // namespace

void SetDeviceObserver(DeviceObserver* observer) {
  if (!observer) OpenDeviceGates(false);
  internal::device_observer.store(observer, std::memory_order_seq_cst);
  if (observer && IsDeviceInUse()) observer->OnDeviceInUse();
}

void OpenDeviceGates(bool open) {
  std::lock_guard lock(mutex);
  is_open = open;
  for (DeviceGate* gate : gates) {
    // relaxed: being a few commands late is fine.
    if (gate) gate->store(open ? 1 : 0, std::memory_order_relaxed);
  }
}

void NoteDeviceInUse(DeviceGate* gate) {
  {
    std::lock_guard lock(mutex);
    auto place = std::ranges::find(gates, gate);
    if (place == gates.end()) place = std::ranges::find(gates, nullptr);
    if (place != gates.end()) {
      *place = gate;
      gate->store(is_open ? 1 : 0, std::memory_order_relaxed);
    }
  }
  DeviceObserver* observer = internal::device_observer.load(std::memory_order_seq_cst);
  if (observer) observer->OnDeviceInUse();
}

}  // namespace tfrt::tracing

// Marks, in a program's table of symbols, that plug-ins find its observer there.
extern "C" {
extern const char tfrt_shares_device_observer;
const char tfrt_shares_device_observer = 0;
}
