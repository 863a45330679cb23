#include "tfrt/support/yield_point.h"

#ifdef TFRT_YIELD_POINTS
#include <chrono>
#include <cstdint>
#include <thread>

namespace tfrt::internal {

void YieldAtPoint() {
  // Each thread has a sequence of its own: what is drawn shall not order threads.
  static thread_local uint32_t state =
      static_cast<uint32_t>(reinterpret_cast<uintptr_t>(&state) >> 4);
  state = state * 1664525 + 1013904223;
  uint32_t drawn = state >> 24;
  if (drawn < 4) {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  } else if (drawn < 64) {
    std::this_thread::yield();
  }
}

}  // namespace tfrt::internal
#endif
