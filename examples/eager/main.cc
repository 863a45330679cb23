// Runs LeNet-5 op by op on the held-out digits, in batches of several sizes, takes ten steps of
// training, compares with what JAX computed, and makes a mistake to show what is said of it. Exit
// code 0: every class is equal, every logit within 1e-4, every loss within 1e-5, and the mistake is
// found in its line; 1: not so, or something failed.
//
//   eager_lenet [--device=gpu:0] [--mode=sync|async] [--data=FOLDER] [--work_queue_type=s|mstd:N]
//               [--images=N] [--steps=N]

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data.h"
#include "network.h"
#include "tfrt/eager/ops.h"
#include "tfrt/support/str_cat.h"
#ifdef TFRT_EXAMPLE_HAS_GPU
#include "tfrt/gpu/kernels/gpu_kernels.h"
#endif

namespace lenet {
namespace {

using tfrt::Status;
using tfrt::StatusOr;
using tfrt::StrCat;
using tfrt::eager::Context;
using tfrt::eager::ExecutionMode;
using tfrt::eager::HostArray;
using tfrt::eager::Scope;
using tfrt::eager::Tensor;

struct Options {
  std::string device = "cpu:0";
  ExecutionMode mode = ExecutionMode::kSync;
  std::string data = TFRT_LENET_DATA;
  std::string work_queue_type = "mstd";
  size_t images = kNumImages;  // to classify
  size_t steps = kTrainSteps;
};

// A number from 1 to `most`.
StatusOr<size_t> ParseNumber(std::string_view flag, const std::string& text, size_t most) {
  size_t number = 0;
  const char* end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end || number < 1 || number > most) {
    return tfrt::InvalidArgumentError(
        StrCat(flag, " is a number from 1 to ", most, ", not ", text));
  }
  return number;
}

StatusOr<Options> ParseOptions(int argc, char** argv) {
  Options options;
  std::string mode = "sync", images = StrCat(options.images), steps = StrCat(options.steps);
  for (int i = 1; i < argc; ++i) {
    std::string_view argument = argv[i];
    auto take = [&](std::string_view flag, std::string* value) {
      if (!argument.starts_with(flag)) return false;
      *value = argument.substr(flag.size());
      return true;
    };
    if (!take("--device=", &options.device) && !take("--mode=", &mode) &&
        !take("--data=", &options.data) && !take("--images=", &images) &&
        !take("--steps=", &steps) && !take("--work_queue_type=", &options.work_queue_type)) {
      return tfrt::InvalidArgumentError(StrCat("unknown argument ", argument));
    }
  }
  if (mode != "sync" && mode != "async") {
    return tfrt::InvalidArgumentError(StrCat("the mode is sync or async, not ", mode));
  }
  if (mode == "async") options.mode = ExecutionMode::kAsync;
  TFRT_ASSIGN_OR_RETURN(options.images, ParseNumber("--images", images, kNumImages));
  TFRT_ASSIGN_OR_RETURN(options.steps, ParseNumber("--steps", steps, kTrainSteps));
  return options;
}

// The devices of contexts besides the host's. Opens nothing.
Status RegisterDevices([[maybe_unused]] tfrt::HostContext& host) {
#ifdef TFRT_EXAMPLE_HAS_GPU
  return tfrt::gpu::RegisterGpu(host);
#else
  return tfrt::OkStatus();  // a build without the GPU half
#endif
}

// Images [first, first + count) as a tensor over the data's own memory, which outlives it.
Tensor Images(const Data& data, size_t first, size_t count) {
  auto pixels = std::span(data.images).subspan(first * kPixels, count * kPixels);
  return Tensor::FromArray(
      HostArray::Borrow({static_cast<int64_t>(count), kSide, kSide, 1}, pixels, nullptr));
}

// Classifies the first `count` images, `batch` at a time.
StatusOr<bool> Classify(const EagerNetwork& network, const Data& data, size_t count, size_t batch) {
  std::vector<std::pair<Tensor, Tensor>> answers;
  for (size_t first = 0; first < count; first += batch) {
    Tensor images = Images(data, first, std::min(batch, count - first));
    Tensor logits = network.Logits(images);
    Tensor classes = ArgMax(logits, HostArray({}, {1}), {.output_type = tfrt::DType::kI32});
    answers.emplace_back(std::move(logits), std::move(classes));
  }
  // In ASYNC mode this is where the thread waits.
  size_t right = 0, equal = 0, next = 0;
  std::vector<float> all_logits;
  for (const auto& [logits, classes] : answers) {
    TFRT_ASSIGN_OR_RETURN(auto numbers, logits.Values<float>());
    all_logits.insert(all_logits.end(), numbers.begin(), numbers.end());
    TFRT_ASSIGN_OR_RETURN(auto found, classes.Values<int32_t>());
    for (int32_t digit : found) {
      right += digit == data.labels[next];
      equal += digit == data.classes[next++];
    }
  }
  float difference =
      LargestDifference(all_logits, std::span(data.logits).first(count * kNumClasses));
  std::printf(
      "batch %3zu: %zu of %zu held-out digits, same class as JAX: %zu, largest logit "
      "difference: %.1e\n",
      batch, right, count, equal, difference);
  return equal == count && difference <= kLogitTolerance;
}

StatusOr<bool> Train(const Data& data, size_t steps) {
  TFRT_ASSIGN_OR_RETURN(EagerNetwork network, EagerNetwork::Create(InitialWeights()));
  Tensor images = Images(data, 0, kTrainBatch);
  auto truth = std::span(data.labels).first(kTrainBatch);
  Tensor labels = Tensor::FromSpan({kTrainBatch}, truth);
  std::vector<Tensor> losses;
  for (size_t i = 0; i < steps; ++i) losses.push_back(network.TrainStep(images, labels));
  std::vector<float> numbers;
  std::printf("losses of %zu training steps:", steps);
  for (const Tensor& loss : losses) {
    TFRT_ASSIGN_OR_RETURN(float number, loss.Item<float>());
    numbers.push_back(number);
    std::printf(" %.4f", number);
  }
  float difference = LargestDifference(numbers, std::span(data.losses).first(steps));
  std::printf("\nlargest loss difference: %.1e\n", difference);
  return difference <= kLossTolerance;
}

// A product of matrices that do not fit, and an op that needs the result. The error of both names
// the line of the product.
bool MakeMistake() {
  Tensor logits = Tensor::FromArray(HostArray({1, 3}, {0.5f, 2.0f, 1.0f}));
  auto here = std::source_location::current();
  Tensor product = MatMul(logits, logits);  // the next line
  std::string message = Softmax(product).ToString();
  std::printf("a mistake: %s\n", message.c_str());
  return message.find(StrCat(here.file_name(), ":", here.line() + 1, ": tf.MatMul: ")) !=
         std::string::npos;
}

StatusOr<bool> Run(int argc, char** argv) {
  TFRT_ASSIGN_OR_RETURN(Options options, ParseOptions(argc, argv));
  TFRT_ASSIGN_OR_RETURN(Data data, ReadData(options.data, TFRT_DIGITS_DATA));
  TFRT_ASSIGN_OR_RETURN(auto context, Context::Create({.work_queue = options.work_queue_type,
                                                       .devices = {options.device},
                                                       .register_devices = RegisterDevices}));
  Scope scope(*context, {.mode = options.mode, .device = options.device});
  TFRT_ASSIGN_OR_RETURN(EagerNetwork network, EagerNetwork::Create(data.weights));
  bool matches = true;
  for (size_t batch : {size_t{1}, size_t{64}, kNumImages}) {
    TFRT_ASSIGN_OR_RETURN(bool same, Classify(network, data, options.images, batch));
    matches = matches && same;
    if (batch >= options.images) break;
  }
  TFRT_ASSIGN_OR_RETURN(bool same_losses, Train(data, options.steps));
  return MakeMistake() && same_losses && matches;
}

}  // namespace
}  // namespace lenet

int main(int argc, char** argv) {
  tfrt::StatusOr<bool> matches = lenet::Run(argc, argv);
  if (!matches.ok()) {
    std::fprintf(stderr, "eager_lenet: %s\n", std::string(matches.status().message()).c_str());
    return 1;
  }
  return *matches ? 0 : 1;
}
