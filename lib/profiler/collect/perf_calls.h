// The system calls for counters of a thread, in a form that tests can replace.
#ifndef TFRT_LIB_PROFILER_COLLECT_PERF_CALLS_H_
#define TFRT_LIB_PROFILER_COLLECT_PERF_CALLS_H_

#include <linux/perf_event.h>

#include <cstdint>
#include <span>

namespace tfrt::profiler {

// Thread-safe.
class PerfCalls {
 public:
  virtual ~PerfCalls() = default;
  // Opens a counter of the calling thread, on any processor. `group` is the file of the group's
  // first event, or -1. Returns the file, or a negative errno.
  virtual int Open(const perf_event_attr& attributes, int group) = 0;
  // Fills `words` with the values of the group. Returns whether it had as many.
  virtual bool Read(int file, std::span<uint64_t> words) = 0;
  virtual void Close(int file) = 0;
};

// Returns the machine's own calls. Never destroyed.
PerfCalls& SystemPerfCalls();

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_COLLECT_PERF_CALLS_H_
