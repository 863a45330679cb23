// How a host uses its GPUs.
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
  // Of each device, see ContextOptions.
  size_t memory_limit_bytes = 0;
  size_t pinned_limit_bytes = 0;
  // Also if the environment variable TFRT_GPU_LAUNCH_BLOCKING is there and not "0".
  bool launch_blocking = false;
  // Where the driver is looked for besides the usual places.
  std::vector<std::string> library_folders;
  // Null: that of the process, see cuda::Driver::Get. For tests, and for programs with a driver of
  // their own. Outlives the host and its devices.
  const cuda::Driver* driver = nullptr;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_GPU_OPTIONS_H_
