// StreamTimeline: a stream as a timeline of the op runtime.
#ifndef TFRT_GPU_RUNTIME_STREAM_TIMELINE_H_
#define TFRT_GPU_RUNTIME_STREAM_TIMELINE_H_

#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "lib/runtime/host/timeline.h"
#include "stream.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"
#include "tfrt/support/task_function.h"

namespace tfrt::gpu {

class StreamTimeline final : public Timeline {
 public:
  StreamTimeline(std::string name, RCReference<Stream> stream)
      : name_(std::move(name)), stream_(std::move(stream)) {}

  std::string_view name() const override { return name_; }
  // Waits here, and runs the work here: see GpuDevice::timelines.
  void Enqueue(std::string_view operation, TaskFunction work) override;
  RCReference<TimelineEvent> Record() override;
  void WaitFor(RCReference<TimelineEvent> event) override;

 private:
  // Returns the error that has stopped the timeline; OK if nothing has.
  Status stop() const;
  // Unless something has before.
  void Stop(Status status);

  const std::string name_;
  const RCReference<Stream> stream_;
  mutable std::mutex mutex_;
  Status stop_;  // under mutex_
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_STREAM_TIMELINE_H_
