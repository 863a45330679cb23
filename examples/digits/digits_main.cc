#include "digits_main.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tfrt/support/str_cat.h"

namespace digits {
namespace {

using tfrt::StatusOr;

constexpr float kLogitTolerance = 1e-5f;

struct Options {
  std::string bef;
  std::string data = TFRT_DIGITS_DATA;
  std::string work_queue_type = "mstd";
};

// Draws the images side by side, two characters a pixel, the answers below.
void Draw(const HeldOut& data, const Answers& answers, const std::vector<size_t>& images) {
  constexpr const char* kGreys[] = {"  ", "░░", "▒▒", "▓▓", "██"};
  for (size_t y = 0; y < kSide; ++y) {
    for (size_t image : images) {
      for (size_t x = 0; x < kSide; ++x) {
        size_t grey = data.images[image * kPixels + y * kSide + x];
        std::fputs(kGreys[std::min<size_t>((grey + 3) / 4, 4)], stdout);
      }
      std::fputs("   ", stdout);
    }
    std::fputs("\n", stdout);
  }
  for (size_t image : images) {
    int answer = answers.classes[image];
    int truth = data.labels[image];
    std::printf("says %d, is %d%-7s", answer, truth, answer == truth ? "" : "  (!)");
  }
  std::fputs("\n\n", stdout);
}

// Shows four digits it got right and four it got wrong, then the numbers. Returns whether they
// match scikit-learn's.
bool Report(const HeldOut& data, const Answers& answers) {
  std::vector<size_t> right;
  std::vector<size_t> wrong;
  size_t equal = 0;
  for (size_t i = 0; i < kNumImages; ++i) {
    (answers.classes[i] == data.labels[i] ? right : wrong).push_back(i);
    equal += answers.classes[i] == data.classes[i];
  }
  constexpr size_t kPerRow = 4;
  for (const std::vector<size_t>& group : {right, wrong}) {
    Draw(data, answers, {group.begin(), group.begin() + std::min(kPerRow, group.size())});
  }
  float difference = 0;
  for (size_t i = 0; i < data.logits.size(); ++i) {
    float d = std::abs(answers.logits[i] - data.logits[i]);
    difference = std::max(difference, std::isnan(d) ? INFINITY : d);
  }
  std::printf("accuracy: %zu of %zu held-out digits (%.1f %%)\n", right.size(), kNumImages,
              100.0 * right.size() / kNumImages);
  std::printf("same class as scikit-learn: %zu of %zu\n", equal, kNumImages);
  std::printf("largest logit difference: %.1e (tolerance %.0e)\n", difference, kLogitTolerance);
  return equal == kNumImages && difference <= kLogitTolerance;
}

StatusOr<Options> ParseOptions(int argc, char** argv, const Program& program) {
  Options options;
  options.bef = program.bef;
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

StatusOr<bool> Run(int argc, char** argv, const Program& program) {
  TFRT_ASSIGN_OR_RETURN(Options options, ParseOptions(argc, argv, program));
  TFRT_ASSIGN_OR_RETURN(HeldOut data, ReadHeldOut(options.data));
  TFRT_ASSIGN_OR_RETURN(tfrt::BefImage bef, tfrt::BefImage::FromFile(options.bef));
  TFRT_ASSIGN_OR_RETURN(Answers answers, Classify(std::move(bef), data.images,
                                                  options.work_queue_type, program.prepare_host));
  return Report(data, answers);
}

}  // namespace

int Main(int argc, char** argv, const Program& program) {
  StatusOr<bool> matches = Run(argc, argv, program);
  if (!matches.ok()) {
    std::fprintf(stderr, "%s: %s\n", program.name, std::string(matches.status().message()).c_str());
    return 1;
  }
  return *matches ? 0 : 1;
}

}  // namespace digits
