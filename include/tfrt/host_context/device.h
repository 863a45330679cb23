// Devices: where ops compute and tensors lie, by name. "cpu:0" is the host itself.
#ifndef TFRT_HOST_CONTEXT_DEVICE_H_
#define TFRT_HOST_CONTEXT_DEVICE_H_

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tfrt/host_context/memory_space.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"

namespace tfrt {

class HostAllocator;
class HostContext;
class Timeline;

// Thread-safe. Shared by all who use it. May outlive its host: what has been asked of it before
// then stays good, and nothing new is asked but MakeRoom.
class Device : public ReferenceCounted<Device> {
 public:
  static constexpr std::string_view kProgramTypeName = "device";
  virtual ~Device() = default;
  // Its kind, a colon and its number among the devices of that kind: "cpu:0".
  const std::string& name() const { return name_; }
  // "cpu", "gpu", ...: which factory made it.
  std::string_view kind() const { return std::string_view(name_).substr(0, name_.find(':')); }

  // Of memory that the host can read, for tensors of this device. Lives as long as the device; that
  // of cpu:0 is the host's, which may live longer than the host.
  virtual HostAllocator* allocator() = 0;
  // The name of the tensor type that its ops compute on (tensor/tensor_type.h): "DenseHost". A
  // literal.
  virtual std::string_view tensor_type_name() const = 0;
  // Where those tensors lie.
  virtual const MemorySpace& memory_space() const { return MemorySpace::Host(); }
  // What runs behind the back of the host, first the timeline of its ops. None: a device whose work
  // is over when the calls are that asked for it.
  virtual std::span<Timeline* const> timelines() const { return {}; }

  // Adds somebody who keeps memory of the device that could be dropped, such as copies of tensors:
  // `drop` drops it and says if there was any. Called by any thread, without a lock, until the
  // device is gone; so it must know for itself whether what it drops from is there.
  void AddKeeper(std::function<bool()> drop);
  // There is no memory left: all who keep some drop it. True if another try is worth it.
  bool MakeRoom();

 protected:
  // `name` is what a factory was asked for: see DeviceName.
  explicit Device(std::string name) : name_(std::move(name)) {}

 private:
  const std::string name_;
  std::mutex keepers_mutex_;
  std::vector<std::function<bool()>> keepers_;  // under keepers_mutex_
};

// A name taken apart: "CPU:3" is {"cpu", 3}.
struct DeviceName {
  std::string kind;  // in lower case
  int ordinal = 0;

  // InvalidArgument "'x' does not name a device: KIND:NUMBER, such as cpu:0".
  static StatusOr<DeviceName> Parse(std::string_view name);
  std::string ToString() const;
};

// Makes the device with this number, or says why there is none.
using DeviceFactory = std::function<StatusOr<RCReference<Device>>(HostContext* host, int ordinal)>;

// The devices of a host, made when they are first asked for. Names are compared without regard to
// upper and lower case. Thread-safe. The kind "cpu" is there from the start: cpu:0 has the memory
// of the host, the others have memory of their own.
class DeviceManager {
 public:
  static constexpr size_t kMaxDevices = 1024;

  explicit DeviceManager(HostContext* host);
  DeviceManager(const DeviceManager&) = delete;
  DeviceManager& operator=(const DeviceManager&) = delete;

  // AlreadyExists if the kind has a factory, which then stays.
  Status RegisterKind(std::string_view kind, DeviceFactory factory);

  // InvalidArgument for what is no name; NotFound "there are no devices of the kind 'x'; the kinds
  // are cpu"; ResourceExhausted beyond kMaxDevices, as programs may name what they like; the
  // factory's error. A factory is called under no lock, once for each device: other threads that
  // ask for this device wait. It may ask for other devices; FailedPrecondition for the one that it
  // makes.
  StatusOr<RCReference<Device>> GetOrCreateDevice(std::string_view name);
  // cpu:0. Without a lock.
  const RCReference<Device>& host_device() const { return host_device_; }
  // Null if it has not been made.
  RCReference<Device> GetDevice(std::string_view name) const;
  // Those that have been made, in that order; the first is cpu:0.
  std::vector<RCReference<Device>> ListDevices() const;

 private:
  struct Kind {
    std::string name;
    DeviceFactory factory;
  };
  struct Making {
    std::string name;
    std::thread::id maker;
  };
  RCReference<Device> Find(std::string_view name) const;

  HostContext* const host_;
  mutable std::mutex mutex_;
  const RCReference<Device> host_device_;
  std::vector<Kind> kinds_;                   // but "cpu"
  std::vector<RCReference<Device>> devices_;  // the first is the host's
  std::vector<Making> making_;                // devices whose factories run now
  std::condition_variable made_;
};

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_DEVICE_H_
