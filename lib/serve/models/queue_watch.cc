#include "queue_watch.h"

#include <mutex>
#include <optional>
#include <utility>

#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/host_context.h"

namespace tfrt::serve {

struct QueueWatch::Probe {
  std::mutex mutex;
  // When the task was added, or progress was seen last; none: no task waits.
  std::optional<std::chrono::steady_clock::time_point> waits_since;
  uint64_t progress = 0;  // at that time
};

QueueWatch::QueueWatch(HostContext* host, std::chrono::milliseconds limit,
                       std::function<uint64_t()> progress)
    : host_(host),
      limit_(limit),
      progress_(std::move(progress)),
      probe_(std::make_shared<Probe>()) {}
QueueWatch::~QueueWatch() = default;

bool QueueWatch::IsAlive() {
  if (limit_.count() == 0) return true;
  {
    const auto now = std::chrono::steady_clock::now();
    std::lock_guard lock(probe_->mutex);
    if (probe_->waits_since && now - *probe_->waits_since <= limit_) return true;
    const uint64_t progress = progress_();
    if (probe_->waits_since && progress == probe_->progress) return false;
    const bool waits = probe_->waits_since.has_value();
    probe_->waits_since = now;
    probe_->progress = progress;
    if (waits) return true;
  }
  // Without the lock: a queue of one thread may run it at once.
  internal::AddTaskTo(host_->work_queue(), [probe = probe_] {
    std::lock_guard lock(probe->mutex);
    probe->waits_since.reset();
  });
  return true;
}

}  // namespace tfrt::serve
