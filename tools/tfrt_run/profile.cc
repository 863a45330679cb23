#include "profile.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>

#include "bench.h"
#include "tfrt/profiler/profile_properties.h"
#include "tfrt/profiler/session.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tracing/session.h"

namespace tfrt {
namespace {

using tracing::Profile;
using tracing::Span;

// A kernel of the model's function.
struct Layer {
  std::string name;  // of its node; of a kernel that is no op, the kernel's
  std::string kernel;
  std::string result;  // "f32 [1,64,112,112]"; empty: not known
  double flops = 0;    // of one run
  double time = 0;     // milliseconds, of all runs
};

// Returns the profile's facts of the kernels of the runs of `function`, in program order.
std::map<int64_t, Layer> LayersOf(const Profile& profile, std::string_view function) {
  std::map<uint64_t, bool> runs;  // by id
  std::map<uint64_t, Layer*> calls;
  std::map<int64_t, Layer> layers;
  for (const Span* span : profile.OfType("function")) runs[span->id] = span->name == function;
  for (const Span& span : profile.spans) {
    const bool is_layer = span.type->name == "layer";
    if (!is_layer && span.type->name != "kernel") continue;
    auto run = runs.find(span.parent_id);
    if (run == runs.end() || !run->second) continue;
    Layer& layer = layers[span.Integer("number")];
    layer.name = span.name;
    layer.kernel = is_layer ? span.Text("op") : span.name;
    calls[span.id] = &layer;
    const int64_t end = std::max(span.end_ns, span.ready_ns);
    layer.time += static_cast<double>(end - span.begin_ns) / 1e6;
  }
  for (const Span* span : profile.OfType("graph.call")) {
    auto call = calls.find(span->parent_id);
    if (call == calls.end()) continue;
    call->second->flops = span->Real("flops");
    call->second->result = span->Text("result");
  }
  return layers;
}

std::string Cut(const std::string& text, size_t width) {
  return text.size() <= width ? text : "..." + text.substr(text.size() - (width - 3));
}

void Print(const std::map<int64_t, Layer>& layers, size_t num_runs, double run_time) {
  double sum = 0;
  for (const auto& [number, layer] : layers) sum += layer.time;
  std::printf("%-44s %-24s %-24s %9s %8s %7s\n", "layer", "kernel", "result", "ms", "GFLOP/s",
              "share");
  for (const auto& [number, layer] : layers) {
    const double time = layer.time / static_cast<double>(num_runs);
    std::printf("%-44s %-24s %-24s %9.4f ", Cut(layer.name, 44).c_str(), layer.kernel.c_str(),
                layer.result.empty() ? "-" : layer.result.c_str(), time);
    if (layer.flops > 0 && time > 0) {
      std::printf("%8.2f", layer.flops / time / 1e6);
    } else {
      std::printf("%8s", "-");
    }
    std::printf(" %6.2f%%\n", sum > 0 ? 100 * layer.time / sum : 0.0);
  }
  const double time = sum / static_cast<double>(num_runs);
  std::printf("%-44s %-24s %-24s %9.4f %8s %6.2f%%\n", "sum",
              StrCat(layers.size(), " kernels").c_str(), "", time, "", 100.0);
  std::printf("%-44s %-24s %-24s %9.4f\n", "run", StrCat(num_runs, " runs").c_str(), "", run_time);
}

}  // namespace

Status ProfileRuns(Session& session, std::span<const DenseHostTensor* const> inputs,
                   const CommandLine& line) {
  TFRT_RETURN_IF_ERROR(session.RunInOrder(inputs).status());
  TFRT_ASSIGN_OR_RETURN(auto records,
                        tracing::Session::Start({.max_level = tracing::StackLevel::kKernel,
                                                 .queue_events = false,
                                                 .buffer_bytes = size_t{256} << 20}));
  TFRT_ASSIGN_OR_RETURN(std::vector<double> times, TimeRuns(session, inputs, line));
  records->Stop();
  Profile profile = records->Read();
  if (profile.num_dropped > 0) {
    return ResourceExhaustedError(
        StrCat(profile.num_dropped, " records found no room: say --runs=N with a smaller number"));
  }
  double run_time = 0;
  for (double time : times) run_time += time;
  Print(LayersOf(profile, ModelOptions().function), times.size(),
        run_time / static_cast<double>(times.size()));
  return OkStatus();
}

Status RecordRuns(Session& session, std::span<const DenseHostTensor* const> inputs,
                  const CommandLine& line) {
  TFRT_ASSIGN_OR_RETURN(auto records, profiler::Session::StartFromFlags(line.record, line.level));
  if (!records) {
    TFRT_ASSIGN_OR_RETURN(records, profiler::Session::StartFromEnvironment());
    if (!records) return OkStatus();
  }
  records->SetProperty(profiler::property::kModel, session.model().name());
  records->SetProperty(profiler::property::kTarget, "cpu");
  records->SetProperty(profiler::property::kNumThreads, StrCat(line.num_threads));
  TFRT_RETURN_IF_ERROR(TimeRuns(session, inputs, line).status());
  return records->Stop();
}

}  // namespace tfrt
