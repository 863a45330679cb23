#include "stack_depth.h"

#include <pthread.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tfrt::internal {

[[gnu::tls_model("initial-exec")]] thread_local constinit uintptr_t stack_limit = UINTPTR_MAX;

namespace {

constexpr size_t kReserveBytes = 256 * 1024;

// Stacks grow downwards on every platform that this project supports.
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

bool HasStackReserveSlow() {
  if (stack_limit == UINTPTR_MAX) stack_limit = ComputeLimit();
  return reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) > stack_limit;
}

}  // namespace tfrt::internal
