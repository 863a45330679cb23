// ExecutionContext: the context that every kernel receives. Small; copied when work is postponed.
#ifndef TFRT_HOST_CONTEXT_EXECUTION_CONTEXT_H_
#define TFRT_HOST_CONTEXT_EXECUTION_CONTEXT_H_

#include <utility>

#include "tfrt/host_context/request_context.h"
#include "tfrt/support/location.h"

namespace tfrt {

class ConcurrentWorkQueue;
namespace internal {
class BorrowedContext;
}

// Defines how much of the order of kernels of a called function is visible under the
// single-threaded queue. For executors.
enum class KernelOrder : uint8_t {
  kPrescribed,  // everything: the caller, or something else, has effects
  kFree,  // nothing: all that runs is without effects, up to the result that the host waits for
  kOutermost,  // the host calls: nothing, if the function itself has no effects
  kPutOff,     // the same; the call was postponed once already (docs/executor.md)
};

class ExecutionContext {
 public:
  // Work is added to the host's queue unless set_work_queue sets another one.
  explicit ExecutionContext(RCReference<RequestContext> request, Location location = {});
  // Makes a context of another request at the same place of an execution.
  ExecutionContext(const ExecutionContext& other, RCReference<RequestContext> request)
      : ExecutionContext(std::move(request), other.location_, other.work_queue_, other.call_depth_,
                         other.kernel_order_) {}

  RequestContext* request_ctx() const { return request_.get(); }
  HostContext* host() const { return request_->host(); }
  // May be null.
  ResourceContext* resource_context() const { return request_->resource_context(); }
  Location location() const { return location_; }
  void set_location(Location location) { location_ = location; }
  ConcurrentWorkQueue& work_queue() const { return *work_queue_; }
  // `queue` must outlive every execution that starts from this context.
  void set_work_queue(ConcurrentWorkQueue* queue) { work_queue_ = queue; }
  // Returns how many function calls this execution is nested in, over all threads.
  uint32_t call_depth() const { return call_depth_; }
  void set_call_depth(uint32_t depth) { call_depth_ = depth; }
  KernelOrder kernel_order() const { return kernel_order_; }
  void set_kernel_order(KernelOrder order) { kernel_order_ = order; }

 private:
  ExecutionContext(RCReference<RequestContext> request, Location location,
                   ConcurrentWorkQueue* work_queue, uint32_t call_depth, KernelOrder kernel_order)
      : request_(std::move(request)),
        location_(location),
        work_queue_(work_queue),
        call_depth_(call_depth),
        kernel_order_(kernel_order) {}

  friend class internal::BorrowedContext;
  RCReference<RequestContext> request_;
  Location location_;
  ConcurrentWorkQueue* work_queue_;
  uint32_t call_depth_ = 0;
  KernelOrder kernel_order_ = KernelOrder::kOutermost;
};

namespace internal {

// A copy of a context, made when it is first asked for: few kernels ask. It shares the original's
// reference to the request. The original must outlive it; copies of the copy are contexts like any
// other. For one thread.
class BorrowedContext {
 public:
  enum class Use : uint8_t {
    kCallee,           // for the kernels of a function that is called there
    kOrderFreeCallee,  // the same, of one without effects
    kSamePlace,
    kMade,  // the copy is there
  };
  explicit BorrowedContext(const ExecutionContext& original, Use use = Use::kSamePlace)
      : original_(original), use_(use) {}
  BorrowedContext(const BorrowedContext&) = delete;
  BorrowedContext& operator=(const BorrowedContext&) = delete;
  ~BorrowedContext() {}  // leaves the reference to the original

  const ExecutionContext& original() const { return original_; }
  ExecutionContext* get() {
    if (use_ != Use::kMade) [[unlikely]]
      Make();
    return &context_;
  }

 private:
  void Make();

  const ExecutionContext& original_;
  Use use_;
  union {
    ExecutionContext context_;
  };
};

}  // namespace internal

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_EXECUTION_CONTEXT_H_
