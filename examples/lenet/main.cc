// Runs LeNet-5 on the held-out digits and takes ten steps of training, and compares with what JAX
// computed. Exit code 0: every class is equal, every logit within 1e-4 and every loss within 1e-5;
// 1: not so, or something failed.
//
//   lenet [--bef=FILE] [--data=FOLDER] [--work_queue_type=s|mstd:N]

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "lenet.h"
#include "tfrt/support/str_cat.h"

namespace lenet {
namespace {

using tfrt::StatusOr;

struct Options {
  std::string bef = TFRT_LENET_BEF;
  std::string data = TFRT_LENET_DATA;
  std::string work_queue_type = "mstd";
};

StatusOr<Options> ParseOptions(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    std::string_view argument = argv[i];
    auto take = [&](std::string_view flag, std::string* value) {
      if (!argument.starts_with(flag)) return false;
      *value = argument.substr(flag.size());
      return true;
    };
    if (!take("--bef=", &options.bef) && !take("--data=", &options.data) &&
        !take("--work_queue_type=", &options.work_queue_type)) {
      return tfrt::InvalidArgumentError(tfrt::StrCat("unknown argument ", argument));
    }
  }
  return options;
}

StatusOr<bool> Run(int argc, char** argv) {
  TFRT_ASSIGN_OR_RETURN(Options options, ParseOptions(argc, argv));
  TFRT_ASSIGN_OR_RETURN(Data data, ReadData(options.data, TFRT_DIGITS_DATA));

  TFRT_ASSIGN_OR_RETURN(auto program, tfrt::BefImage::FromFile(options.bef));
  TFRT_ASSIGN_OR_RETURN(auto network,
                        Network::Create(std::move(program), data.weights, options.work_queue_type));
  TFRT_ASSIGN_OR_RETURN(Answers answers, network->Classify(data.images));
  size_t right = 0;
  size_t equal = 0;
  for (size_t i = 0; i < kNumImages; ++i) {
    right += answers.classes[i] == data.labels[i];
    equal += answers.classes[i] == data.classes[i];
  }
  float logit_difference = LargestDifference(answers.logits, data.logits);
  std::printf("accuracy: %zu of %zu held-out digits (%.1f %%)\n", right, kNumImages,
              100.0 * static_cast<double>(right) / kNumImages);
  std::printf("same class as JAX: %zu of %zu\n", equal, kNumImages);
  std::printf("largest logit difference: %.1e (tolerance %.0e)\n", logit_difference,
              kLogitTolerance);

  TFRT_ASSIGN_OR_RETURN(program, tfrt::BefImage::FromFile(options.bef));
  TFRT_ASSIGN_OR_RETURN(
      network, Network::Create(std::move(program), InitialWeights(), options.work_queue_type));
  std::vector<float> losses;
  std::printf("losses of %zu training steps:", kTrainSteps);
  for (size_t i = 0; i < kTrainSteps; ++i) {
    TFRT_ASSIGN_OR_RETURN(float loss,
                          network->TrainStep(std::span(data.images).first(kTrainBatch * kPixels),
                                             std::span(data.labels).first(kTrainBatch)));
    losses.push_back(loss);
    std::printf(" %.4f", loss);
  }
  float loss_difference = LargestDifference(losses, data.losses);
  std::printf("\nlargest loss difference: %.1e (tolerance %.0e)\n", loss_difference,
              kLossTolerance);
  return equal == kNumImages && logit_difference <= kLogitTolerance &&
         loss_difference <= kLossTolerance;
}

}  // namespace
}  // namespace lenet

int main(int argc, char** argv) {
  tfrt::StatusOr<bool> matches = lenet::Run(argc, argv);
  if (!matches.ok()) {
    std::fprintf(stderr, "lenet: %s\n", std::string(matches.status().message()).c_str());
    return 1;
  }
  return *matches ? 0 : 1;
}
