// The arguments of a kernel launch.
#ifndef TFRT_GPU_RUNTIME_LAUNCH_H_
#define TFRT_GPU_RUNTIME_LAUNCH_H_

#include <cstdint>
#include <type_traits>

#include "memory.h"

namespace tfrt::gpu {

// The number of blocks, of threads in each, and of bytes of dynamic shared memory in each block.
struct LaunchShape {
  uint32_t grid[3] = {1, 1, 1};   // x, y, z
  uint32_t block[3] = {1, 1, 1};  // x, y, z
  uint32_t shared_bytes = 0;
};

// One parameter of a kernel. Borrows its sources during the call.
struct LaunchArgument {
  const void* value;               // its bytes, in the kernel's form
  uint32_t size_bytes;             // of the value
  const Memory* memory = nullptr;  // the memory that the kernel uses by this parameter; null: none

  // Passes a number.
  template <typename T>
    requires std::is_arithmetic_v<T>
  static LaunchArgument Of(const T& number) {
    return {&number, sizeof(T)};
  }
  // Passes the address of a range.
  static LaunchArgument OfAddress(const MemoryRange& range) {
    return {&range.address, sizeof(range.address), range.memory};
  }
  static LaunchArgument OfAddress(MemoryRange&&) = delete;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_LAUNCH_H_
