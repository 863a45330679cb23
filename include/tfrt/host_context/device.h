// Devices: named places where ops compute and tensors lie. "cpu:0" is the host itself.
#ifndef TFRT_HOST_CONTEXT_DEVICE_H_
#define TFRT_HOST_CONTEXT_DEVICE_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "tfrt/host_context/memory_space.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"

namespace tfrt {

class HostAllocator;
class HostContext;
class Timeline;

// Options of the accelerators of a host. The factory of a kind reads those that the kind has: gpu
// all, sim `memory_limit_bytes`, cpu none.
struct AcceleratorOptions {
  // The most memory that each device takes from its driver; 0: no limit.
  size_t memory_limit_bytes = 0;
  // The most page-locked memory of the host that each device takes; 0: no limit.
  size_t pinned_limit_bytes = 0;
  // Each command is waited for when it is enqueued. This is slow, but the op that fails on the
  // device returns the error itself. In the environment: TFRT_GPU_LAUNCH_BLOCKING.
  bool launch_blocking = false;
  // Copies share the stream of the ops, instead of one for each direction: for comparisons.
  bool single_stream = false;
  // Products and convolutions of f32 may round their factors to TF32 (10 bits of mantissa), where a
  // library and the hardware then are faster.
  bool allow_tf32 = false;
  // The folder in which plans of libraries are kept for later processes. Empty: the one of the
  // environment variable TFRT_GPU_PLAN_FOLDER, or none.
  std::string plan_folder = {};
  // The most copies from the host, and the most bytes of these, that the device may have before it.
  // A copy beyond that waits, on its thread, until the device has done half of them, and the ops
  // before those. So a loop that reads no result does not need more and more memory. 2 to 65,536
  // copies; at least 2 bytes.
  uint32_t max_in_flight = 64;
  size_t max_in_flight_bytes = size_t{256} << 20;

  friend bool operator==(const AcceleratorOptions&, const AcceleratorOptions&) = default;
  // InvalidArgument for a value that is out of its range.
  Status Check() const;
};

// The memory of a device, in bytes of its allocator's blocks.
struct DeviceMemoryStatistics {
  size_t bytes_in_use = 0;
  size_t peak_bytes_in_use = 0;
  size_t bytes_cached = 0;         // taken from the driver, and free for later requests
  size_t peak_bytes_reserved = 0;  // in use or cached
  size_t limit_bytes = 0;          // of bytes in use and cached together; 0: no limit
  size_t pinned_bytes = 0;         // page-locked memory of the host, in use or cached
};

// A device, shared by all its users. Thread-safe. May outlive its host: earlier results then remain
// valid, and the only new call that may be made is MakeRoom.
class Device : public ReferenceCounted<Device> {
 public:
  static constexpr std::string_view kProgramTypeName = "device";
  virtual ~Device() = default;
  // Returns its kind, a colon and its number among the devices of that kind: "cpu:0".
  const std::string& name() const { return name_; }
  // Returns the kind of its factory: "cpu", "gpu", ... .
  std::string_view kind() const { return std::string_view(name_).substr(0, name_.find(':')); }

  // Allocates memory that the host can read, for tensors of this device. Lives as long as the
  // device. The allocator of cpu:0 is the host's, which may outlive the host.
  virtual HostAllocator* allocator() = 0;
  // Returns the name of the tensor type that its ops compute on (tensor/tensor_type.h):
  // "DenseHost". A literal.
  virtual std::string_view tensor_type_name() const = 0;
  // Returns the memory that holds those tensors.
  virtual const MemorySpace& memory_space() const { return MemorySpace::Host(); }
  // Returns the timelines that run asynchronously to the host, first the timeline of its ops. Empty
  // for a device whose work is over when the calls that requested it return.
  virtual std::span<Timeline* const> timelines() const { return {}; }

  // Unimplemented "cpu:1 does not count its memory" for most devices whose memory is the host's.
  virtual StatusOr<DeviceMemoryStatistics> memory_statistics() const;
  // Waits for the work of the device, and returns cached memory to its driver. On a device without
  // a cache does nothing. Fails with the device's error.
  virtual Status TrimMemory() { return OkStatus(); }

  // Adds a keeper of device memory that can be dropped, such as copies of tensors. `drop` drops it
  // and returns whether there was any. Called by any thread, without a lock, until the device is
  // destroyed. So `drop` must check by itself whether the object that keeps the memory still
  // exists.
  void AddKeeper(std::function<bool()> drop);
  // Makes all keepers drop their memory, because none is left. True if another try is worth it.
  bool MakeRoom();

 protected:
  // `name` is the name that the factory received: see DeviceName.
  explicit Device(std::string name) : name_(std::move(name)) {}

 private:
  const std::string name_;
  std::mutex keepers_mutex_;
  std::vector<std::function<bool()>> keepers_;  // under keepers_mutex_
};

// A parsed device name: "CPU:3" is {"cpu", 3}.
struct DeviceName {
  std::string kind;  // in lower case
  int ordinal = 0;

  // Fails with InvalidArgument "'x' does not name a device: KIND:NUMBER, such as cpu:0".
  static StatusOr<DeviceName> Parse(std::string_view name);
  std::string ToString() const;
};

// Makes the device with this number, or returns an error that explains why it cannot.
using DeviceFactory = std::function<StatusOr<RCReference<Device>>(HostContext* host, int ordinal)>;

// Returns how many devices of a kind there are, at least one, or an error that explains why not.
using DeviceCounter = std::function<StatusOr<int>(HostContext* host)>;

// Kinds of devices that a host does not have from the start. Examples are those of libraries that
// are loaded when a program names one (lib/runtime/host/kernel_modules.h). Thread-safe.
class DeviceSource {
 public:
  virtual ~DeviceSource() = default;
  // Called under no lock whenever a device is requested whose kind has no factory. Registers the
  // kind at the host if it has it, once. OK if it has none of this name; an error explains why it
  // cannot register one that it might have.
  virtual Status RegisterKind(HostContext* host, std::string_view kind) = 0;
};

// The devices of a host, made on first use. Names are compared without regard to upper and lower
// case. Thread-safe. The kind "cpu" exists from the start: cpu:0 has the memory of the host, the
// others have separate memory.
class DeviceManager {
 public:
  static constexpr size_t kMaxDevices = 1024;

  explicit DeviceManager(HostContext* host);
  DeviceManager(const DeviceManager&) = delete;
  DeviceManager& operator=(const DeviceManager&) = delete;

  // Returns AlreadyExists if the kind has a factory, which then stays. A kind without `count` has
  // any number of devices. Both are called under no lock.
  Status RegisterKind(std::string_view kind, DeviceFactory factory, DeviceCounter count = nullptr);

  // Sets the source of kinds that were not registered. One at most; set before it is needed.
  void set_source(std::unique_ptr<DeviceSource> source) { source_ = std::move(source); }

  // Returns the device, made on first use. Fails with InvalidArgument for a text that is no name,
  // and with NotFound "there are no devices of the kind 'x'; the kinds are cpu". An error of the
  // source follows the kind: "there are no devices of the kind 'x' (REASON); ...". Fails with
  // ResourceExhausted beyond kMaxDevices, because programs may use any names. Otherwise returns the
  // factory's error.
  //
  // A factory is called under no lock, once for each device. Other threads that request this device
  // wait. A factory may request other devices. A request for the device that it makes fails with
  // FailedPrecondition.
  StatusOr<RCReference<Device>> GetOrCreateDevice(std::string_view name);
  // Returns the devices that `name` names: KIND:NUMBER one, KIND:* all of the kind, by number.
  // Fails like GetOrCreateDevice, and with the counter's error. For a kind without a counter this
  // is InvalidArgument "'cpu:*': there is any number of devices of the kind 'cpu'; name each".
  StatusOr<std::vector<RCReference<Device>>> GetOrCreateDevices(std::string_view name);

  // Sets the options of accelerators that are made from now on. Returns InvalidArgument for values
  // that are out of range, and FailedPrecondition if a factory has made a device.
  Status SetAcceleratorOptions(const AcceleratorOptions& options);
  AcceleratorOptions accelerator_options() const;

  // Returns cpu:0. Takes no lock.
  const RCReference<Device>& host_device() const { return host_device_; }
  // Returns null if the device has not been made.
  RCReference<Device> GetDevice(std::string_view name) const;
  // Returns the devices made so far, in order of creation; the first is cpu:0.
  std::vector<RCReference<Device>> ListDevices() const;

 private:
  struct Kind {
    std::string name;
    DeviceFactory factory;
    DeviceCounter count;  // null: any number
  };
  struct Making {
    std::string name;
    std::thread::id maker;
  };
  RCReference<Device> Find(std::string_view name) const;
  // Asks the source for the kind, unless it is known.
  Status AskSource(std::string_view kind);
  bool IsKnown(std::string_view kind) const;
  // Returns the kind, which is not "cpu". `why_unknown`: the answer of AskSource. Under mutex_.
  StatusOr<const Kind*> FindKind(std::string_view kind, const Status& why_unknown) const;

  HostContext* const host_;
  mutable std::mutex mutex_;
  const RCReference<Device> host_device_;
  std::vector<Kind> kinds_;                   // except "cpu"
  std::vector<RCReference<Device>> devices_;  // the first is the host's
  std::vector<Making> making_;                // devices whose factories run now
  std::condition_variable made_;
  std::unique_ptr<DeviceSource> source_;
  AcceleratorOptions accelerator_options_;  // under mutex_
  bool has_made_accelerators_ = false;      // under mutex_
};

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_DEVICE_H_
