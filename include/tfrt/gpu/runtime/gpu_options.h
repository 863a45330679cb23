// The options for a host's GPUs.
#ifndef TFRT_GPU_RUNTIME_GPU_OPTIONS_H_
#define TFRT_GPU_RUNTIME_GPU_OPTIONS_H_

#include <cstddef>
#include <string>
#include <vector>

namespace tfrt::gpu::cuda {
class Driver;
}  // namespace tfrt::gpu::cuda

namespace tfrt::gpu {

struct GpuOptions {
  // Limits of each device, see ContextOptions.
  size_t memory_limit_bytes = 0;
  size_t pinned_limit_bytes = 0;
  // Also set if the environment variable TFRT_GPU_LAUNCH_BLOCKING is set and not "0".
  bool launch_blocking = false;
  // Folders to search for the driver besides the usual places.
  std::vector<std::string> library_folders;
  // Null: the driver of the process, see cuda::Driver::Get. For tests, and for programs with a
  // custom driver. Must outlive the host and its devices.
  const cuda::Driver* driver = nullptr;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_GPU_OPTIONS_H_
