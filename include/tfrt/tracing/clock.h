// The library's clock. Reads the processor's counter, without a system call, where one counter
// serves all cores and never stops. Reads CLOCK_MONOTONIC elsewhere.
#ifndef TFRT_TRACING_CLOCK_H_
#define TFRT_TRACING_CLOCK_H_

#include <time.h>

#include <atomic>
#include <cstdint>

namespace tfrt::tracing {

// Points of time in the clock's own unit. They compare across threads. ClockMap converts them to
// nanoseconds.
using Ticks = uint64_t;

namespace internal {

enum class ClockSource : uint8_t { kUnknown, kCounter, kSystem };
// Changes once from kUnknown; threads that detect it at once find the same source.
extern std::atomic<ClockSource> clock_source;

// Finds out which source is available.
ClockSource DetectClockSource();

inline uint64_t SystemNanoseconds() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

// Reads the counter directly. The clobber keeps the compiler from moving accesses across. A store
// that follows becomes visible only after the read, because instructions retire in order.
inline uint64_t ReadCounter() {
#if defined(__x86_64__)
  uint32_t low, high;
  asm volatile("rdtsc" : "=a"(low), "=d"(high) : : "memory");
  return uint64_t{high} << 32 | low;
#elif defined(__aarch64__)
  uint64_t value;
  asm volatile("mrs %0, cntvct_el0" : "=r"(value) : : "memory");
  return value;
#else
  return 0;
#endif
}

// Reads the counter after all earlier loads: the processor may otherwise read it while it still
// waits for them.
inline uint64_t ReadCounterAfterLoads() {
#if defined(__x86_64__)
  asm volatile("lfence" : : : "memory");
#elif defined(__aarch64__)
  asm volatile("isb" : : : "memory");
#endif
  return ReadCounter();
}

inline ClockSource Source() {
  // relaxed: no other data are published with it.
  ClockSource source = clock_source.load(std::memory_order_relaxed);
  return source != ClockSource::kUnknown ? source : DetectClockSource();
}

}  // namespace internal

// Returns the current time. A time taken before a store is earlier than the moment at which other
// threads can see that store. Any thread may call it; it cannot fail.
inline Ticks Now() {
  if (internal::Source() == internal::ClockSource::kCounter) [[likely]]
    return internal::ReadCounter();
  return internal::SystemNanoseconds();
}

// Returns the current time, after the loads that come first in the program are done. So it is never
// earlier than a Now() of another thread whose later store this thread has read.
inline Ticks NowAfterLoads() {
  if (internal::Source() == internal::ClockSource::kCounter) [[likely]]
    return internal::ReadCounterAfterLoads();
  return internal::SystemNanoseconds();
}

// Converts ticks to nanoseconds of CLOCK_MONOTONIC. Plain data. It stays valid, but loses accuracy
// for ticks long after it was made.
struct ClockMap {
  Ticks tick = 0;
  int64_t nanoseconds = 0;  // at that tick
  double nanoseconds_per_tick = 1;

  int64_t ToNanoseconds(Ticks ticks) const {
    auto since = static_cast<int64_t>(ticks - tick);
    return nanoseconds + static_cast<int64_t>(static_cast<double>(since) * nanoseconds_per_tick);
  }
};

// Compares both clocks over the time since the first call, and over at least 2 ms. The first call
// takes that long. Any thread may call it.
ClockMap CalibrateClock();

}  // namespace tfrt::tracing

#endif  // TFRT_TRACING_CLOCK_H_
