// Source: something besides the runtime's records that a session collects, such as what a GPU did.
#ifndef TFRT_PROFILER_SOURCE_H_
#define TFRT_PROFILER_SOURCE_H_

#include <memory>
#include <string_view>

#include "tfrt/profiler/event_stream.h"
#include "tfrt/profiler/level.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

// Made for one session. Its functions are called one at a time: Start by the thread that starts the
// session, Drain by the session's, Stop and the Drain after it by the thread that stops it.
class Source {
 public:
  virtual ~Source() = default;
  // Begins to collect. An error is told in the trace, as a Problem::Kind::kUnavailable, and the
  // session goes on without the source: the message says what to do about it.
  virtual Status Start(Level level) = 0;
  // Gives what has come since the last call; its times are nanoseconds of CLOCK_MONOTONIC.
  virtual void Drain(EventStream& stream) = 0;
  // Nothing more is collected; Drain is called once more.
  virtual void Stop() = 0;
};

// Makes a source for each session that starts from now on. The name is for messages: "cupti". A
// second source of one name takes the place of the first. Any thread.
using SourceFactory = std::unique_ptr<Source> (*)();
void RegisterSource(std::string_view name, SourceFactory factory);

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_SOURCE_H_
