// LeNet-5 as a program of the embedded runtime, and the data it is tried on.
#ifndef TFRT_EXAMPLES_LENET_LENET_H_
#define TFRT_EXAMPLES_LENET_LENET_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tfrt/async/async_value.h"
#include "tfrt/executor/bef_file.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/status.h"

namespace lenet {

inline constexpr size_t kNumImages = 450;
inline constexpr size_t kSide = 28;
inline constexpr size_t kPixels = kSide * kSide;
inline constexpr size_t kNumClasses = 10;
inline constexpr size_t kNumWeights = 61706;
inline constexpr size_t kTrainBatch = 64;
inline constexpr size_t kTrainSteps = 10;

struct Data {
  std::vector<float> images;     // [450,28,28], 0 to 1, not trained on
  std::vector<int32_t> labels;   // [450], the truth
  std::vector<int32_t> classes;  // [450], JAX's answers
  std::vector<float> logits;     // [450,10], JAX's
  std::vector<float> weights;    // trained
  std::vector<float> losses;     // [10], JAX's, of ten steps from InitialWeights
};
// Reads what train.py wrote to `folder`, and images and labels from `digits_folder`. NotFound, or
// DataLoss for a file of the wrong size.
tfrt::StatusOr<Data> ReadData(const std::string& folder, const std::string& digits_folder);

// The weights from which train.py's ten steps start.
std::vector<float> InitialWeights();

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
