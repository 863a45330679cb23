// Registers the kernels and the devices of GPU programs, and prints what became of them.
#include <cstdio>
#include <string>

#include "tfrt/gpu/kernels/gpu_kernels.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel_registry.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

int main() {
  tfrt::HostContext host([](const tfrt::DecodedDiagnostic&) {}, tfrt::CreateMallocAllocator(),
                         tfrt::CreateSingleThreadedWorkQueue());
  if (tfrt::Status status = tfrt::gpu::RegisterGpu(host); !status.ok()) {
    std::printf("%s\n", status.ToString().c_str());
    return 1;
  }
  std::printf("launch: %s\n",
              host.kernel_registry().FindKernel("tfrt_gpu.function.launch") ? "a kernel" : "none");
  for (const char* name : {"gpu:0", "gpu:1"}) {
    auto device = host.device_manager().GetOrCreateDevice(name);
    if (device.ok()) {
      std::printf("%s: a device\n", name);
    } else {
      std::printf("%s: %s\n", name, device.status().ToString().c_str());
    }
  }
  return 0;
}
