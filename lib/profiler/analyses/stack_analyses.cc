#include "stack_analyses.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "tables.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

using enum Level;

constexpr std::array<StackAnalysis, 23> kAnalyses = {{
    {1, "batches", "Latency and throughput by batch", kModel, &AnalyzeBatches},
    {2, "layers", "Layers", kLayer, &AnalyzeLayers},
    {3, "layer-latency", "Latency by layer", kLayer, &AnalyzeLayerLatency},
    {4, "layer-memory", "Allocated memory by layer", kLayer, &AnalyzeLayerMemory},
    {5, "layer-types", "Types of layers", kLayer, &AnalyzeLayerTypes},
    {6, "latency-by-type", "Latency by type of layer", kLayer, &AnalyzeLatencyByType},
    {7, "memory-by-type", "Allocated memory by type of layer", kLayer, &AnalyzeMemoryByType},
    {8, "kernels", "Kernels", kKernel, &AnalyzeKernels},
    {9, "kernel-roofline", "Roofline of the kernels", kKernel, &AnalyzeKernelRoofline},
    {10, "kernels-by-name", "Kernels by name", kKernel, &AnalyzeKernelsByName},
    {11, "kernels-by-layer", "Kernels by layer", kKernel, &AnalyzeKernelsByLayer},
    {12, "layer-work", "Operations and memory traffic by layer", kLayer, &AnalyzeLayerWork},
    {13, "kernel-share", "Kernels' part of each layer", kKernel, &AnalyzeKernelShare},
    {14, "layer-roofline", "Roofline of the layers", kKernel, &AnalyzeLayerRoofline},
    {15, "models", "Models as a whole, by batch", kKernel, &AnalyzeModels},
    {16, "convolutions", "Latency in convolutions", kLayer, &AnalyzeConvolutions},
    {17, "speed-up", "Throughput by batch and model", kModel, &AnalyzeSpeedUp},
    {18, "stages", "Beginning, middle and end", kLayer, &AnalyzeStages},
    {19, "systems", "Systems beside each other", kModel, &CompareSystems},
    {20, "model-roofline", "Models under one roof", kKernel, &AnalyzeModelRoofline},
    {21, "overview", "Models, batches and systems", kModel, &AnalyzeOverview},
    {22, "recording", "What recording costs", kModel, &AnalyzeRecording},
    {23, "kernel-counters", "Counters of kernels", kMetrics, &AnalyzeKernelCounters},
}};

}  // namespace

std::span<const StackAnalysis> StackAnalyses() { return kAnalyses; }

const StackAnalysis* FindStackAnalysis(int number) {
  auto found = std::ranges::find(kAnalyses, number, &StackAnalysis::number);
  return found == kAnalyses.end() ? nullptr : &*found;
}

bool IsConvolution(std::string_view op) {
  std::string lower(op);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const size_t at = lower.find("conv");
  return at != std::string::npos && lower.compare(at, 5, "conve") != 0;  // converted
}

std::vector<Chart::Roof> RoofsFor(const Subject& subject, const AnalysisOptions& options) {
  if (!options.roofs.empty()) return options.roofs;
  const RunMachine& machine = subject.machine;
  if (machine.peak_flops <= 0 || machine.peak_bandwidth <= 0) return {};
  // A program that computes with fewer threads reaches their part of the arithmetic; of the
  // bandwidth one thread may take all.
  const bool is_part = machine.num_threads > 0 && machine.num_threads < machine.peak_threads;
  const double part = is_part ? machine.num_threads / machine.peak_threads : 1;
  std::string how = machine.peak_source.empty() ? "" : StrCat(", ", machine.peak_source);
  if (is_part) {
    how += StrCat(", ", FixedText(machine.num_threads, 0), " of ",
                  FixedText(machine.peak_threads, 0), " threads");
  }
  std::vector<Chart::Roof> roofs;
  for (const auto& [name, peak] :
       {std::pair("f32", machine.peak_flops), std::pair("f64", machine.peak_flops_f64),
        std::pair("int8", machine.peak_ops_int8)}) {
    if (peak <= 0) continue;
    roofs.push_back({.name = name + how,
                     .peak = peak * part * 1e-9,
                     .bandwidth = machine.peak_bandwidth * 1e-9});
  }
  return roofs;
}

}  // namespace tfrt::profiler
