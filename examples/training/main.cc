// Trains a network by steps that are one traced function each: the loss, its gradients and the
// update of all parameters. Exit code 0, or 1 if something failed.
//
//   train_network [--network=lenet|transformer] [--steps=N] [--write=FOLDER]
//
// --write: what the steps begin with, for check_losses.py.

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "network.h"
#include "tfrt/eager/ops.h"
#include "tfrt/function/function.h"
#include "tfrt/function/gradients.h"
#include "tfrt/support/str_cat.h"

namespace training {
namespace {

using tfrt::Status;
using tfrt::StatusOr;
using tfrt::StrCat;
using tfrt::eager::Tensor;
using tfrt::eager::Variable;

struct Options {
  std::string network = "lenet";
  std::string steps = "20";
  std::string folder;
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
    if (!take("--network=", &options.network) && !take("--steps=", &options.steps) &&
        !take("--write=", &options.folder)) {
      return tfrt::InvalidArgumentError(StrCat("unknown argument ", argument));
    }
  }
  if (options.network != "lenet" && options.network != "transformer") {
    return tfrt::InvalidArgumentError(
        StrCat("the network is lenet or transformer, not ", options.network));
  }
  return options;
}

template <typename T>
Status Append(const Tensor& tensor, std::ofstream& file) {
  TFRT_ASSIGN_OR_RETURN(auto values, tensor.Values<T>());
  file.write(reinterpret_cast<const char*>(values.data()),
             static_cast<std::streamsize>(values.size() * sizeof(T)));
  if (file.good()) return tfrt::OkStatus();
  return tfrt::InternalError("the folder of --write cannot be written to");
}

Status WriteStart(const Network& network, size_t steps, const std::string& folder) {
  std::ofstream shapes(folder + "/parameters.txt"), elements(folder + "/parameters.f32"),
      inputs(folder + "/inputs.bin"), labels(folder + "/labels.i32");
  for (const Parameter& parameter : network.parameters) {
    shapes << parameter.name;
    for (int64_t dim : parameter.dims) shapes << " " << dim;
    shapes << "\n";
    TFRT_RETURN_IF_ERROR(Append<float>(parameter.value.Read(), elements));
  }
  for (size_t step = 0; step < steps; ++step) {
    const Tensor batch = network.inputs(step);
    TFRT_ASSIGN_OR_RETURN(const tfrt::DType dtype, batch.dtype());
    TFRT_RETURN_IF_ERROR(dtype == tfrt::DType::kF32 ? Append<float>(batch, inputs)
                                                    : Append<int32_t>(batch, inputs));
    TFRT_RETURN_IF_ERROR(Append<int32_t>(network.labels(step), labels));
  }
  return tfrt::OkStatus();
}

Status Train(const Network& network, size_t steps) {
  namespace fn = tfrt::function;
  std::vector<Variable> parameters, velocities;
  for (const Parameter& parameter : network.parameters) {
    parameters.push_back(parameter.value);
    velocities.emplace_back(ZerosLike(parameter.value, tfrt::DType::kF32));
  }
  auto gradient = fn::ValueAndGrad(
      "loss", [&](Tensor inputs, Tensor labels) { return network.loss(inputs, labels); },
      {.variables = parameters});
  fn::Function step("step", [&](Tensor inputs, Tensor labels) {
    auto [loss, gradients] = gradient(inputs, labels);
    for (size_t i = 0; i < parameters.size(); ++i) {
      Tensor change = gradients[i];
      if (network.momentum != 0) {
        change = velocities[i].Assign(velocities[i].Read() * network.momentum + change);
      }
      parameters[i].AssignSub(change * network.learning_rate);
    }
    return loss;
  });
  for (size_t i = 0; i < steps; ++i) {
    TFRT_ASSIGN_OR_RETURN(const float loss,
                          step(network.inputs(i), network.labels(i)).Item<float>());
    std::printf("%zu %.9g\n", i, loss);
  }
  const fn::FunctionStatistics statistics = step.statistics();
  std::printf("%llu calls of one program, traced in %.1f ms and compiled in %.1f ms\n",
              static_cast<unsigned long long>(statistics.calls),
              static_cast<double>(statistics.trace_ns) / 1e6,
              static_cast<double>(statistics.compile_ns) / 1e6);
  return tfrt::OkStatus();
}

Status Run(int argc, char** argv) {
  TFRT_ASSIGN_OR_RETURN(const Options options, ParseOptions(argc, argv));
  const auto steps = static_cast<size_t>(std::strtoul(options.steps.c_str(), nullptr, 10));
  TFRT_ASSIGN_OR_RETURN(auto context, tfrt::eager::Context::Create());
  tfrt::eager::Scope scope(*context);
  TFRT_ASSIGN_OR_RETURN(const Network network,
                        options.network == "lenet" ? MakeLeNet() : MakeTransformer());
  if (!options.folder.empty()) {
    TFRT_RETURN_IF_ERROR(WriteStart(network, steps, options.folder));
  }
  return Train(network, steps);
}

}  // namespace
}  // namespace training

int main(int argc, char** argv) {
  const tfrt::Status status = training::Run(argc, argv);
  if (status.ok()) return 0;
  std::fprintf(stderr, "train_network: %s\n", std::string(status.message()).c_str());
  return 1;
}
