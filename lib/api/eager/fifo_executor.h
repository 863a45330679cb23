// FifoExecutor: one thread that runs nodes in the order in which they were added.
#ifndef TFRT_LIB_API_EAGER_FIFO_EXECUTOR_H_
#define TFRT_LIB_API_EAGER_FIFO_EXECUTOR_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <utility>

#include "tfrt/support/os_thread.h"
#include "tfrt/tracing/record.h"

namespace tfrt::eager {

class Node;

// Thread-safe, but for Start.
class FifoExecutor {
 public:
  // Once, before the first Add. False if the system has no thread left.
  [[nodiscard]] bool Start() {
    return thread_.Start([this] { Loop(); });
  }
  // Runs what is left.
  ~FifoExecutor();

  // Returns the length of the queue with the node.
  size_t Add(Node* node);
  // Nodes that have not begun.
  size_t depth() const;

 private:
  void Loop();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Node*> queue_;  // under mutex_
  // While records are made: what the caller did, of nodes of the queue, in its order, by their ids.
  // Under mutex_.
  std::deque<std::pair<uint64_t, tracing::RecordContext>> callers_;
  bool stopping_ = false;  // under mutex_
  OsThread thread_;
};

}  // namespace tfrt::eager

#endif  // TFRT_LIB_API_EAGER_FIFO_EXECUTOR_H_
