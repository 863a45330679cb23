#include "profiles.h"

#include <utility>

#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {

Profiles::Profiles(HostContext* host, std::string folder,
                   std::function<void(const std::string&)> log)
    : host_(host), folder_(std::move(folder)), log_(std::move(log)) {}

Profiles::~Profiles() { Stop(); }

Status Profiles::Start(uint64_t num_requests) {
  std::lock_guard lock(mutex_);
  if (session_) return FailedPreconditionError(StrCat("a profile is being recorded: ", path_));
  path_ = StrCat(folder_, "/profile-", ++num_profiles_, ".pftrace");
  TFRT_ASSIGN_OR_RETURN(session_, profiler::Session::StartFromFlags(path_, "kernel"));
  left_.store(static_cast<int64_t>(num_requests), std::memory_order_relaxed);
  return OkStatus();
}

void Profiles::Count() {
  if (left_.load(std::memory_order_relaxed) <= 0) return;
  if (left_.fetch_sub(1, std::memory_order_relaxed) != 1) return;
  // Writing the file takes long.
  if (!internal::AddBlockingTaskTo(
          host_->work_queue(), [this] { Stop(); }, /*allow_queuing=*/true)) {
    Stop();
  }
}

void Profiles::Stop() {
  std::lock_guard lock(mutex_);
  if (!session_) return;
  const Status status = std::exchange(session_, nullptr)->Stop();
  log_(status.ok() ? StrCat("a profile is written: ", path_)
                   : StrCat("the profile is lost: ", status.message()));
}

}  // namespace tfrt
