#include "stream_timeline.h"

#include <utility>

#include "context.h"
#include "tfrt/async/type_id.h"

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
  if (stop().ok()) {
    Status status = stream_->Wait();
    if (status.ok()) {
      work();
    } else {
      Stop(std::move(status));
    }
  }
  work.reset();
}

RCReference<TimelineEvent> StreamTimeline::Record() {
  auto record = [this]() -> StatusOr<Point> {
    TFRT_RETURN_IF_ERROR(stop());
    StatusOr<Point> point = stream_->Record();
    // That there is no record stops nothing: whoever waits for the point makes one.
    if (!point.ok() && !stream_->context().is_lost()) return stream_->tail();
    return point;
  };
  return TakeRef<TimelineEvent>(new StreamEvent(stream_, record()));
}

void StreamTimeline::WaitFor(RCReference<TimelineEvent> event) {
  if (event->type() == GetTypeId<StreamEvent>()) {
    const StatusOr<Point>& point = static_cast<const StreamEvent&>(*event).point();
    if (point.ok() && stream_->WaitFor(*point).ok()) return;
  }
  // The thread waits for work for which the device cannot wait. An error becomes that of everything
  // after it.
  if (Status status = event->Wait(); !status.ok()) Stop(std::move(status));
}

Status StreamTimeline::stop() const {
  std::lock_guard lock(mutex_);
  return stop_;
}

void StreamTimeline::Stop(Status status) {
  std::lock_guard lock(mutex_);
  if (stop_.ok()) stop_ = std::move(status);
}

}  // namespace tfrt::gpu
