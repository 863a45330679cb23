// The device code that is part of the library: modules of PTX and their entry points. The head of
// gpu/device_code/FILE.cu says what its entry points compute; launch.h says how to launch them.
#ifndef TFRT_GPU_DEVICE_CODE_DEVICE_CODE_H_
#define TFRT_GPU_DEVICE_CODE_DEVICE_CODE_H_

#include <span>
#include <string_view>

#include "tfrt/support/status.h"

namespace tfrt::gpu {

// A kernel. Static data.
struct DeviceEntry {
  std::string_view name;        // "exp_f32"
  std::string_view parameters;  // types as PTX has them, in order: "ptr ptr u64 f32"
};

// A module that a driver loads as a whole. Static data.
struct DeviceModule {
  std::string_view family;               // "unary_f32": file and type
  std::string_view ptx;                  // a zero byte follows, as drivers want it
  std::span<const DeviceEntry> entries;  // by name, ascending
};

// All modules. Empty in a build without the compiler for device code.
std::span<const DeviceModule> DeviceModules();

struct DeviceKernel {
  const DeviceModule* module = nullptr;
  const DeviceEntry* entry = nullptr;
};

// The module of this family. NotFound `there is no device code "unary_f128"`, or, in a build
// without modules, "this tfrt was built without device code: ...".
StatusOr<const DeviceModule*> FindDeviceModule(std::string_view family);
// The entry point with this name; names are unique among all modules. NotFound as above.
StatusOr<DeviceKernel> FindDeviceKernel(std::string_view name);

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_DEVICE_CODE_DEVICE_CODE_H_
