// The system calls for counters of a thread, in a form that tests can stand in for.
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
  // Of the calling thread, on whatever processor it runs. `group`: the file of the group's first
  // event, or -1. The file, or an errno with a minus before it.
  virtual int Open(const perf_event_attr& attributes, int group) = 0;
  // Fills `words` with what the group says. Whether it was as many.
  virtual bool Read(int file, std::span<uint64_t> words) = 0;
  virtual void Close(int file) = 0;
};

// The machine's own. Never destroyed.
PerfCalls& SystemPerfCalls();

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_COLLECT_PERF_CALLS_H_
