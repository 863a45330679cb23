// Handles errors of a device that cannot be undone.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "context.h"
#include "stream_pool.h"
#include "stream_slots.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

// More are only counted.
constexpr size_t kMaxNamedOps = 8;

}  // namespace

Status Context::Error(cuda::CUresult result, std::string_view call, std::string_view subject) {
  std::string what =
      subject.empty() ? StrCat("'", call, "'") : StrCat("'", call, "' of '", subject, "'");
  Status error = cuda::StatusOf(driver_, result, what);
  if (cuda::LosesContext(result)) return Lose(error);
  // So many calls answer once a device has fallen off its bus, and none that it would then need.
  return result == cuda::CUDA_ERROR_UNKNOWN && !Answers() ? Lose(error) : error;
}

bool Context::Answers() {
  if (is_lost()) return false;
  cuda::Context::ForgetCurrent();
  (void)native_->MakeCurrent();
  cuda::CUevent event = nullptr;
  cuda::CUresult result = driver_.cuEventCreate(&event, cuda::CU_EVENT_DISABLE_TIMING);
  if (result == cuda::CUDA_SUCCESS) (void)driver_.cuEventDestroy_v2(event);
  return result != cuda::CUDA_ERROR_UNKNOWN;
}

Status Context::CheckWait(cuda::CUresult result, std::string_view call, Stream& stream) {
  Status status = Check(result, call);
  if (status.ok() || is_lost()) return status;
  Stream* const streams[] = {&stream};
  return Status(status.code(), WithOps(status, streams));
}

Status Context::CheckLibrary(const Status& error, Stream& stream) {
  if (error.ok()) return error;
  if (!is_lost()) {
    if (!EnterAnew().ok()) return error;
    // A library reports the error of an earlier command in words of its own; the driver repeats it.
    const cuda::CUresult result = driver_.cuStreamQuery(stream.handle());
    if (!cuda::LosesContext(result)) return error;
    return Lose(cuda::StatusOf(driver_, result, StrCat(error.message(), "; 'cuStreamQuery'")));
  }
  return error.code() == StatusCode::kUnavailable ? error : loss();
}

std::string Context::WithOps(const Status& error, std::span<Stream* const> streams) const {
  // Files whose ops they are may be closed meanwhile.
  std::unique_lock locations = internal::KeepLocations();
  std::vector<Stream::Attribution> commands;
  // In order, a stream fails in the oldest command that can: so those that are forgotten count.
  uint64_t num_forgotten = 0;
  for (Stream* stream : streams) {
    num_forgotten += stream->AppendAttributions(internal::KnownDone(stream->id()),
                                                stream->tail().number, &commands);
  }
  std::vector<std::string> ops;
  size_t num_ops = 0;
  for (const Stream::Attribution& command : commands) {
    std::string op = command.op.empty() ? StrCat("'", command.what, "'") : std::string(command.op);
    if (command.location) op = StrCat(op, " ", command.location.Decode().ToString());
    if (std::ranges::find(ops, op) != ops.end()) continue;
    ++num_ops;
    if (ops.size() < kMaxNamedOps) ops.push_back(std::move(op));
  }
  if (num_ops == 1 && num_forgotten == 0) {
    return StrCat(ops[0], " on ", name(), ": ", error.message());
  }
  std::string text = StrCat(name(), ": ", error.message());
  for (size_t i = 0; i < ops.size(); ++i) text += StrCat(i == 0 ? "; one of: " : ", ", ops[i]);
  if (num_ops > ops.size()) text += StrCat(" and ", num_ops - ops.size(), " more");
  if (num_forgotten > 0) text += StrCat(", or one of ", num_forgotten, " commands before");
  if (num_ops > 0 && !options_.launch_blocking) text += "; launch_blocking names it";
  return text;
}

Status Context::Lose(const Status& error) {
  // Once: each thread that meets the error comes here.
  if (is_lost()) return loss();
  // The ops first: that takes the locks of streams, and others must find the error when they find
  // the device lost.
  std::string text = WithOps(error, streams_->All());
  std::lock_guard lock(loss_mutex_);
  if (loss_.ok()) {
    loss_ = Status(error.code(), std::move(text));
    // release: whoever sees it reads the error.
    is_lost_.store(true, std::memory_order_release);
  }
  return loss_;
}

Status Context::loss() const {
  std::lock_guard lock(loss_mutex_);
  return loss_;
}

Status Context::NoQueue() const {
  return FailedPreconditionError(
      StrCat(name(), " has no work queue any more: its host has ended, and the call names none"));
}

Status Context::Unavailable() const {
  return UnavailableError(StrCat(name(), " is lost: ", loss().message()));
}

}  // namespace tfrt::gpu
