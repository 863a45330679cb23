// DeviceObserver: receives the commands that the program enqueues on devices whose drivers cannot
// tell which op a command is for. A profiler can then attribute the device's work to the op.
#ifndef TFRT_LIB_BASE_TRACING_DEVICE_OBSERVER_H_
#define TFRT_LIB_BASE_TRACING_DEVICE_OBSERVER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tfrt/tracing/record.h"

namespace tfrt::tracing {

// A profiler of one vendor's devices. Never destroyed: calls may be in flight when it is removed.
// Thread-safe.
class DeviceObserver {
 public:
  virtual ~DeviceObserver() = default;
  // Called when a context of a device was made, or existed when the observer was set.
  virtual void OnDeviceInUse() = 0;
  // Called when the calling thread is about to enqueue on behalf of `op` ("tf.Relu"; empty:
  // unknown), and when it has done so. Calls come in pairs; pairs do not overlap on a thread.
  virtual void BeforeCommand(std::string_view op) = 0;
  virtual void AfterCommand() = 0;
};

// Each runtime of devices has its own gate. Reading it is a comparison and a branch, wherever the
// runtime is linked. A gate lives as long as the process.
using DeviceGate = std::atomic<uint8_t>;
inline constexpr size_t kMaxDeviceGates = 8;

// Sets the only observer, replacing an earlier one. Null removes it and closes all gates.
void SetDeviceObserver(DeviceObserver* observer);
// Sets whether commands are reported. Gates are closed at first.
void OpenDeviceGates(bool is_open);
// Called by a runtime of devices that has made a context, before its first command. Gates beyond
// kMaxDeviceGates are never opened.
void NoteDeviceInUse(DeviceGate* gate);

namespace internal {
extern std::atomic<DeviceObserver*> device_observer;
}  // namespace internal

// Returns whether a CommandScope has any effect.
[[gnu::always_inline]] inline bool IsDeviceObserved(const DeviceGate& gate) {
  return kRecordsExist && internal::IsOpen(gate);
}

// Marks a command that the thread enqueues from construction to destruction. Used only if
// IsDeviceObserved.
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

#endif  // TFRT_LIB_BASE_TRACING_DEVICE_OBSERVER_H_
