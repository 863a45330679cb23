#include "fork_generation.h"

#include <pthread.h>

#include <atomic>

namespace tfrt {

uint32_t ForkGeneration() {
  // relaxed: changes only in a process that has one thread.
  static constinit std::atomic<uint32_t> generation{0};
  [[maybe_unused]] static const int registered =
      pthread_atfork(nullptr, nullptr, [] { generation.fetch_add(1, std::memory_order_relaxed); });
  return generation.load(std::memory_order_relaxed);
}

}  // namespace tfrt
