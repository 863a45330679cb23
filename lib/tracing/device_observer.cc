#include "tfrt/tracing/device_observer.h"

namespace tfrt::tracing {

constinit std::atomic<uint8_t> internal::device_gate{0};
constinit std::atomic<DeviceObserver*> internal::device_observer{nullptr};

namespace {
constinit std::atomic<bool> is_device_in_use{false};
}  // namespace

// seq_cst, here and below: of a thread that sets an observer and one that makes a context at least
// one sees what the other has done. Both may, so observers are told twice at times.
void SetDeviceObserver(DeviceObserver* observer) {
  if (!observer) OpenDeviceGate(false);
  internal::device_observer.store(observer, std::memory_order_seq_cst);
  if (observer && is_device_in_use.load(std::memory_order_seq_cst)) observer->OnDeviceInUse();
}

void OpenDeviceGate(bool is_open) {
  // relaxed: being a few commands late is fine.
  internal::device_gate.store(is_open ? 1 : 0, std::memory_order_relaxed);
}

void NoteDeviceInUse() {
  is_device_in_use.store(true, std::memory_order_seq_cst);
  DeviceObserver* observer = internal::device_observer.load(std::memory_order_seq_cst);
  if (observer) observer->OnDeviceInUse();
}

}  // namespace tfrt::tracing

// What a program has in its table of symbols if plug-ins find its observer there.
extern "C" {
extern const char tfrt_shares_device_observer;
const char tfrt_shares_device_observer = 0;
}
