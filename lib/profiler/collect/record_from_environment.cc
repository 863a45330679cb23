// Linked into a program, records it if the environment says so (Session::StartFromEnvironment),
// from before main until it exits.

#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "tfrt/profiler/session.h"

namespace tfrt::profiler {
namespace {

class SessionOfProgram {
 public:
  SessionOfProgram() {
    StatusOr<std::unique_ptr<Session>> session = Session::StartFromEnvironment();
    if (session.ok()) {
      session_ = *std::move(session);
    } else {
      Complain("there will be no profile", session.status());
    }
  }
  ~SessionOfProgram() {
    if (!session_) return;
    Status status = session_->Stop();
    // A fork of the program has nothing to say.
    if (!status.ok() && status.code() != StatusCode::kFailedPrecondition) {
      Complain("the profile is incomplete", status);
    }
  }

 private:
  static void Complain(const char* what, const Status& status) {
    std::fprintf(stderr, "tfrt: %s: %s\n", what, std::string(status.message()).c_str());
  }

  std::unique_ptr<Session> session_;
};

const SessionOfProgram session_of_program;

}  // namespace
}  // namespace tfrt::profiler

// Programs that link this library are made to refer to this symbol, so that it is linked.
extern "C" {
extern const char tfrt_record_from_environment;
const char tfrt_record_from_environment = 0;
}
