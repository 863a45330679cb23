#include "stack_depth.h"

#include <pthread.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tfrt::internal {
namespace {

constexpr size_t kReserveBytes = 256 * 1024;

// The lowest address that a frame may reach while it leaves the reserve. Stacks grow downwards on
// every platform that this project supports.
uintptr_t ComputeLimit() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void* lowest = nullptr;
  size_t size = 0;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  return reinterpret_cast<uintptr_t>(lowest) + std::min(kReserveBytes, size / 2);
}

}  // namespace

bool HasStackReserve() {
  static thread_local const uintptr_t limit = ComputeLimit();
  return reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) > limit;
}

}  // namespace tfrt::internal
