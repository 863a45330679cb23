#include "cuda_driver.h"

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

#include "cuda_status.h"
#include "lib/base/support/fork_generation.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::cuda {
namespace {

// Why there may be no device although a driver is there.
std::string HiddenDevices() {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (!visible) return {};
  return StrCat("; CUDA_VISIBLE_DEVICES is '", visible, "'");
}

// A driver that is too old lacks functions, too: its age is the better message.
Status CheckVersion(const SharedLibrary& library, int* version) {
  DriverTable table;
  void* function = library.Find("cuDriverGetVersion");
  if (!function)
    return FailedPreconditionError(StrCat(library.path(), " lacks cuDriverGetVersion"));
  std::memcpy(&table.cuDriverGetVersion, &function, sizeof(function));
  TFRT_RETURN_IF_ERROR(StatusOf(table, table.cuDriverGetVersion(version),
                                StrCat("cuDriverGetVersion of ", library.path())));
  if (*version >= kMinDriverVersion) return OkStatus();
  return FailedPreconditionError(StrCat(library.path(), " is a driver for CUDA ",
                                        VersionText(*version), "; CUDA ",
                                        VersionText(kMinDriverVersion), " or newer is needed"));
}

StatusOr<const Driver*> Initialise(const SharedLibrary& library) {
  int version = 0;
  TFRT_RETURN_IF_ERROR(CheckVersion(library, &version));
  DriverTable table;
  if (Status missing = library.FindAll(kDriverFunctions, version, &table); !missing.ok()) {
    return FailedPreconditionError(
        StrCat(missing.message(), ", which a driver for CUDA ", VersionText(version), " has"));
  }
  Status initialised = StatusOf(table, table.cuInit(0), StrCat("cuInit of ", library.path()));
  if (!initialised.ok()) {
    return Status(initialised.code(), StrCat(initialised.message(), HiddenDevices()));
  }
  return new Driver(table, version, library.path());
}

}  // namespace

StatusOr<const Driver*> Driver::Get(std::vector<std::string> more_folders) {
  static std::mutex mutex;
  static const Driver* driver = nullptr;  // under mutex; leaked
  std::lock_guard lock(mutex);
  if (!driver) {
    TFRT_ASSIGN_OR_RETURN(driver, Open(LibrarySearch::FromEnvironment(std::move(more_folders))));
  }
  return driver;
}

StatusOr<const Driver*> Driver::Open(const LibrarySearch& search) {
  TFRT_ASSIGN_OR_RETURN(SharedLibrary library, SharedLibrary::Open(kDriverLibrary, search));
  static std::mutex mutex;
  static auto& drivers = *new std::vector<const Driver*>;  // under mutex; leaked, as they are
  std::lock_guard lock(mutex);
  for (const Driver* driver : drivers) {
    if (driver->path() == library.path()) return driver;
  }
  TFRT_ASSIGN_OR_RETURN(const Driver* driver, Initialise(library));
  drivers.push_back(driver);
  return driver;
}

Driver::Driver(DriverTable table, int version, std::string path)
    : table_(table),
      version_(version),
      path_(std::move(path)),
      fork_generation_(ForkGeneration()) {}

StatusOr<int> Driver::NumDevices() const {
  if (fork_generation_ != ForkGeneration()) {
    return FailedPreconditionError(
        StrCat(path_, " was opened by the process that this one was forked from; only a program ",
               "that it starts (exec) can use GPUs"));
  }
  int count = 0;
  TFRT_RETURN_IF_ERROR(StatusOf(table_, table_.cuDeviceGetCount(&count), "cuDeviceGetCount"));
  return count;
}

StatusOr<CUdevice> Driver::FindDevice(int ordinal) const {
  TFRT_ASSIGN_OR_RETURN(int count, NumDevices());
  if (ordinal < 0 || ordinal >= count) {
    // This is the driver's own answer, with the facts known here.
    return NotFoundError(StrCat("there is no GPU with the number ", ordinal, ": ",
                                ResultName(CUDA_ERROR_INVALID_DEVICE), "; ", path_, " finds ",
                                count, HiddenDevices()));
  }
  CUdevice device = 0;
  TFRT_RETURN_IF_ERROR(StatusOf(table_, table_.cuDeviceGet(&device, ordinal), "cuDeviceGet"));
  return device;
}

StatusOr<std::string> Driver::DeviceName(CUdevice device) const {
  char name[256] = {};
  TFRT_RETURN_IF_ERROR(
      StatusOf(table_, table_.cuDeviceGetName(name, sizeof(name), device), "cuDeviceGetName"));
  name[sizeof(name) - 1] = 0;
  return std::string(name);
}

StatusOr<int> Driver::DeviceAttribute(CUdevice device, CUdevice_attribute attribute) const {
  int value = 0;
  TFRT_RETURN_IF_ERROR(StatusOf(table_, table_.cuDeviceGetAttribute(&value, attribute, device),
                                "cuDeviceGetAttribute"));
  return value;
}

StatusOr<size_t> Driver::DeviceMemoryBytes(CUdevice device) const {
  size_t size_bytes = 0;
  TFRT_RETURN_IF_ERROR(
      StatusOf(table_, table_.cuDeviceTotalMem_v2(&size_bytes, device), "cuDeviceTotalMem_v2"));
  return size_bytes;
}

std::string VersionText(int version) { return StrCat(version / 1000, ".", version % 1000 / 10); }

}  // namespace tfrt::gpu::cuda
