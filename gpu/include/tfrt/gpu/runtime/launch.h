// What a launch of a kernel is given.
#ifndef TFRT_GPU_RUNTIME_LAUNCH_H_
#define TFRT_GPU_RUNTIME_LAUNCH_H_

#include <cstdint>
#include <type_traits>

#include "tfrt/gpu/runtime/memory.h"

namespace tfrt::gpu {

// How many blocks, threads in each, and bytes of dynamic shared memory in each block.
struct LaunchShape {
  uint32_t grid[3] = {1, 1, 1};   // x, y, z
  uint32_t block[3] = {1, 1, 1};  // x, y, z
  uint32_t shared_bytes = 0;
};

// One parameter of a kernel. Borrows what it is made of for the time of the call.
struct LaunchArgument {
  const void* value;               // its bytes, as the kernel has them
  uint32_t size_bytes;             // of the value
  const Memory* memory = nullptr;  // what the kernel uses by this parameter; null: nothing

  // A number.
  template <typename T>
    requires std::is_arithmetic_v<T>
  static LaunchArgument Of(const T& number) {
    return {&number, sizeof(T)};
  }
  // An address in `memory`, which may be null if the address is 0 or nobody's.
  static LaunchArgument OfAddress(const cuda::CUdeviceptr& address, const Memory* memory) {
    return {&address, sizeof(address), memory};
  }
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_LAUNCH_H_
