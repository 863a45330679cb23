// Profiles: records the next requests into a file, for tfrt_prof and ui.perfetto.dev.
#ifndef TFRT_TOOLS_TFRT_SERVE_PROFILES_H_
#define TFRT_TOOLS_TFRT_SERVE_PROFILES_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "tfrt/profiler/session.h"
#include "tfrt/support/status.h"

namespace tfrt {

class HostContext;

// Thread-safe. At most one profile is recorded at a time.
class Profiles {
 public:
  // Writes FOLDER/profile-N.pftrace. `log` receives the path when a file is complete.
  Profiles(HostContext* host, std::string folder, std::function<void(const std::string&)> log);
  ~Profiles();

  // Fails with FailedPrecondition while one is recorded, and with the profiler's errors.
  Status Start(uint64_t num_requests);
  // Counts a request; the last one of a profile ends it.
  void Count();

 private:
  void Stop();

  HostContext* const host_;
  const std::string folder_;
  const std::function<void(const std::string&)> log_;
  // relaxed: the mutex orders the session; requests beside the last one may or may not be in it.
  std::atomic<int64_t> left_{0};
  std::mutex mutex_;
  std::unique_ptr<profiler::Session> session_;  // guarded by the mutex
  std::string path_;
  int num_profiles_ = 0;
};

}  // namespace tfrt

#endif  // TFRT_TOOLS_TFRT_SERVE_PROFILES_H_
