// Event: a position in a stream that a program gives a name.
#ifndef TFRT_GPU_RUNTIME_EVENT_H_
#define TFRT_GPU_RUNTIME_EVENT_H_

#include <mutex>
#include <string_view>
#include <utility>

#include "context.h"
#include "stream.h"
#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/chain.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

// Holds the last record. A wait for an earlier record stays a wait for that one. Keeps its context
// alive. Thread-safe.
class Event : public ReferenceCounted<Event> {
 public:
  static constexpr std::string_view kProgramTypeName = "event";
  explicit Event(RCReference<Context> context) : context_(std::move(context)) {}

  Context& context() const { return *context_; }
  // Records the event after all enqueued work of the stream. Returns InvalidArgument unless the
  // stream is one of the event's context.
  Status Record(Stream& stream);
  // Makes later work on `stream`, of any context, run after the record; at once if there is none.
  Status MakeWait(Stream& stream) const { return stream.WaitFor(point()); }
  // See Context::WhenDone.
  AsyncValueRef<Chain> Synchronize(ConcurrentWorkQueue* queue = nullptr) const {
    return context_->WhenDone(point(), queue);
  }
  // Returns an empty point if there is no record.
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
