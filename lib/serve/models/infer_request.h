// Requests to models and their answers, as every protocol of the server makes and takes them.
#ifndef TFRT_LIB_SERVE_MODELS_INFER_REQUEST_H_
#define TFRT_LIB_SERVE_MODELS_INFER_REQUEST_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tfrt/support/status.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::serve {

using Clock = std::chrono::steady_clock;

// Ends a request early, for example because its client went away. Thread-safe.
class InferCancel {
 public:
  // The request is answered with Cancelled unless it has been answered. Also before the request is
  // submitted.
  void Cancel();
  bool is_cancelled() const;

  // For the model: calls `action`, which may be empty, when Cancel is called. Replaces an earlier
  // action. Returns false, and drops the action, if Cancel was called before.
  bool SetAction(std::function<void()> action);

 private:
  mutable std::mutex mutex_;
  bool is_cancelled_ = false;
  std::function<void()> action_;
};

struct InferTensor {
  std::string name;
  DenseHostTensor tensor;
};

// The memory of the tensors is shared until the answer, and must not be written meanwhile.
struct InferRequest {
  std::vector<InferTensor> inputs;   // in any order
  std::vector<std::string> outputs;  // names of the results to return, in order; empty: all
  // The request is answered with DeadlineExceeded at this time, also while it runs.
  std::optional<Clock::time_point> deadline;
  std::shared_ptr<InferCancel> cancel;  // may be null
};

// Bytes of results that their client has not received yet. They count for the limits of the model
// until this is destroyed, also if that is after the model. Not thread-safe but for its end.
class ResultBytes {
 public:
  using Sum = std::atomic<size_t>;  // of all results of a model
  ResultBytes(std::shared_ptr<Sum> sum, size_t bytes) : sum_(std::move(sum)) { Add(bytes); }
  ResultBytes(const ResultBytes&) = delete;
  ResultBytes& operator=(const ResultBytes&) = delete;
  ~ResultBytes() { sum_->fetch_sub(bytes_, std::memory_order_relaxed); }
  // Counts more, such as a text of the results.
  void Add(size_t bytes) {
    bytes_ += bytes;
    sum_->fetch_add(bytes, std::memory_order_relaxed);  // a sum that is compared with a limit
  }

 private:
  const std::shared_ptr<Sum> sum_;
  size_t bytes_ = 0;
};

struct InferResult {
  std::vector<InferTensor> outputs;
  // To be kept as long as the outputs, or what was made of them. Null for a few bytes.
  std::shared_ptr<ResultBytes> bytes;
};

// Called once for each request: on any thread, or by the caller's before Submit returns. Must not
// block. The tensors may share one block of memory with the results of other requests. They are not
// to be written.
using InferCallback = std::function<void(StatusOr<InferResult>)>;

}  // namespace tfrt::serve

#endif  // TFRT_LIB_SERVE_MODELS_INFER_REQUEST_H_
