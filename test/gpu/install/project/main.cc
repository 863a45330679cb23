// Registers the kernels of GPU programs and says what the driver has to say.
#include <cstdio>

#include "tfrt/gpu/kernels/gpu_kernels.h"
#include "tfrt/gpu/wrapper/cuda_driver.h"
#include "tfrt/host_context/kernel_registry.h"

int main() {
  tfrt::KernelRegistry registry;
  tfrt::gpu::RegisterGpuKernels(&registry);
  std::printf("launch: %s\n",
              registry.FindKernel("tfrt_gpu.function.launch") ? "a kernel" : "none");
  auto driver = tfrt::gpu::cuda::Driver::Get();
  if (!driver.ok()) {
    std::printf("%s\n", driver.status().ToString().c_str());
    return 0;
  }
  std::printf("CUDA %s, %d devices\n", tfrt::gpu::cuda::VersionText((*driver)->version()).c_str(),
              (*driver)->NumDevices().value());
  return 0;
}
