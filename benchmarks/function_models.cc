// function_models: a network of examples/eager_models as a traced function: what its first call
// costs, and its calls beside those op by op and beside the same network as an imported model, in
// turns. Loads the compiler from TFRT_MODULE_PATH.
//
//   function_models lenet|resnet50|bert [--imported=MODEL.bef] [--rounds=N]
//
// The weights differ from the model's, the shapes do not.

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model.h"  // of examples/eager_models
#include "paired.h"
#include "tfrt/eager/context.h"
#include "tfrt/function/function.h"
#include "tfrt/model/model.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::bench {
namespace {

using eager::HostArray;
using eager::Tensor;

struct Options {
  std::string name, imported;
  int rounds = 31;
};

StatusOr<Options> ParseOptions(std::span<char*> arguments) {
  Options options;
  for (std::string_view argument : arguments) {
    constexpr std::string_view kImported = "--imported=", kRounds = "--rounds=";
    if (argument.starts_with(kImported)) {
      options.imported = argument.substr(kImported.size());
    } else if (argument.starts_with(kRounds)) {
      argument.remove_prefix(kRounds.size());
      const auto [end, error] =
          std::from_chars(argument.data(), argument.data() + argument.size(), options.rounds);
      if (error != std::errc() || *end != 0 || options.rounds < 1) {
        return InvalidArgumentError(StrCat("--rounds=", argument, " is no number of rounds"));
      }
    } else if (options.name.empty() && !argument.starts_with("-")) {
      options.name = argument;
    } else {
      return InvalidArgumentError(StrCat("unknown argument ", argument));
    }
  }
  if (options.name.empty()) return InvalidArgumentError("no network is named");
  return options;
}

// Small numbers, which are tokens and masks as well.
Tensor InputOf(const ModelValue& value) {
  std::vector<int64_t> dims;
  size_t count = 1;
  for (const auto& dim : *value.dims) {
    dims.push_back(std::max<int64_t>(1, dim.size));
    count *= static_cast<size_t>(dims.back());
  }
  auto numbers = [&]<typename T>(T step) {
    std::vector<T> elements(count);
    for (size_t i = 0; i < count; ++i) elements[i] = step * static_cast<T>(i % 2);
    return Tensor::FromArray(HostArray(dims, elements));
  };
  return value.dtype == DType::kF32 ? numbers(0.5f) : numbers(int64_t{1});
}

struct Imported {
  std::vector<Tensor> tensors;
  std::vector<const DenseHostTensor*> inputs;
  std::optional<Session> session;
};

Status OpenImported(const std::string& path, HostContext* host, Imported* imported) {
  TFRT_ASSIGN_OR_RETURN(Model model, Model::Open(path, host));
  for (const ModelValue& value : model.inputs()) {
    imported->tensors.push_back(InputOf(value));
    TFRT_ASSIGN_OR_RETURN(const DenseHostTensor* elements,
                          imported->tensors.back().HostElements(Location()));
    imported->inputs.push_back(elements);
  }
  TFRT_ASSIGN_OR_RETURN(imported->session, Session::Create(model));
  return imported->session->RunInOrder(imported->inputs).status();
}

double Milliseconds(uint64_t ns) { return static_cast<double>(ns) / 1e6; }

Status Run(const Options& options) {
  TFRT_ASSIGN_OR_RETURN(auto context, eager::Context::Create({.work_queue = "s"}));
  eager::Scope scope(*context);
  TFRT_ASSIGN_OR_RETURN(auto model, eager_models::MakeModel(options.name, 1));
  std::vector<Tensor> inputs;
  for (const HostArray& array : model->Inputs()) inputs.push_back(Tensor::FromArray(array));
  function::Function traced(options.name,
                            [&](std::vector<Tensor> given) { return model->Forward(given); });
  const auto begin = std::chrono::steady_clock::now();
  TFRT_RETURN_IF_ERROR(traced(inputs).status());
  const std::chrono::duration<double, std::milli> first = std::chrono::steady_clock::now() - begin;
  const auto statistics = traced.statistics();
  std::printf("%s: first call %.1f ms: %.2f ms traced, %.1f ms compiled\n", options.name.c_str(),
              first.count(), Milliseconds(statistics.trace_ns),
              Milliseconds(statistics.compile_ns));
  std::vector<std::function<void()>> ways = {[&] { (void)traced(inputs); },
                                             [&] { (void)model->Forward(inputs); }};
  Imported imported;
  if (!options.imported.empty()) {
    TFRT_RETURN_IF_ERROR(OpenImported(options.imported, context->host(), &imported));
    ways.push_back([&] { (void)imported.session->RunInOrder(imported.inputs); });
  }
  const Paired times = MeasurePaired(ways, options.rounds, 2e-2);
  constexpr std::array<const char*, 3> kNames = {"traced", "op by op", "imported"};
  for (size_t i = 0; i < ways.size(); ++i) {
    std::printf("%s: %-9s %9.4f ms, over traced %.3f\n", options.name.c_str(), kNames[i],
                times.seconds[i] * 1e3, times.over_first[i]);
  }
  return OkStatus();
}

}  // namespace
}  // namespace tfrt::bench

int main(int argc, char** argv) {
  auto options = tfrt::bench::ParseOptions(std::span(argv, argc).subspan(1));
  tfrt::Status status = options.ok() ? tfrt::bench::Run(*options) : options.status();
  if (status.ok()) return 0;
  std::fprintf(stderr, "function_models: %s\n", std::string(status.message()).c_str());
  return 1;
}
