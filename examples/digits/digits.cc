// Recognises handwritten digits: a C++ program that embeds the runtime.
//
// It loads the compiled network (digits.bef), hands it the 450 held-out images as one tensor, draws some
// digits with the network's answer, and compares all answers with those that scikit-learn gave. Exit
// code 0: every class equal and every logit within 1e-5; 1: not so, or something failed.
//
//   digits [--bef=FILE] [--data=FOLDER] [--work_queue_type=s|mstd:N]

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "tfrt/executor/bef_file.h"
#include "tfrt/host_context/concurrent_work_queue.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/kernels/basic_kernels.h"
#include "tfrt/kernels/tensor_kernels.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_view.h"

namespace {

using tfrt::Status;
using tfrt::StatusOr;
using tfrt::StrCat;

constexpr size_t kNumImages = 450;
constexpr size_t kSide = 8;
constexpr size_t kPixels = kSide * kSide;
constexpr size_t kNumClasses = 10;
constexpr float kMaxGrey = 16;
constexpr float kLogitTolerance = 1e-5f;

struct Options {
  std::string bef = TFRT_DIGITS_BEF;
  std::string data = TFRT_DIGITS_DATA;
  std::string work_queue_type = "mstd";
};

// What train.py wrote next to the program.
struct HeldOut {
  std::vector<uint8_t> images;   // [450,8,8], 0 to 16
  std::vector<int32_t> labels;   // [450], the truth
  std::vector<int32_t> classes;  // [450], scikit-learn's answers
  std::vector<float> logits;     // [450,10], scikit-learn's
};

struct Answers {
  std::vector<int32_t> classes;
  std::vector<float> logits;
};

// Reads `count` little-endian values; the file must hold exactly those.
template <typename T>
StatusOr<std::vector<T>> ReadValues(const std::string& path, size_t count) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return tfrt::NotFoundError(StrCat("cannot open ", path));
  size_t size = static_cast<size_t>(file.tellg());
  if (size != count * sizeof(T)) {
    return tfrt::DataLossError(
        StrCat(path, " has ", size, " bytes, expected ", count * sizeof(T)));
  }
  std::vector<T> values(count);
  file.seekg(0);
  file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(size));
  if (!file) return tfrt::DataLossError(StrCat("cannot read ", path));
  return values;
}

StatusOr<HeldOut> ReadHeldOut(const std::string& folder) {
  HeldOut data;
  TFRT_ASSIGN_OR_RETURN(data.images,
                        ReadValues<uint8_t>(folder + "/images.u8", kNumImages * kPixels));
  TFRT_ASSIGN_OR_RETURN(data.labels, ReadValues<int32_t>(folder + "/labels.i32", kNumImages));
  TFRT_ASSIGN_OR_RETURN(data.classes, ReadValues<int32_t>(folder + "/classes.i32", kNumImages));
  TFRT_ASSIGN_OR_RETURN(data.logits,
                        ReadValues<float>(folder + "/logits.f32", kNumImages * kNumClasses));
  return data;
}

// f32 [450,64], 0 to 1.
StatusOr<tfrt::DenseHostTensor> MakeImageTensor(const std::vector<uint8_t>& images,
                                                tfrt::HostContext& host) {
  TFRT_ASSIGN_OR_RETURN(auto tensor, tfrt::DenseHostTensor::CreateUninitialized(
                                         {tfrt::DType::kF32, {kNumImages, kPixels}},
                                         host.allocator()));
  TFRT_ASSIGN_OR_RETURN(auto view, tfrt::MutableDenseView<float>::Create(tensor, "the images"));
  for (size_t i = 0; i < images.size(); ++i) view[i] = images[i] / kMaxGrey;
  return tensor;
}

// The elements of a result that must be a dense tensor of T with `count` elements.
template <typename T>
StatusOr<std::vector<T>> TakeResult(const tfrt::AsyncValue& result, std::string_view name,
                                    size_t count) {
  if (const Status* error = result.GetErrorIfPresent()) return *error;
  if (!result.IsType<tfrt::DenseHostTensor>()) {
    return tfrt::InternalError(StrCat(name, " are not a dense tensor"));
  }
  const auto& tensor = result.get<tfrt::DenseHostTensor>();
  TFRT_ASSIGN_OR_RETURN(auto view, tfrt::DenseView<T>::Create(tensor, name));
  if (view.size() != count) {
    return tfrt::InternalError(
        StrCat(name, " have ", view.size(), " elements, expected ", count));
  }
  return std::vector<T>(view.elements().begin(), view.elements().end());
}

// Loads the program and runs its function `classify` on all images.
StatusOr<Answers> Classify(const Options& options, const std::vector<uint8_t>& images) {
  TFRT_ASSIGN_OR_RETURN(auto queue, tfrt::CreateWorkQueue(options.work_queue_type));
  tfrt::HostContext host(
      [](const tfrt::DecodedDiagnostic& diagnostic) {
        std::fprintf(stderr, "%s\n", diagnostic.status.ToString().c_str());
      },
      tfrt::CreateMallocAllocator(), std::move(queue));
  tfrt::RegisterBasicKernels(&host.kernel_registry());
  tfrt::RegisterTensorKernels(&host.kernel_registry());

  TFRT_ASSIGN_OR_RETURN(auto image, tfrt::BefImage::FromFile(options.bef));
  TFRT_ASSIGN_OR_RETURN(auto file, tfrt::BefFile::Open(std::move(image), &host));
  TFRT_ASSIGN_OR_RETURN(const tfrt::Function* classify, file->FindFunction("classify"));

  TFRT_ASSIGN_OR_RETURN(auto tensor, MakeImageTensor(images, host));
  auto argument = tfrt::MakeAvailableAsyncValueRef<tfrt::DenseHostTensor>(std::move(tensor));
  tfrt::ExecutionContext exec_ctx(
      tfrt::RequestContextBuilder(&host, /*resource_context=*/nullptr).Build());
  tfrt::AsyncValue* arguments[] = {argument.GetAsyncValue()};
  tfrt::RCReference<tfrt::AsyncValue> results[2];
  classify->Execute(exec_ctx, arguments, results);
  if (!results[1]) return tfrt::InternalError("the function set no results");
  tfrt::AsyncValue* pending[] = {results[0].get(), results[1].get()};
  host.Await(pending);

  Answers answers;
  TFRT_ASSIGN_OR_RETURN(answers.logits, TakeResult<float>(*results[0], "the logits",
                                                          kNumImages * kNumClasses));
  TFRT_ASSIGN_OR_RETURN(answers.classes,
                        TakeResult<int32_t>(*results[1], "the classes", kNumImages));
  return answers;
}

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

// Shows four digits it got right and four it got wrong, then the numbers. Returns whether they match
// scikit-learn's.
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
      return tfrt::InvalidArgumentError(StrCat("unknown argument ", argument));
    }
  }
  return options;
}

StatusOr<bool> Run(int argc, char** argv) {
  TFRT_ASSIGN_OR_RETURN(Options options, ParseOptions(argc, argv));
  TFRT_ASSIGN_OR_RETURN(HeldOut data, ReadHeldOut(options.data));
  TFRT_ASSIGN_OR_RETURN(Answers answers, Classify(options, data.images));
  return Report(data, answers);
}

}  // namespace

int main(int argc, char** argv) {
  StatusOr<bool> matches = Run(argc, argv);
  if (!matches.ok()) {
    std::fprintf(stderr, "digits: %s\n", std::string(matches.status().message()).c_str());
    return 1;
  }
  return *matches ? 0 : 1;
}
