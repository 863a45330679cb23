#include "tfrt/support/status.h"

#include <cassert>
#include <cstdio>
#include <cstdlib>

namespace tfrt {

std::string_view StatusCodeName(StatusCode code) {
  static constexpr const char* kNames[] = {"OK",
                                           "CANCELLED",
                                           "UNKNOWN",
                                           "INVALID_ARGUMENT",
                                           "DEADLINE_EXCEEDED",
                                           "NOT_FOUND",
                                           "ALREADY_EXISTS",
                                           "PERMISSION_DENIED",
                                           "RESOURCE_EXHAUSTED",
                                           "FAILED_PRECONDITION",
                                           "ABORTED",
                                           "OUT_OF_RANGE",
                                           "UNIMPLEMENTED",
                                           "INTERNAL",
                                           "UNAVAILABLE",
                                           "DATA_LOSS",
                                           "UNAUTHENTICATED"};
  size_t index = static_cast<size_t>(code);
  return kNames[index < std::size(kNames) ? index : static_cast<size_t>(StatusCode::kUnknown)];
}

Status::Status(StatusCode code, std::string message)
    : rep_(new Rep{{1}, code, std::move(message)}) {
  assert(code != StatusCode::kOk && "an error Status needs an error code");
}

void Status::DropRef() {
  // acq_rel: the last owner must see every other owner's reads finished before it deletes.
  if (rep_->count.fetch_sub(1, std::memory_order_acq_rel) == 1) delete rep_;
}

std::string Status::ToString() const {
  if (ok()) return "OK";
  std::string text(StatusCodeName(code()));
  text += ": ";
  text += message();
  return text;
}

void internal::SetMissingError(Status* status) {
  *status = InternalError("a Status that is OK was given as an error");
}

void internal::AbortForError(const Status& status) {
  // Both end with a zero: a literal, and the whole of a string.
  std::fprintf(stderr, "fatal: the value of a StatusOr that is an error: %s: %s\n",
               std::string(StatusCodeName(status.code())).c_str(),
               std::string(status.message()).c_str());
  std::abort();
}

Status CancelledError(std::string_view message) {
  return {StatusCode::kCancelled, std::string(message)};
}
Status InvalidArgumentError(std::string_view message) {
  return {StatusCode::kInvalidArgument, std::string(message)};
}
Status DeadlineExceededError(std::string_view message) {
  return {StatusCode::kDeadlineExceeded, std::string(message)};
}
Status NotFoundError(std::string_view message) {
  return {StatusCode::kNotFound, std::string(message)};
}
Status AlreadyExistsError(std::string_view message) {
  return {StatusCode::kAlreadyExists, std::string(message)};
}
Status ResourceExhaustedError(std::string_view message) {
  return {StatusCode::kResourceExhausted, std::string(message)};
}
Status FailedPreconditionError(std::string_view message) {
  return {StatusCode::kFailedPrecondition, std::string(message)};
}
Status OutOfRangeError(std::string_view message) {
  return {StatusCode::kOutOfRange, std::string(message)};
}
Status UnimplementedError(std::string_view message) {
  return {StatusCode::kUnimplemented, std::string(message)};
}
Status InternalError(std::string_view message) {
  return {StatusCode::kInternal, std::string(message)};
}
Status UnavailableError(std::string_view message) {
  return {StatusCode::kUnavailable, std::string(message)};
}
Status DataLossError(std::string_view message) {
  return {StatusCode::kDataLoss, std::string(message)};
}

}  // namespace tfrt
