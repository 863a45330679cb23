// LeNet-5 as a program of the embedded runtime.
#ifndef TFRT_EXAMPLES_LENET_LENET_H_
#define TFRT_EXAMPLES_LENET_LENET_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "data.h"
#include "tfrt/async/async_value.h"
#include "tfrt/executor/bef_file.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/status.h"

namespace lenet {

struct Answers {
  std::vector<int32_t> classes;  // [N]
  std::vector<float> logits;     // [N,10]
};

// A network with weights of its own, on a host of its own.
class Network {
 public:
  // `weights` in the order of weights.f32; `work_queue_type` is "s" (one thread) or "mstd:N".
  static tfrt::StatusOr<std::unique_ptr<Network>> Create(tfrt::BefImage program,
                                                         std::span<const float> weights,
                                                         const std::string& work_queue_type);

  // Classifies N images, N being 1, 64 or 450: the batches for which the program has a function.
  tfrt::StatusOr<Answers> Classify(std::span<const float> images);

  // One step of gradient descent with 64 images. Returns the mean loss before it.
  tfrt::StatusOr<float> TrainStep(std::span<const float> images, std::span<const int32_t> labels);

 private:
  explicit Network(std::unique_ptr<tfrt::ConcurrentWorkQueue> queue);

  // Runs a function on `inputs` and the weights, and waits for its results.
  tfrt::StatusOr<std::vector<tfrt::RCReference<tfrt::AsyncValue>>> Run(
      const std::string& function, const std::vector<tfrt::RCReference<tfrt::AsyncValue>>& inputs);

  tfrt::HostContext host_;
  tfrt::RCReference<tfrt::BefFile> file_;
  std::vector<tfrt::RCReference<tfrt::AsyncValue>> weights_;  // dense tensors
};

}  // namespace lenet

#endif  // TFRT_EXAMPLES_LENET_LENET_H_
