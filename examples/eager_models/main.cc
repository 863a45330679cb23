// Runs a network op by op, a few steps, and says how long each took and what came out. With
// TFRT_RECORD in the environment, as `tfrt_prof record` sets it, it writes a profile of the steps.
//
//   eager_models --model lenet|resnet50|bert --batch N --mode sync|async-dataflow|async-fifo
//                [--steps N] [--threads N]
//
// A step is a scope of type `step`: arrays become tensors, ops run, the result is read. One step
// before the first one, at the same batch, warms up and is not recorded. Exit code 1 if a result is
// not finite, differs from step to step, or something failed.

#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>

#include "model.h"
#include "options.h"
#include "tfrt/eager/context.h"
#include "tfrt/profiler/profile_properties.h"
#include "tfrt/profiler/session.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tracing/record.h"

namespace eager_models {
namespace {

using tfrt::Status;
using tfrt::StatusOr;
using tfrt::StrCat;
using tfrt::eager::Context;
using tfrt::eager::Tensor;
using tfrt::profiler::Session;
namespace property = tfrt::profiler::property;

// What tfrt_prof takes for a step of an eager program.
constexpr tfrt::tracing::RecordType kStep = {.name = "step",
                                             .level = tfrt::tracing::StackLevel::kModel};

// Each element counts by its place.
double Checksum(std::span<const float> elements) {
  double sum = 0;
  for (size_t i = 0; i < elements.size(); ++i) {
    sum += static_cast<double>(elements[i]) * static_cast<double>(i % 97 + 1);
  }
  return sum;
}

// Its checksum.
StatusOr<double> RunStep(const Model& model, std::string_view name) {
  tfrt::tracing::RecordScope record(kStep, name);
  Tensor result = model.Step();
  TFRT_ASSIGN_OR_RETURN(std::span<const float> elements, result.Values<float>());
  return Checksum(elements);
}

StatusOr<std::unique_ptr<Session>> StartSession(const Options& options) {
  TFRT_ASSIGN_OR_RETURN(std::unique_ptr<Session> session, Session::StartFromEnvironment());
  if (!session) return session;
  session->SetProperty(property::kModel, options.model);
  session->SetProperty(property::kBatch, StrCat(options.batch));
  session->SetProperty(property::kMode, options.mode);
  session->SetProperty(property::kTarget, "cpu");
  session->SetProperty(property::kNumThreads, StrCat(options.num_threads));
  return session;
}

Status RunSteps(const Options& options, Context& context) {
  tfrt::eager::Scope scope(context, {.mode = options.execution_mode()});
  TFRT_ASSIGN_OR_RETURN(std::unique_ptr<Model> model, MakeModel(options.model, options.batch));
  TFRT_ASSIGN_OR_RETURN(const double expected, RunStep(*model, options.model));
  context.Wait();
  if (!std::isfinite(expected)) return tfrt::InternalError("the result is not finite");
  TFRT_ASSIGN_OR_RETURN(std::unique_ptr<Session> session, StartSession(options));
  for (int64_t i = 0; i < options.num_steps; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    TFRT_ASSIGN_OR_RETURN(const double checksum, RunStep(*model, options.model));
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    context.Wait();
    std::printf("step %lld: %.3f ms\n", static_cast<long long>(i + 1), time.count());
    if (checksum != expected) {
      return tfrt::InternalError(
          StrCat("step ", i + 1, " has the checksum ", checksum, ", the first one ", expected));
    }
  }
  if (session) TFRT_RETURN_IF_ERROR(session->Stop());
  std::printf("checksum: %.9g\n", expected);
  return tfrt::OkStatus();
}

Status Run(int argc, char** argv) {
  TFRT_ASSIGN_OR_RETURN(Options options, ParseOptions(argc, argv));
  if (options.num_threads == 0) options.num_threads = std::thread::hardware_concurrency();
  TFRT_ASSIGN_OR_RETURN(std::unique_ptr<Context> context,
                        Context::Create({.work_queue = StrCat("mstd:", options.num_threads),
                                         .order = options.execution_order()}));
  return RunSteps(options, *context);
}

}  // namespace
}  // namespace eager_models

int main(int argc, char** argv) {
  tfrt::Status status = eager_models::Run(argc, argv);
  if (status.ok()) return 0;
  std::fprintf(stderr, "eager_models: %s\n", std::string(status.message()).c_str());
  return 1;
}
