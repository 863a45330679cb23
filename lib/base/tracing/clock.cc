#include "tfrt/tracing/clock.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace tfrt::tracing {

constinit std::atomic<internal::ClockSource> internal::clock_source{ClockSource::kUnknown};

namespace {

// Whether the counter runs at one speed on all cores, also while they sleep.
bool HasInvariantCounter() {
#if defined(__x86_64__)
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx) != 0 && (edx & (1u << 8)) != 0;
#elif defined(__aarch64__)
  return true;  // the architecture promises it
#else
  return false;
#endif
}

// One moment on both clocks.
struct Moment {
  uint64_t counter;
  uint64_t nanoseconds;
};

// Returns the least disturbed of several tries.
Moment ReadBoth() {
  Moment best{};
  uint64_t best_width = UINT64_MAX;
  for (int i = 0; i < 8; ++i) {
    uint64_t before = internal::ReadCounterAfterLoads();
    uint64_t nanoseconds = internal::SystemNanoseconds();
    uint64_t width = internal::ReadCounterAfterLoads() - before;
    if (width >= best_width) continue;
    best_width = width;
    best = {before + width / 2, nanoseconds};
  }
  return best;
}

}  // namespace

internal::ClockSource internal::DetectClockSource() {
  ClockSource source = HasInvariantCounter() ? ClockSource::kCounter : ClockSource::kSystem;
  // Whoever comes second finds the same.
  clock_source.store(source, std::memory_order_relaxed);
  return source;
}

ClockMap CalibrateClock() {
  if (internal::Source() == internal::ClockSource::kSystem) return {};
  constexpr uint64_t kShortestNs = 2'000'000;
  static const Moment first = ReadBoth();
  Moment now = ReadBoth();
  while (now.nanoseconds - first.nanoseconds < kShortestNs) now = ReadBoth();
  double ticks = static_cast<double>(now.counter - first.counter);
  return {first.counter, static_cast<int64_t>(first.nanoseconds),
          static_cast<double>(now.nanoseconds - first.nanoseconds) / ticks};
}

}  // namespace tfrt::tracing
