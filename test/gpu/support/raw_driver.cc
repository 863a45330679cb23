#include "test/gpu/support/raw_driver.h"

#include <dlfcn.h>

#include <cstdlib>

namespace tfrt::gpu::test {
namespace {

template <typename F>
void Find(void* library, const char* name, F** function) {
  *function = reinterpret_cast<F*>(dlsym(library, name));
}

RawDriver* Open(std::string* why) {
  std::string path = cuda::kDriverLibrary;
  if (const char* folder = std::getenv("TFRT_GPU_LIBRARY_PATH")) path = folder + ("/" + path);
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    *why = dlerror();
    return nullptr;
  }
  auto* driver = new RawDriver;
#define TFRT_GPU_FIND(result, name, since, parameters, arguments) \
  Find(library, #name, &driver->name);                            \
  if (!driver->name && since <= cuda::kMinDriverVersion) {        \
    *why = path + " has no " #name;                               \
    return nullptr;                                               \
  }
  TFRT_CUDA_DRIVER_FUNCTIONS(TFRT_GPU_FIND)
  TFRT_CUDA_DRIVER_TEST_FUNCTIONS(TFRT_GPU_FIND)
#undef TFRT_GPU_FIND
  Find(library, "tfrtDoubleNumReports", &driver->num_reports);
  Find(library, "tfrtDoubleReport", &driver->report);
  Find(library, "tfrtDoubleClearReports", &driver->clear_reports);
  Find(library, "tfrtDoubleHostAccess", &driver->host_access);
  Find(library, "tfrtDoubleNumCalls", &driver->num_calls);
  Find(library, "tfrtDoubleNumBlockingCalls", &driver->num_blocking_calls);
  Find(library, "tfrtDoubleClearCalls", &driver->clear_calls);
  Find(library, "tfrtDoubleInject", &driver->inject);
  Find(library, "tfrtDoubleNumLive", &driver->num_live);
  Find(library, "tfrtDoubleEnableActivities", &driver->enable_activities);
  Find(library, "tfrtDoubleTakeActivities", &driver->take_activities);
  Find(library, "tfrtDoubleEnqueue", &driver->enqueue);
  Find(library, "tfrtDoubleEnqueueTogether", &driver->enqueue_together);
  Find(library, "tfrtDoubleHostView", &driver->host_view);
  int count = 0;
  if (driver->cuInit(0) != cuda::CUDA_SUCCESS ||
      driver->cuDeviceGetCount(&count) != cuda::CUDA_SUCCESS || count == 0) {
    *why = path + " has no device";
    return nullptr;
  }
  return driver;
}

}  // namespace

const RawDriver* OpenRawDriver(std::string* why) {
  static std::string reason;
  static const RawDriver* driver = Open(&reason);
  *why = reason;
  return driver;
}

std::vector<std::string> TakeReports(const RawDriver& driver) {
  std::vector<std::string> reports;
  if (!driver.is_double()) return reports;
  for (size_t i = 0, count = driver.num_reports(); i < count; ++i) {
    std::string text(driver.report(i, nullptr, 0) + 1, '\0');
    driver.report(i, text.data(), text.size());
    text.pop_back();
    reports.push_back(std::move(text));
  }
  driver.clear_reports();
  return reports;
}

}  // namespace tfrt::gpu::test
