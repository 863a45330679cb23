// Names the types of files with Magika's network.
//
//   file_types --model=FILE --config=FILE --content_types=FILE [--expect=FILE] [FILE...]
//              [--work_queue_type=s|mstd:N]
//
// The model is a BEF file that tfrt_import made of Magika's; config.min.json and
// content_types_kb.min.json are of its package. The file of --expect has lines "PATH TYPE": its
// files are named first, and the exit code is 0 only if they get these types.

#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "file_features.h"
#include "labels.h"
#include "tfrt/core_runtime/graph_kernels.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/model/model.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_view.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace file_types {
namespace {

using tfrt::DenseHostTensor;
using tfrt::InvalidArgumentError;
using tfrt::StatusOr;
using tfrt::StrCat;

struct Options {
  std::string model;
  std::string config;
  std::string content_types;
  std::string expect;
  std::string work_queue_type = "mstd";
  std::vector<std::string> files;
};

StatusOr<Options> ParseOptions(int argc, char** argv) {
  Options options;
  for (std::string_view argument : std::vector<std::string_view>(argv + 1, argv + argc)) {
    auto take = [&](std::string_view flag, std::string* value) {
      if (!argument.starts_with(flag)) return false;
      *value = argument.substr(flag.size());
      return true;
    };
    if (take("--model=", &options.model) || take("--config=", &options.config) ||
        take("--content_types=", &options.content_types) || take("--expect=", &options.expect) ||
        take("--work_queue_type=", &options.work_queue_type)) {
      continue;
    }
    if (argument.starts_with("-")) {
      return InvalidArgumentError(StrCat("unknown argument ", argument));
    }
    options.files.emplace_back(argument);
  }
  for (const auto& [name, value] :
       {std::pair("--model", &options.model), std::pair("--config", &options.config),
        std::pair("--content_types", &options.content_types)}) {
    if (value->empty()) return InvalidArgumentError(StrCat("expected ", name));
  }
  return options;
}

struct Expectation {
  std::string file;
  std::string label;
};
StatusOr<std::vector<Expectation>> ReadExpectations(const std::string& path) {
  std::vector<Expectation> expectations;
  if (path.empty()) return expectations;
  std::ifstream file(path);
  if (!file) return tfrt::NotFoundError(StrCat("cannot open ", path));
  for (std::string line; std::getline(file, line);) {
    size_t space = line.rfind(' ');
    if (space == std::string::npos) {
      return InvalidArgumentError(StrCat(path, ": expected 'PATH TYPE', but got '", line, "'"));
    }
    expectations.push_back({line.substr(0, space), line.substr(space + 1)});
  }
  return expectations;
}

// Runs the network on all files at once: [files,tokens] to [files,types].
StatusOr<DenseHostTensor> RunNetwork(const std::string& path,
                                     const std::vector<std::vector<int32_t>>& features,
                                     size_t num_tokens, tfrt::HostContext& host) {
  TFRT_ASSIGN_OR_RETURN(tfrt::Model model, tfrt::Model::Open(path, &host));
  if (model.inputs().size() != 1 || model.outputs().size() != 1) {
    return InvalidArgumentError(StrCat(path, ": expected a model with one input and one output"));
  }
  TFRT_ASSIGN_OR_RETURN(
      auto tokens, DenseHostTensor::CreateUninitialized(
                       {tfrt::DType::kI32,
                        {static_cast<int64_t>(features.size()), static_cast<int64_t>(num_tokens)}},
                       host.allocator()));
  TFRT_ASSIGN_OR_RETURN(auto view, tfrt::MutableDenseView<int32_t>::Create(tokens, "the tokens"));
  int32_t* target = view.data();
  for (const std::vector<int32_t>& row : features)
    target = std::copy(row.begin(), row.end(), target);
  TFRT_ASSIGN_OR_RETURN(tfrt::Session session, tfrt::Session::Create(model));
  const DenseHostTensor* inputs[] = {&tokens};
  TFRT_ASSIGN_OR_RETURN(auto outputs, session.RunInOrder(inputs));
  return std::move(outputs[0]);
}

StatusOr<std::vector<Named>> NameFiles(const Options& options,
                                       const std::vector<std::string>& files,
                                       tfrt::HostContext& host) {
  TFRT_ASSIGN_OR_RETURN(Labels labels, Labels::Read(options.config, options.content_types));
  const FeatureSizes& sizes = labels.feature_sizes();
  std::vector<Named> names(files.size());
  std::vector<std::vector<int32_t>> features;
  std::vector<size_t> shown;  // which files these are of
  for (size_t i = 0; i < files.size(); ++i) {
    TFRT_ASSIGN_OR_RETURN(FileEnds ends, ReadEnds(files[i], sizes.block_size));
    std::vector<int32_t> tokens = ExtractFeatures(ends, sizes);
    if (tokens.empty()) {
      names[i] = Labels::NameSmall(ends);
    } else {
      features.push_back(std::move(tokens));
      shown.push_back(i);
    }
  }
  if (features.empty()) return names;
  TFRT_ASSIGN_OR_RETURN(
      DenseHostTensor result,
      RunNetwork(options.model, features, sizes.begin_size + sizes.end_size, host));
  TFRT_ASSIGN_OR_RETURN(auto scores, tfrt::DenseView<float>::Create(result, "the scores"));
  if (scores.size() != features.size() * labels.num_outputs()) {
    return InvalidArgumentError(StrCat("the network gives ", scores.size(), " scores for ",
                                       features.size(), " files and ", labels.num_outputs(),
                                       " types"));
  }
  for (size_t i = 0; i < shown.size(); ++i) {
    names[shown[i]] =
        labels.Name(scores.elements().subspan(i * labels.num_outputs(), labels.num_outputs()));
  }
  return names;
}

StatusOr<bool> Run(int argc, char** argv) {
  TFRT_ASSIGN_OR_RETURN(Options options, ParseOptions(argc, argv));
  TFRT_ASSIGN_OR_RETURN(auto expectations, ReadExpectations(options.expect));
  std::vector<std::string> files;
  for (const Expectation& expectation : expectations) files.push_back(expectation.file);
  files.insert(files.end(), options.files.begin(), options.files.end());
  TFRT_ASSIGN_OR_RETURN(auto queue, tfrt::CreateWorkQueue(options.work_queue_type));
  tfrt::HostContext host([](const tfrt::DecodedDiagnostic&) {}, tfrt::CreateMallocAllocator(),
                         std::move(queue));
  tfrt::RegisterGraphKernels(&host.kernel_registry());
  auto start = std::chrono::steady_clock::now();
  TFRT_ASSIGN_OR_RETURN(std::vector<Named> names, NameFiles(options, files, host));
  std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - start;
  bool right = true;
  for (size_t i = 0; i < files.size(); ++i) {
    bool other = i < expectations.size() && expectations[i].label != names[i].label;
    right = right && !other;
    std::printf("%-46s %-12s %.3f%s%s\n", files[i].c_str(), names[i].label.c_str(), names[i].score,
                other ? "  expected " : "", other ? expectations[i].label.c_str() : "");
  }
  std::printf("%zu files named in %.1f ms%s\n", files.size(), passed.count(),
              expectations.empty() ? ""
              : right              ? ", all as expected"
                                   : ", not all as expected");
  return right;
}

}  // namespace
}  // namespace file_types

int main(int argc, char** argv) {
  tfrt::StatusOr<bool> right = file_types::Run(argc, argv);
  if (!right.ok()) {
    std::fprintf(stderr, "file_types: %s\n", std::string(right.status().message()).c_str());
    return 1;
  }
  return *right ? 0 : 1;
}
