#include "gpu_contexts.h"

#include <atomic>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "gpu/wrapper/shared_library.h"
#include "lib/base/support/logging.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

bool IsBlockingInEnvironment() {
  const char* value = std::getenv("TFRT_GPU_LAUNCH_BLOCKING");
  return value && *value && std::string_view(value) != "0";
}

std::string PlanFolder(const AcceleratorOptions& options) {
  if (!options.plan_folder.empty()) return options.plan_folder;
  const char* folder = secure_getenv("TFRT_GPU_PLAN_FOLDER");
  return folder ? folder : "";
}

// A smaller limit than one piece of memory is a mistake, of units perhaps.
Status CheckLimit(std::string_view device, std::string_view option, size_t limit_bytes,
                  size_t least_bytes) {
  if (limit_bytes == 0 || limit_bytes >= least_bytes) return OkStatus();
  return InvalidArgumentError(StrCat(device, ": the accelerator option ", option, " is ",
                                     limit_bytes, ", but memory is taken in pieces of ",
                                     least_bytes, " bytes or more"));
}

// A driver that cannot be opened: what programs look for in the error is the name that the vendor's
// loader would give it, and one line of the log says why.
Status NoDriver(const Status& error) {
  if (error.message().find("CUDA_ERROR_") != std::string_view::npos) return error;
  static std::atomic<bool> is_logged{false};
  // relaxed: only who is first matters.
  if (!is_logged.exchange(true, std::memory_order_relaxed)) {
    TFRT_LOG(WARNING) << "Failed to load libcuda.so: " << error.message();
  }
  return Status(error.code(), StrCat("'cuInit(0)': CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND (",
                                     error.message(), ")"));
}

}  // namespace

GpuContexts::GpuContexts(HostContext* host) : host_(host) {
  // relaxed: see Context::queue.
  queue_->queue.store(&host->work_queue(), std::memory_order_relaxed);
}

GpuContexts::~GpuContexts() {
  // Whoever keeps a context has no queue any more.
  queue_->queue.store(nullptr, std::memory_order_relaxed);
}

Status GpuContexts::SetOptions(GpuOptions options) {
  std::lock_guard lock(mutex_);
  if (is_in_use_) return FailedPreconditionError("options of GPUs that are in use already");
  options_ = std::move(options);
  driver_ = nullptr;  // whoever has asked about devices has made nothing with it
  return OkStatus();
}

StatusOr<const cuda::Driver*> GpuContexts::DriverLocked() {
  if (driver_) return driver_;
  if (options_.driver) return driver_ = options_.driver;
  AddLibraryFolders(options_.library_folders);  // libraries that ops use may be there, too
  StatusOr<const cuda::Driver*> driver = cuda::Driver::Get(options_.library_folders);
  if (!driver.ok()) return NoDriver(driver.status());
  return driver_ = *driver;
}

StatusOr<const cuda::Driver*> GpuContexts::driver() {
  std::lock_guard lock(mutex_);
  return DriverLocked();
}

StatusOr<cuda::CUdevice> GpuContexts::FindDevice(int ordinal) {
  TFRT_ASSIGN_OR_RETURN(const cuda::Driver* driver, this->driver());
  return driver->FindDevice(ordinal);
}

StatusOr<int> GpuContexts::NumDevices() {
  TFRT_ASSIGN_OR_RETURN(const cuda::Driver* driver, this->driver());
  TFRT_ASSIGN_OR_RETURN(int num_devices, driver->NumDevices());
  if (num_devices == 0) return driver->FindDevice(0).status();
  return num_devices;
}

StatusOr<ContextOptions> GpuContexts::OptionsOf(int ordinal) const {
  const AcceleratorOptions options = host_->device_manager().accelerator_options();
  std::string name = StrCat("gpu:", ordinal);
  TFRT_RETURN_IF_ERROR(CheckLimit(name, "memory_limit_bytes", options.memory_limit_bytes,
                                  DeviceAllocator::kSmallSegmentBytes));
  TFRT_RETURN_IF_ERROR(
      CheckLimit(name, "pinned_limit_bytes", options.pinned_limit_bytes, PinnedPool::kMinBytes));
  return ContextOptions{.name = std::move(name),
                        .memory_limit_bytes = options.memory_limit_bytes,
                        .pinned_limit_bytes = options.pinned_limit_bytes,
                        .launch_blocking = options.launch_blocking || IsBlockingInEnvironment(),
                        .allow_tf32 = options.allow_tf32,
                        .plan_folder = PlanFolder(options),
                        .queue_slot = queue_};
}

StatusOr<RCReference<Context>> GpuContexts::GetPrimary(int ordinal) {
  // Held while the driver works, so that one thread does it for all who come meanwhile.
  std::lock_guard lock(mutex_);
  if (auto found = primary_.find(ordinal); found != primary_.end()) return found->second;
  TFRT_ASSIGN_OR_RETURN(const cuda::Driver* driver, DriverLocked());
  TFRT_ASSIGN_OR_RETURN(cuda::CUdevice device, driver->FindDevice(ordinal));
  TFRT_ASSIGN_OR_RETURN(ContextOptions options, OptionsOf(ordinal));
  TFRT_ASSIGN_OR_RETURN(RCReference<Context> context,
                        Context::RetainPrimary(driver->table(), device, std::move(options)));
  is_in_use_ = true;
  return primary_.emplace(ordinal, std::move(context)).first->second;
}

StatusOr<RCReference<Context>> GpuContexts::Create(int ordinal) {
  ContextOptions options;
  const cuda::Driver* driver;
  RCReference<Context> primary;
  {
    std::lock_guard lock(mutex_);
    TFRT_ASSIGN_OR_RETURN(driver, DriverLocked());
    TFRT_ASSIGN_OR_RETURN(options, OptionsOf(ordinal));
    if (auto found = primary_.find(ordinal); found != primary_.end()) primary = found->second;
    is_in_use_ = true;
  }
  TFRT_ASSIGN_OR_RETURN(cuda::CUdevice device, driver->FindDevice(ordinal));
  StatusOr<RCReference<Context>> context = Context::Create(driver->table(), device, options);
  // The memory that the primary context has cached may be the memory that is missing.
  if (context.ok() || context.status().code() != StatusCode::kResourceExhausted || !primary ||
      !primary->allocator().Trim().ok()) {
    return context;
  }
  return Context::Create(driver->table(), device, std::move(options));
}

}  // namespace tfrt::gpu
