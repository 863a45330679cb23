// DeviceObserver: told of what the program enqueues on devices whose drivers do not know on whose
// behalf, so that what a device did can be told of its op.
#ifndef TFRT_TRACING_DEVICE_OBSERVER_H_
#define TFRT_TRACING_DEVICE_OBSERVER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tfrt/tracing/record.h"

namespace tfrt::tracing {

// A profiler of one vendor's devices. Never destroyed: calls may be in flight whenever it is taken
// away. Thread-safe.
class DeviceObserver {
 public:
  virtual ~DeviceObserver() = default;
  // A context of a device has been made, or was there when the observer was set.
  virtual void OnDeviceInUse() = 0;
  // The calling thread is about to enqueue on behalf of `op` ("tf.Relu"; empty: unknown), and has
  // done so. In pairs; pairs do not overlap on a thread.
  virtual void BeforeCommand(std::string_view op) = 0;
  virtual void AfterCommand() = 0;
};

// Each runtime of devices has a gate of its own: where it reads it, that is a comparison and a
// branch, wherever the runtime is linked. It lives as long as the process.
using DeviceGate = std::atomic<uint8_t>;
inline constexpr size_t kMaxDeviceGates = 8;

// Null: none, and all gates are closed. There is one; the next one takes its place.
void SetDeviceObserver(DeviceObserver* observer);
// Whether commands are told of. Closed at first.
void OpenDeviceGates(bool is_open);
// For runtimes of devices: one of them has made a context. Before its first command. A runtime
// beyond kMaxDeviceGates is not told to tell.
void NoteDeviceInUse(DeviceGate* gate);

namespace internal {
extern std::atomic<DeviceObserver*> device_observer;
}  // namespace internal

// Whether a CommandScope does anything.
[[gnu::always_inline]] inline bool IsDeviceObserved(const DeviceGate& gate) {
  return kRecordsExist && internal::IsOpen(gate);
}

// From construction to destruction the thread enqueues a command. For code behind IsDeviceObserved.
class CommandScope {
 public:
  explicit CommandScope(std::string_view op)
      : observer_(internal::device_observer.load(std::memory_order_acquire)) {
    if (observer_) observer_->BeforeCommand(op);
  }
  ~CommandScope() {
    if (observer_) observer_->AfterCommand();
  }
  CommandScope(const CommandScope&) = delete;
  CommandScope& operator=(const CommandScope&) = delete;

 private:
  DeviceObserver* const observer_;
};

}  // namespace tfrt::tracing

#endif  // TFRT_TRACING_DEVICE_OBSERVER_H_
