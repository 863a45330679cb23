#include "tfrt/host_context/device.h"

#include <algorithm>
#include <charconv>

#include "cpu_device.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

constexpr std::string_view kCpuKind = "cpu";

}  // namespace

const MemorySpace& MemorySpace::Host() {
  static const MemorySpace* const host = new MemorySpace("host", /*is_host_readable=*/true);
  return *host;
}

Status AcceleratorOptions::Check() const {
  constexpr uint32_t kMostInFlight = 65536;
  if (max_in_flight < 2 || max_in_flight > kMostInFlight) {
    return InvalidArgumentError(StrCat("the accelerator option max_in_flight is ", max_in_flight,
                                       ", which must be 2 to ", kMostInFlight));
  }
  if (max_in_flight_bytes < 2) {
    return InvalidArgumentError(StrCat("the accelerator option max_in_flight_bytes is ",
                                       max_in_flight_bytes, ", which must be 2 or more"));
  }
  return OkStatus();
}

StatusOr<DeviceMemoryStatistics> Device::memory_statistics() const {
  return UnimplementedError(StrCat(name_, " does not count its memory"));
}

void Device::AddKeeper(std::function<bool()> drop) {
  std::lock_guard lock(keepers_mutex_);
  keepers_.push_back(std::move(drop));
}

bool Device::MakeRoom() {
  std::vector<std::function<bool()>> keepers;
  {
    std::lock_guard lock(keepers_mutex_);
    keepers = keepers_;
  }
  bool any = false;
  for (auto& drop : keepers) any |= drop();
  return any;
}

StatusOr<DeviceName> DeviceName::Parse(std::string_view name) {
  size_t colon = name.find(':');
  DeviceName result;
  if (colon != std::string_view::npos) {
    for (char c : name.substr(0, colon)) {
      result.kind += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    const char* begin = name.data() + colon + 1;
    const char* end = name.data() + name.size();
    auto [parsed, error] = std::from_chars(begin, end, result.ordinal);
    // As it is printed: no sign, no zeros in front.
    if (error == std::errc() && parsed == end && !result.kind.empty() && result.ordinal >= 0 &&
        name.substr(colon + 1) == StrCat(result.ordinal)) {
      return result;
    }
  }
  return InvalidArgumentError(
      StrCat("'", name, "' does not name a device: KIND:NUMBER, such as cpu:0"));
}

std::string DeviceName::ToString() const { return StrCat(kind, ":", ordinal); }

DeviceManager::DeviceManager(HostContext* host)
    : host_(host), host_device_(internal::CreateCpuDevice(host, 0)), devices_({host_device_}) {}

Status DeviceManager::RegisterKind(std::string_view kind, DeviceFactory factory,
                                   DeviceCounter count) {
  std::lock_guard lock(mutex_);
  if (IsKnown(kind)) {
    return AlreadyExistsError(StrCat("the device kind '", kind, "' has a factory"));
  }
  kinds_.push_back({std::string(kind), std::move(factory), std::move(count)});
  return OkStatus();
}

bool DeviceManager::IsKnown(std::string_view kind) const {
  return kind == kCpuKind || std::ranges::find(kinds_, kind, &Kind::name) != kinds_.end();
}

Status DeviceManager::AskSource(std::string_view kind) {
  if (!source_) return OkStatus();
  {
    std::lock_guard lock(mutex_);
    if (IsKnown(kind)) return OkStatus();
  }
  return source_->RegisterKind(host_, kind);
}

StatusOr<const DeviceManager::Kind*> DeviceManager::FindKind(std::string_view kind,
                                                             const Status& why_unknown) const {
  const auto found = std::ranges::find(kinds_, kind, &Kind::name);
  if (found != kinds_.end()) return &*found;
  std::string kinds(kCpuKind);
  for (const Kind& known : kinds_) kinds += StrCat(", ", known.name);
  const bool has_reason = !why_unknown.ok();
  return NotFoundError(StrCat("there are no devices of the kind '", kind, has_reason ? "' (" : "'",
                              has_reason ? why_unknown.message() : std::string_view(),
                              has_reason ? "); the kinds are " : "; the kinds are ", kinds));
}

RCReference<Device> DeviceManager::Find(std::string_view name) const {
  for (const RCReference<Device>& device : devices_) {
    if (device->name() == name) return device;
  }
  return nullptr;
}

StatusOr<RCReference<Device>> DeviceManager::GetOrCreateDevice(std::string_view name) {
  TFRT_ASSIGN_OR_RETURN(DeviceName parsed, DeviceName::Parse(name));
  const std::string canonical = parsed.ToString();
  const Status why_unknown = AskSource(parsed.kind);
  std::unique_lock lock(mutex_);
  const auto find_making = [&] { return std::ranges::find(making_, canonical, &Making::name); };
  for (auto making = find_making(); making != making_.end(); making = find_making()) {
    if (making->maker == std::this_thread::get_id()) {
      return FailedPreconditionError(
          StrCat("what makes the device '", canonical, "' asks for that device"));
    }
    made_.wait(lock);
  }
  if (RCReference<Device> device = Find(canonical)) return device;
  if (devices_.size() + making_.size() >= kMaxDevices) {
    return ResourceExhaustedError(StrCat("a host has up to ", kMaxDevices, " devices"));
  }
  if (parsed.kind == kCpuKind) {
    devices_.push_back(internal::CreateCpuDevice(host_, parsed.ordinal));
    return devices_.back();
  }
  TFRT_ASSIGN_OR_RETURN(const Kind* kind, FindKind(parsed.kind, why_unknown));
  // Without the lock: it may take long, ask for other devices and register kinds.
  DeviceFactory factory = kind->factory;
  making_.push_back({canonical, std::this_thread::get_id()});
  lock.unlock();
  StatusOr<RCReference<Device>> made = factory(host_, parsed.ordinal);
  lock.lock();
  making_.erase(find_making());
  if (made.ok()) {
    devices_.push_back(*made);
    has_made_accelerators_ = true;
  }
  made_.notify_all();
  return made;
}

StatusOr<std::vector<RCReference<Device>>> DeviceManager::GetOrCreateDevices(
    std::string_view name) {
  std::vector<RCReference<Device>> devices;
  if (!name.ends_with(":*")) {
    TFRT_ASSIGN_OR_RETURN(devices.emplace_back(), GetOrCreateDevice(name));
    return devices;
  }
  const StatusOr<DeviceName> first = DeviceName::Parse(StrCat(name.substr(0, name.size() - 1), 0));
  if (!first.ok()) {
    return InvalidArgumentError(
        StrCat("'", name, "' does not name devices: KIND:* or KIND:NUMBER, such as cpu:0"));
  }
  const std::string& kind = first->kind;
  const Status why_unknown = AskSource(kind);
  DeviceCounter count;
  if (kind != kCpuKind) {
    std::lock_guard lock(mutex_);
    TFRT_ASSIGN_OR_RETURN(const Kind* known, FindKind(kind, why_unknown));
    count = known->count;
  }
  if (!count) {
    return InvalidArgumentError(
        StrCat("'", name, "': there is any number of devices of the kind '", kind, "'; name each"));
  }
  TFRT_ASSIGN_OR_RETURN(int num_devices, count(host_));
  for (int i = 0; i < num_devices; ++i) {
    TFRT_ASSIGN_OR_RETURN(devices.emplace_back(),
                          GetOrCreateDevice(DeviceName{kind, i}.ToString()));
  }
  return devices;
}

Status DeviceManager::SetAcceleratorOptions(const AcceleratorOptions& options) {
  TFRT_RETURN_IF_ERROR(options.Check());
  std::lock_guard lock(mutex_);
  if (has_made_accelerators_) {
    return FailedPreconditionError("options of accelerators, of which the host has made one");
  }
  accelerator_options_ = options;
  return OkStatus();
}

AcceleratorOptions DeviceManager::accelerator_options() const {
  std::lock_guard lock(mutex_);
  return accelerator_options_;
}

RCReference<Device> DeviceManager::GetDevice(std::string_view name) const {
  StatusOr<DeviceName> parsed = DeviceName::Parse(name);
  if (!parsed.ok()) return nullptr;
  std::lock_guard lock(mutex_);
  return Find(parsed->ToString());
}

std::vector<RCReference<Device>> DeviceManager::ListDevices() const {
  std::lock_guard lock(mutex_);
  return devices_;
}

}  // namespace tfrt
