// ServedModel: a loaded version of a model that answers requests, several of them in one run where
// the model allows that.
#ifndef TFRT_LIB_SERVE_MODELS_SERVED_MODEL_H_
#define TFRT_LIB_SERVE_MODELS_SERVED_MODEL_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "lib/serve/models/infer_request.h"
#include "lib/serve/models/model_config.h"
#include "lib/serve/models/model_statistics.h"
#include "tfrt/model/model.h"
#include "tfrt/support/status.h"

namespace tfrt::serve {

// The limits of models whose own options set none.
struct ModelLimits {
  // Rows of a shared run, of models whose first dimensions are named as batches; 0: none. A name
  // does not tell whether the rows of results depend on each other.
  int64_t max_batch_size = 0;
  int64_t max_queue_size = 1024;
  int64_t num_sessions = 1;
  // Inputs of one model's requests until they are answered, and results until they are received.
  size_t max_waiting_bytes = size_t{1} << 30;
  // Memory of one session: a run, with its results, and earlier results that are not received yet.
  // 0: no limit.
  size_t max_run_bytes = size_t{4} << 30;
  // Requests of a model whose runs were shorter run on the thread that submits them. To wake
  // another one would take as long. 0: they never do.
  std::chrono::microseconds max_run_on_caller{20};
  // A model is run once before it is ready, with its weights loaded; a run that takes longer is
  // cancelled. It has made most plans by then, since layers repeat. 0: no run.
  std::chrono::milliseconds max_warm_up{50};
};

// Thread-safe. Has no threads of its own: runs are tasks of the host's work queue, and waits are
// timers of the host. A request keeps the model alive until it is answered.
//
// Scheduling. A request that arrives while a session is idle and that need not wait for others runs
// at once. Otherwise it waits in one queue. Whenever a session is idle, the oldest request begins a
// batch. Others join it in order of arrival, while the rows do not exceed the maximum. Their inputs
// may differ in the first dimension only. A batch that is not full begins when its oldest request
// has waited max_queue_delay, or when the deadline of one would be missed. If a batch fails, its
// requests run again, each alone, so that errors stay with their request.
class ServedModel : public std::enable_shared_from_this<ServedModel> {
 public:
  // Loads the weights, makes one session and, if `limits` say so, runs it once on zeros. Blocks.
  // Fails with the errors of Model::Load, and with InvalidArgument if the options do not fit the
  // model. The model's host must outlive this.
  static StatusOr<std::shared_ptr<ServedModel>> Create(const Model& model,
                                                       const ModelConfig& config,
                                                       const ModelLimits& limits);
  ~ServedModel();

  // Does not block; see ModelLimits::max_run_on_caller. Answers later, or at once: if the run was
  // short, or with an error. That is InvalidArgument if the inputs or the names of results are not
  // the model's, and ResourceExhausted if the queue is full. It is DeadlineExceeded or Cancelled if
  // the request has ended already. A run that needs more memory than the limit ends with
  // OutOfRange, or with ResourceExhausted if results hold some of it.
  void Submit(InferRequest request, InferCallback callback);

  const Model& model() const;
  const ModelConfig& config() const;
  int64_t max_batch_size() const;  // 0: requests never share a run
  int64_t num_sessions() const;
  ModelStatistics statistics() const;

 private:
  struct Impl;
  explicit ServedModel(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tfrt::serve

#endif  // TFRT_LIB_SERVE_MODELS_SERVED_MODEL_H_
