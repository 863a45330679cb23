// Session: records the program into a trace file, or into any other consumer, from Start to Stop.
//
//   auto session = tfrt::profiler::Session::Start({.path = "run.pftrace"});
//   ... run models, functions, eager ops ...
//   tfrt::Status status = (*session)->Stop();
//
// The file is Perfetto's: ui.perfetto.dev shows it, and tfrt_prof makes figures of it.
#ifndef TFRT_PROFILER_SESSION_H_
#define TFRT_PROFILER_SESSION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tfrt/profiler/level.h"
#include "tfrt/profiler/trace_consumer.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

struct SessionOptions {
  std::string path;  // of the trace file, which is made anew
  Level level = Level::kKernel;
  // Room for records that are not in the file yet: 64 KiB to 1 GiB. The file may grow to any size.
  // Records that find no room are dropped, and the trace says how many.
  size_t buffer_bytes = size_t{64} << 20;
  // Facts about the run: see trace_properties.h. Those of the process and the machine are added.
  std::vector<std::pair<std::string, std::string>> properties = {};
};

// There is one session at a time in a process, of this kind or a tracing::Session. A thread of its
// own writes records soon after they are made, so that a program that is killed leaves a trace of
// all but the last moments. Any thread starts, stops and destroys it, one at a time.
class Session {
 public:
  // The errors of tracing::Session::Start and of PerfettoWriter::Create.
  static StatusOr<std::unique_ptr<Session>> Start(const SessionOptions& options);
  // The same into `consumer`, which is called by the session's thread, and at last by Stop; the
  // options' path is not used.
  static StatusOr<std::unique_ptr<Session>> Start(const SessionOptions& options,
                                                  std::unique_ptr<TraceConsumer> consumer);
  // As command lines say. Null for an empty path. A name that is no level is InvalidArgument.
  static StatusOr<std::unique_ptr<Session>> StartFromFlags(const std::string& path,
                                                           std::string_view level);
  // As the environment says: TFRT_TRACE names the file, TFRT_TRACE_LEVEL the level ("kernel"),
  // TFRT_TRACE_BUFFER_MB the buffer, TFRT_TRACE_PROPERTIES facts, a line KEY=VALUE each. Null if
  // TFRT_TRACE is not set. If another process writes that file, as the parent of this one may, the
  // process's number goes before its ending.
  static StatusOr<std::unique_ptr<Session>> StartFromEnvironment();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  // Stops; an error is lost.
  ~Session();

  // Records nothing more, writes what there is and closes the file. The first error of all that
  // was written; the same one the second time. In a fork of the process that began the session, it
  // only ends records there: FailedPrecondition.
  Status Stop();
  // Adds a fact that was not known at Start. Before Stop.
  void SetProperty(std::string_view key, std::string_view value);

  struct Counts {
    uint64_t num_events = 0;   // given to the consumer so far
    uint64_t num_dropped = 0;  // for which there was no room
  };
  // Any thread.
  Counts counts() const;

 private:
  struct Impl;
  explicit Session(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_SESSION_H_
