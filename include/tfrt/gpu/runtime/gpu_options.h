// The options by which a host finds its GPUs. Their limits, and how they work, are
// AcceleratorOptions (host_context/device.h).
#ifndef TFRT_GPU_RUNTIME_GPU_OPTIONS_H_
#define TFRT_GPU_RUNTIME_GPU_OPTIONS_H_

#include <string>
#include <vector>

namespace tfrt::gpu::cuda {
class Driver;
}  // namespace tfrt::gpu::cuda

namespace tfrt::gpu {

struct GpuOptions {
  // Folders to search for the driver, and for libraries of its vendor, besides the usual places.
  std::vector<std::string> library_folders;
  // Null: the driver of the process, see cuda::Driver::Get. For tests, and for programs with a
  // custom driver. Must outlive the host and its devices.
  const cuda::Driver* driver = nullptr;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_GPU_OPTIONS_H_
