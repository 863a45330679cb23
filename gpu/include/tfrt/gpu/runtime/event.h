// Event: a place in a stream that a program gives a name.
#ifndef TFRT_GPU_RUNTIME_EVENT_H_
#define TFRT_GPU_RUNTIME_EVENT_H_

#include <mutex>
#include <string_view>
#include <utility>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/chain.h"
#include "tfrt/gpu/runtime/context.h"
#include "tfrt/gpu/runtime/stream.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

// Holds what was recorded last; whoever waited for an earlier record has waited for that. Keeps its
// context. Thread-safe.
class Event : public ReferenceCounted<Event> {
 public:
  static constexpr std::string_view kProgramTypeName = "event";
  explicit Event(RCReference<Context> context) : context_(std::move(context)) {}

  Context& context() const { return *context_; }
  // Behind all that is enqueued on the stream, which is one of the event's context: InvalidArgument
  // if not.
  Status Record(Stream& stream);
  // What is enqueued on `stream` from now on, of any context, runs behind the record; at once if
  // there is none.
  Status MakeWait(Stream& stream) const { return stream.WaitFor(point()); }
  // See Context::WhenDone.
  AsyncValueRef<Chain> Synchronize(ConcurrentWorkQueue* queue = nullptr) const {
    return context_->WhenDone(point(), queue);
  }
  // Nothing if there is no record.
  Point point() const {
    std::lock_guard lock(mutex_);
    return point_;
  }

 private:
  const RCReference<Context> context_;
  mutable std::mutex mutex_;
  Point point_;  // under mutex_
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_EVENT_H_
