// RequestContext: the state of one request: cancellation, deadline, user data, resources.
#ifndef TFRT_HOST_CONTEXT_REQUEST_CONTEXT_H_
#define TFRT_HOST_CONTEXT_REQUEST_CONTEXT_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "tfrt/async/async_value.h"
#include "tfrt/support/ref_count.h"

namespace tfrt {

class HostContext;
class RequestContextBuilder;
class ResourceContext;

namespace internal {
// Cancels a deadline's timer if the request is destroyed before the deadline.
struct RequestDeadline {
  virtual ~RequestDeadline() = default;
  RequestDeadline* next = nullptr;
};
}  // namespace internal

struct RequestOptions {
  int priority = 0;  // larger is more urgent; for queues with priorities
  bool enable_cost_measurement = false;
  // The largest depth of nested calls, over all threads. Deeper calls are errors.
  uint32_t max_call_depth = 100000;
};

// Thread-safe. Ref-counted: every execution that belongs to the request holds it.
class RequestContext : public ReferenceCounted<RequestContext> {
 public:
  HostContext* host() const { return host_; }
  // May be null. Not owned.
  ResourceContext* resource_context() const { return resource_context_; }
  uint64_t id() const { return id_; }
  const RequestOptions& options() const { return options_; }
  uint32_t max_call_depth() const { return options_.max_call_depth; }

  // Makes every kernel that starts from now on fail with `Cancelled` (code CANCELLED), or with
  // `error`. A running sync function may still run up to 16 kernels. Running kernels are not
  // interrupted. Only the first call has an effect.
  void Cancel() { Cancel(CancelledError("Cancelled")); }
  void Cancel(Status error);
  // Returns the error value once cancelled, otherwise null. Lives as long as the request.
  AsyncValue* GetCancelAsyncValue() const {
    // acquire: a thread that sees the error value reads its contents.
    return cancel_value_.load(std::memory_order_acquire);
  }
  bool IsCancelled() const { return GetCancelAsyncValue() != nullptr; }

  // Makes a request with the same resources, options and data that is not cancelled with this one.
  // For work of one request that others wait for.
  RCReference<RequestContext> MakeIndependent() const;

  // Returns the host program's data of a type, or null. Data are destroyed with the last request
  // that has them, the last added first.
  template <typename T>
  T* GetDataIfExists() const {
    for (const Data& data : data_) {
      if (data.type == GetTypeId<T>()) return static_cast<T*>(data.value.get());
    }
    return nullptr;
  }
  template <typename T>
  T& GetData() const {
    T* data = GetDataIfExists<T>();
    assert(data && "the request has no data of this type");
    return *data;
  }

 private:
  friend class ReferenceCounted<RequestContext>;
  friend class RequestContextBuilder;
  RequestContext(HostContext* host, ResourceContext* resource_context, uint64_t id)
      : host_(host), resource_context_(resource_context), id_(id) {}
  ~RequestContext();

  friend class RequestDeadlineTracker;

  struct Data {
    TypeId type;
    std::shared_ptr<void> value;
  };

  HostContext* const host_;
  ResourceContext* const resource_context_;
  const uint64_t id_;
  RequestOptions options_;
  std::vector<Data> data_;  // in the order of their addition; read-only once built
  std::atomic<AsyncValue*> cancel_value_{nullptr};
  std::atomic<internal::RequestDeadline*> deadlines_{nullptr};  // owned, the newest first
};

class RequestContextBuilder {
 public:
  // `host` and `resource_context` (may be null) must outlive the request.
  RequestContextBuilder(HostContext* host, ResourceContext* resource_context, uint64_t id = 0)
      : request_(TakeRef(new RequestContext(host, resource_context, id))) {}

  RequestContextBuilder& set_options(const RequestOptions& options) {
    request_->options_ = options;
    return *this;
  }
  RequestContextBuilder& set_max_call_depth(uint32_t depth) {
    request_->options_.max_call_depth = depth;
    return *this;
  }
  // Adds data that kernels find by its type, replacing earlier data of that type.
  template <typename T>
  RequestContextBuilder& AddData(T data) {
    std::erase_if(request_->data_, [](const auto& old) { return old.type == GetTypeId<T>(); });
    request_->data_.push_back({GetTypeId<T>(), std::make_shared<T>(std::move(data))});
    return *this;
  }
  RCReference<RequestContext> Build() && { return std::move(request_); }

 private:
  RCReference<RequestContext> request_;
};

// Cancels requests whose deadline passes: with code DEADLINE_EXCEEDED, `deadline exceeded`.
class RequestDeadlineTracker {
 public:
  explicit RequestDeadlineTracker(HostContext* host) : host_(host) {}
  // Does not keep the request alive until the deadline. A request may have several deadlines.
  // Thread-safe.
  void CancelRequestOnDeadline(std::chrono::steady_clock::time_point deadline,
                               RCReference<RequestContext> request);

 private:
  HostContext* host_;
};

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_REQUEST_CONTEXT_H_
