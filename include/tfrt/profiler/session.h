// Session: records the program into a profile file, or into any other consumer, from Start to Stop.
//
//   auto session = tfrt::profiler::Session::Start({.path = "run.pftrace"});
//   ... run models, functions, eager ops ...
//   tfrt::Status status = (*session)->Stop();
//
// The file is Perfetto's: ui.perfetto.dev shows it, and tfrt_prof computes figures from it.
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
#include "tfrt/profiler/profile_consumer.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

struct SessionOptions {
  std::string path;  // of the profile file, which is replaced
  Level level = Level::kKernel;
  // Room for records that are not in the file yet: 64 KiB to 1 GiB. The file may grow to any size.
  // Records that do not fit are dropped, and the profile reports their number.
  size_t buffer_bytes = size_t{64} << 20;
  // Facts about the run: see profile_properties.h. Those of the process and the machine are added.
  std::vector<std::pair<std::string, std::string>> properties = {};
};

// Only one session, of this kind or a tracing::Session, exists at a time in a process. A separate
// thread writes records soon after they are made. So a program that is killed leaves a profile of
// all but the last moments. Any thread starts, stops and destroys it, one at a time.
class Session {
 public:
  // Fails like tracing::Session::Start and PerfettoWriter::Create.
  static StatusOr<std::unique_ptr<Session>> Start(const SessionOptions& options);
  // As above, into `consumer`, which the session's thread calls, and finally Stop. The options'
  // path is not used.
  static StatusOr<std::unique_ptr<Session>> Start(const SessionOptions& options,
                                                  std::unique_ptr<ProfileConsumer> consumer);
  // Starts a session from the values of command-line flags. Returns null for an empty path. Fails
  // with InvalidArgument for a name that is no level.
  static StatusOr<std::unique_ptr<Session>> StartFromFlags(const std::string& path,
                                                           std::string_view level);
  // Starts a session from the environment. TFRT_RECORD names the file, TFRT_RECORD_LEVEL the level
  // ("kernel"), TFRT_RECORD_BUFFER_MB the buffer, TFRT_RECORD_PROPERTIES facts, a line KEY=VALUE
  // each. Returns null if TFRT_RECORD is not set. If another process writes that file, for example
  // the parent of this one, the process's number is inserted before its ending.
  static StatusOr<std::unique_ptr<Session>> StartFromEnvironment();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  // Stops the session; an error is lost.
  ~Session();

  // Stops recording, writes the remaining records and closes the file. Returns the first error of
  // all writes, and the same one the second time. In a fork of the process that began the session,
  // it only ends recording there, and returns FailedPrecondition.
  Status Stop();
  // Adds a fact that was unknown at Start. Must be called before Stop.
  void SetProperty(std::string_view key, std::string_view value);

  struct Counts {
    uint64_t num_events = 0;   // passed to the consumer so far
    uint64_t num_dropped = 0;  // that did not fit
  };
  // Any thread may call it.
  Counts counts() const;

 private:
  struct Impl;
  explicit Session(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_SESSION_H_
