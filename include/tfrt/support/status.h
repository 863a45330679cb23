// Errors as values: Status and StatusOr<T>.
//
// A Status is one pointer: null means OK, otherwise it shares an immutable, ref-counted {code,
// message}. Copying only increments the count, because one error fans out to many consumers.
// Thread-safe for concurrent reads of one object, like a shared_ptr.
#ifndef TFRT_SUPPORT_STATUS_H_
#define TFRT_SUPPORT_STATUS_H_

#include <atomic>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tfrt {

// The canonical RPC codes, with their wire numbers.
enum class StatusCode : uint8_t {
  kOk = 0,
  kCancelled = 1,
  kUnknown = 2,
  kInvalidArgument = 3,
  kDeadlineExceeded = 4,
  kNotFound = 5,
  kAlreadyExists = 6,
  kPermissionDenied = 7,
  kResourceExhausted = 8,
  kFailedPrecondition = 9,
  kAborted = 10,
  kOutOfRange = 11,
  kUnimplemented = 12,
  kInternal = 13,
  kUnavailable = 14,
  kDataLoss = 15,
  kUnauthenticated = 16,
};

// Returns the code's upper-case name, for example "INVALID_ARGUMENT".
std::string_view StatusCodeName(StatusCode code);

class [[nodiscard]] Status {
 public:
  Status() = default;  // OK
  // `code` must not be kOk.
  Status(StatusCode code, std::string message);
  Status(const Status& other) : rep_(other.rep_) { AddRef(); }
  Status(Status&& other) noexcept : rep_(std::exchange(other.rep_, nullptr)) {}
  Status& operator=(const Status& other) {
    Status copy(other);
    std::swap(rep_, copy.rep_);
    return *this;
  }
  Status& operator=(Status&& other) noexcept {
    std::swap(rep_, other.rep_);
    return *this;
  }
  ~Status() {
    if (rep_) DropRef();
  }

  bool ok() const { return rep_ == nullptr; }
  StatusCode code() const { return rep_ ? rep_->code : StatusCode::kOk; }
  // Valid as long as any copy of this Status lives. Empty when ok().
  std::string_view message() const { return rep_ ? std::string_view(rep_->message) : ""; }
  // "OK" or "CODE: message".
  std::string ToString() const;

  friend bool operator==(const Status& a, const Status& b) {
    return a.code() == b.code() && a.message() == b.message();
  }

 private:
  struct Rep {
    std::atomic<uint32_t> count;
    StatusCode code;
    std::string message;
  };
  void AddRef() const {
    // relaxed: a new reference is made from one that is already held.
    if (rep_) rep_->count.fetch_add(1, std::memory_order_relaxed);
  }
  void DropRef();

  Rep* rep_ = nullptr;
};

inline Status OkStatus() { return Status(); }
// cold: keeps code that leads to an error apart from the rest.
[[gnu::cold]] Status CancelledError(std::string_view message);
[[gnu::cold]] Status InvalidArgumentError(std::string_view message);
[[gnu::cold]] Status DeadlineExceededError(std::string_view message);
[[gnu::cold]] Status NotFoundError(std::string_view message);
[[gnu::cold]] Status AlreadyExistsError(std::string_view message);
[[gnu::cold]] Status ResourceExhaustedError(std::string_view message);
[[gnu::cold]] Status FailedPreconditionError(std::string_view message);
[[gnu::cold]] Status OutOfRangeError(std::string_view message);
[[gnu::cold]] Status UnimplementedError(std::string_view message);
[[gnu::cold]] Status InternalError(std::string_view message);
[[gnu::cold]] Status UnavailableError(std::string_view message);
[[gnu::cold]] Status DataLossError(std::string_view message);

namespace internal {
// Turns an OK status into an Internal error that reports the missing error.
[[gnu::cold, gnu::noinline]] void SetMissingError(Status* status);
// Prints "fatal: the value of a StatusOr that is an error: CODE: message" and aborts.
[[noreturn, gnu::cold, gnu::noinline]] void AbortForError(const Status& status);
}  // namespace internal

// Holds a T, or the error that explains why it is missing.
template <typename T>
class [[nodiscard]] StatusOr {
 public:
  using value_type = T;

  StatusOr(const T& value) { new (&value_) T(value); }        // NOLINT: implicit by design
  StatusOr(T&& value) { new (&value_) T(std::move(value)); }  // NOLINT: implicit by design
  template <typename U>
    requires(std::is_constructible_v<T, U &&> && std::is_convertible_v<U &&, T> &&
             !std::is_same_v<std::remove_cvref_t<U>, StatusOr> &&
             !std::is_same_v<std::remove_cvref_t<U>, Status> &&
             !std::is_same_v<std::remove_cvref_t<U>, T>)
  StatusOr(U&& value) {  // NOLINT: implicit by design
    new (&value_) T(std::forward<U>(value));
  }
  // `status` must be an error. An OK status is a mistake of the caller and becomes an Internal
  // error.
  StatusOr(Status status) : status_(std::move(status)) {  // NOLINT: implicit by design
    if (status_.ok()) [[unlikely]]
      internal::SetMissingError(&status_);
  }
  StatusOr(const StatusOr& other) : status_(other.status_) {
    if (ok()) new (&value_) T(other.value_);
  }
  StatusOr(StatusOr&& other) noexcept : status_(other.status_) {  // NOLINT: keeps its state
    if (ok()) new (&value_) T(std::move(other.value_));
  }
  StatusOr& operator=(StatusOr other) noexcept {
    this->~StatusOr();
    return *new (this) StatusOr(std::move(other));
  }
  ~StatusOr() {
    if (ok()) value_.~T();
  }

  bool ok() const { return status_.ok(); }
  const Status& status() const { return status_; }

  // These need ok(): on an error the program ends with its message, in every build.
  T& value() & {
    CheckOk();
    return value_;
  }
  const T& value() const& {
    CheckOk();
    return value_;
  }
  T&& value() && {
    CheckOk();
    return std::move(value_);
  }
  // For callers that have just checked ok().
  T&& checked_value() && { return std::move(value_); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  void CheckOk() const {
    if (!ok()) [[unlikely]]
      internal::AbortForError(status_);
  }

  Status status_;
  union {
    T value_;
  };
};

#define TFRT_STATUS_CONCAT_INNER(a, b) a##b
#define TFRT_STATUS_CONCAT(a, b) TFRT_STATUS_CONCAT_INNER(a, b)

// Returns from the enclosing function when `expr` (a Status) is an error.
#define TFRT_RETURN_IF_ERROR(expr)                                \
  do {                                                            \
    if (::tfrt::Status tfrt_status = (expr); !tfrt_status.ok()) { \
      return tfrt_status;                                         \
    }                                                             \
  } while (false)

// TFRT_ASSIGN_OR_RETURN(auto x, F()): x = *F(), or returns F()'s error.
#define TFRT_ASSIGN_OR_RETURN(lhs, expr) \
  TFRT_ASSIGN_OR_RETURN_INNER(TFRT_STATUS_CONCAT(tfrt_or_, __LINE__), lhs, expr)
#define TFRT_ASSIGN_OR_RETURN_INNER(tmp, lhs, expr) \
  auto tmp = (expr);                                \
  if (!tmp.ok()) return tmp.status();               \
  lhs = std::move(tmp).checked_value()

}  // namespace tfrt

#endif  // TFRT_SUPPORT_STATUS_H_
