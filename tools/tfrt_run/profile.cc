#include "profile.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>

#include "bench.h"
#include "tfrt/bef/bef_reader.h"
#include "tfrt/executor/bef_file.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tracing/session.h"

namespace tfrt {
namespace {

using tracing::Span;
using tracing::Trace;

// A kernel of the model's function.
struct Layer {
  std::string name;  // of its node; empty: it has none
  std::string kernel;
  std::string result;  // "f32 [1,64,112,112]"; empty: not known
  double flops = 0;    // of one run
  double time = 0;     // milliseconds, of all runs
};

// The names in a location, the outermost first, which is the node's; those of the file and its op
// type ("model.onnx: Conv") lie below. Of a fused location all nodes.
void AddNodeNames(const bef::BefView::LocationNode& location, std::string* names) {
  if (location.kind == bef::LocationKind::kFused) {
    for (const auto& part : location.children) AddNodeNames(part, names);
    return;
  }
  if (location.kind == bef::LocationKind::kCallSite && !location.children.empty()) {
    return AddNodeNames(location.children[0], names);
  }
  if (location.kind != bef::LocationKind::kName) return;
  const bool has_node_name =
      !location.children.empty() && location.children[0].kind == bef::LocationKind::kName;
  std::string name(location.text);
  // A node without a name is called by its op type.
  if (!has_node_name) {
    size_t colon = name.rfind(": ");
    if (colon != name.npos) name = "(" + name.substr(colon + 2) + ")";
  }
  if (!names->empty()) *names += " + ";
  *names += name;
}

std::vector<Layer> LayersOf(const Model& model, std::string_view function) {
  const bef::BefView& view = model.file().view();
  std::vector<Layer> layers;
  for (uint32_t f = 0; f < view.functions().size(); ++f) {
    if (view.functions()[f].name != function) continue;
    auto body = view.DecodeFunction(f);
    if (!body.ok()) continue;
    layers.clear();
    for (const bef::DecodedKernel& kernel : body->kernels()) {
      Layer& layer = layers.emplace_back();
      layer.kernel = view.kernel_names()[kernel.kernel_id()];
      AddNodeNames(view.ReadLocation(kernel.location()), &layer.name);
    }
  }
  return layers;
}

// Adds what the trace says of the kernels of the runs of `function`.
void AddTimes(const Trace& trace, std::string_view function, std::vector<Layer>* layers) {
  std::map<uint64_t, bool> runs;  // by id
  std::map<uint64_t, Layer*> kernels;
  for (const Span* span : trace.OfType("function")) runs[span->id] = span->name == function;
  for (const Span* span : trace.OfType("kernel")) {
    auto run = runs.find(span->parent_id);
    const auto number = static_cast<size_t>(span->Integer("number"));
    if (run == runs.end() || !run->second || number >= layers->size()) continue;
    Layer& layer = (*layers)[number];
    kernels[span->id] = &layer;
    const int64_t end = std::max(span->end_ns, span->ready_ns);
    layer.time += static_cast<double>(end - span->begin_ns) / 1e6;
  }
  for (const Span* span : trace.OfType("graph.call")) {
    auto kernel = kernels.find(span->parent_id);
    if (kernel == kernels.end()) continue;
    kernel->second->flops = span->Real("flops");
    kernel->second->result = span->Text("result");
  }
}

std::string Cut(const std::string& text, size_t width) {
  return text.size() <= width ? text : "..." + text.substr(text.size() - (width - 3));
}

void Print(const std::vector<Layer>& layers, size_t num_runs, double run_time) {
  double sum = 0;
  for (const Layer& layer : layers) sum += layer.time;
  std::printf("%-44s %-24s %-24s %9s %8s %7s\n", "layer", "kernel", "result", "ms", "GFLOP/s",
              "share");
  for (const Layer& layer : layers) {
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

Status Profile(Session& session, std::span<const DenseHostTensor* const> inputs,
               const CommandLine& line) {
  const std::string function = ModelOptions().function;
  std::vector<Layer> layers = LayersOf(session.model(), function);
  TFRT_RETURN_IF_ERROR(session.RunInOrder(inputs).status());
  TFRT_ASSIGN_OR_RETURN(auto records,
                        tracing::Session::Start({.max_level = tracing::StackLevel::kKernel,
                                                 .queue_events = false,
                                                 .buffer_bytes = size_t{256} << 20}));
  TFRT_ASSIGN_OR_RETURN(std::vector<double> times, TimeRuns(session, inputs, line));
  records->Stop();
  Trace trace = records->Read();
  if (trace.num_dropped > 0) {
    return ResourceExhaustedError(
        StrCat(trace.num_dropped, " records found no room: say --runs=N with a smaller number"));
  }
  AddTimes(trace, function, &layers);
  double run_time = 0;
  for (double time : times) run_time += time;
  Print(layers, times.size(), run_time / static_cast<double>(times.size()));
  return OkStatus();
}

}  // namespace tfrt
