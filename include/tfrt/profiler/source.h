// Source: data besides the runtime's records that a session collects, for example the work of a
// GPU.
#ifndef TFRT_PROFILER_SOURCE_H_
#define TFRT_PROFILER_SOURCE_H_

#include <memory>
#include <string_view>

#include "tfrt/profiler/event_stream.h"
#include "tfrt/profiler/level.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

// Made for one session. Its functions are called one at a time. The thread that starts the session
// calls Start, and the session's thread calls Drain. The thread that stops the session calls Stop
// and then Drain once more.
class Source {
 public:
  virtual ~Source() = default;
  // Begins to collect. An error is reported in the profile as a Problem::Kind::kUnavailable, and
  // the session continues without the source. The message should say how to solve the problem.
  virtual Status Start(Level level) = 0;
  // Passes on the data since the last call. Their times are nanoseconds of CLOCK_MONOTONIC.
  virtual void Drain(EventStream& stream) = 0;
  // Stops collecting; Drain is called once more.
  virtual void Stop() = 0;
};

// Registers a factory that makes a source for each session started from now on. The name is for
// messages: "cupti". A second source of one name replaces the first. Any thread may call it.
using SourceFactory = std::unique_ptr<Source> (*)();
void RegisterSource(std::string_view name, SourceFactory factory);

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_SOURCE_H_
