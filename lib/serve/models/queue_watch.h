// QueueWatch: notices that a host's work queue has stopped.
#ifndef TFRT_LIB_SERVE_MODELS_QUEUE_WATCH_H_
#define TFRT_LIB_SERVE_MODELS_QUEUE_WATCH_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

namespace tfrt {
class HostContext;
}

namespace tfrt::serve {

// Each call leaves a task in the queue, unless that of an earlier call waits still. So whoever asks
// now and then, as a kubelet does, learns at the next question that no thread took the task. Under
// load a task may wait for long, so that other signs of progress count, too. Thread-safe. The host
// must outlive the watch; the task may end later.
class QueueWatch {
 public:
  // `limit`: how long the threads may all be busy; 0: for ever. `progress` returns a number that
  // changes while the host gets on. It is called by IsAlive, and must be thread-safe.
  QueueWatch(HostContext* host, std::chrono::milliseconds limit,
             std::function<uint64_t()> progress);
  ~QueueWatch();

  // Returns false if the task of an earlier call has waited longer than the limit, and there was no
  // progress since then. Does not block.
  bool IsAlive();

 private:
  struct Probe;
  HostContext* const host_;
  const std::chrono::milliseconds limit_;
  const std::function<uint64_t()> progress_;
  const std::shared_ptr<Probe> probe_;
};

}  // namespace tfrt::serve

#endif  // TFRT_LIB_SERVE_MODELS_QUEUE_WATCH_H_
