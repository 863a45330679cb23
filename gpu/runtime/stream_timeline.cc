#include "stream_timeline.h"

#include <utility>

#include "tfrt/async/type_id.h"
#include "tfrt/gpu/runtime/context.h"

namespace tfrt::gpu {
namespace {

// A point, or why there is none.
class StreamEvent final : public TimelineEvent {
 public:
  StreamEvent(RCReference<Stream> stream, StatusOr<Point> point)
      : TimelineEvent(GetTypeId<StreamEvent>()),
        stream_(std::move(stream)),
        point_(std::move(point)) {}

  AsyncValueRef<Chain> done() const override {
    if (!point_.ok()) return point_.status();
    return stream_->context().WhenDone(*point_);
  }
  Status Wait() const override {
    return point_.ok() ? stream_->context().Wait(*point_) : point_.status();
  }
  const StatusOr<Point>& point() const { return point_; }

 private:
  const RCReference<Stream> stream_;  // keeps what the point belongs to
  const StatusOr<Point> point_;
};

}  // namespace

void StreamTimeline::Enqueue(std::string_view operation, TaskFunction work) {
  TimelineScope on_timeline;
  if (stream_->Wait().ok()) work();
  work.reset();
}

RCReference<TimelineEvent> StreamTimeline::Record() {
  return TakeRef<TimelineEvent>(new StreamEvent(stream_, stream_->Record()));
}

void StreamTimeline::WaitFor(RCReference<TimelineEvent> event) {
  if (event->type() == GetTypeId<StreamEvent>()) {
    const StatusOr<Point>& point = static_cast<const StreamEvent&>(*event).point();
    // What fails here has stopped the stream, as each later event of it says.
    if (point.ok()) (void)stream_->WaitFor(*point);
    return;
  }
  (void)event->Wait();
}

}  // namespace tfrt::gpu
