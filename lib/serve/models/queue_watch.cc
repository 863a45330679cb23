#include "queue_watch.h"

#include <mutex>
#include <optional>

#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/host_context.h"

namespace tfrt::serve {

struct QueueWatch::Probe {
  std::mutex mutex;
  std::optional<std::chrono::steady_clock::time_point> waits_since;  // none: no task waits
};

QueueWatch::QueueWatch(HostContext* host, std::chrono::milliseconds limit)
    : host_(host), limit_(limit), probe_(std::make_shared<Probe>()) {}
QueueWatch::~QueueWatch() = default;

bool QueueWatch::IsAlive() {
  if (limit_.count() == 0) return true;
  {
    const auto now = std::chrono::steady_clock::now();
    std::lock_guard lock(probe_->mutex);
    if (probe_->waits_since) return now - *probe_->waits_since <= limit_;
    probe_->waits_since = now;
  }
  // Without the lock: a queue of one thread may run it at once.
  internal::AddTaskTo(host_->work_queue(), [probe = probe_] {
    std::lock_guard lock(probe->mutex);
    probe->waits_since.reset();
  });
  return true;
}

}  // namespace tfrt::serve
