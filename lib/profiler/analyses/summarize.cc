#include "summarize.h"

#include <algorithm>
#include <map>
#include <utility>

#include "matching.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

std::vector<Identity> IdentitiesOf(const std::vector<LayerRun>& layers) {
  std::vector<Identity> identities;
  for (const LayerRun& layer : layers) identities.push_back({layer.id, layer.name});
  return identities;
}
std::vector<Identity> IdentitiesOf(const std::vector<KernelRun>& kernels) {
  std::vector<Identity> identities;
  for (const KernelRun& kernel : kernels) {
    identities.push_back({static_cast<int64_t>(identities.size()), kernel.name});
  }
  return identities;
}

size_t CountKernels(const ModelRun& run) {
  size_t count = run.loose_kernels.size();
  for (const LayerRun& layer : run.layers) count += layer.kernels.size();
  return count;
}

// Collects the values of one kernel over all runs.
struct KernelSamples {
  const KernelRun* reference = nullptr;
  std::vector<double> latency;
  // The first of each pair is of runs at level kernel, the other of runs with counters.
  std::vector<double> occupancy, counted_occupancy;
  std::vector<const Work*> work, counted_work;
};

// Collects the values of one layer over all runs.
struct LayerSamples {
  const LayerRun* reference = nullptr;
  std::vector<double> latency, allocated, peak, kernel_level, kernels, covered, spill;
  std::vector<const Work*> work;
  std::vector<KernelSamples> parts;
};

// Takes the work of the best source. If runs disagree, each number is the middle one.
Work MiddleOf(const std::vector<const Work*>& all) {
  Work result;
  for (const Work* work : all) result.source = std::max(result.source, work->source);
  std::vector<double> flops, read, written;
  for (const Work* work : all) {
    if (work->source != result.source) continue;
    flops.push_back(work->flops);
    read.push_back(work->bytes_read);
    written.push_back(work->bytes_written);
  }
  result.flops = Median(flops);
  result.bytes_read = Median(read);
  result.bytes_written = Median(written);
  return result;
}

// Sums up kernels: latencies come apart.
KernelTotal TotalOf(std::span<const KernelSummary* const> kernels) {
  KernelTotal total;
  total.count = kernels.size();
  double weight = 0, weighted = 0;
  for (const KernelSummary* kernel : kernels) {
    total.is_device |= kernel->is_device;
    total.work += kernel->work;
    if (!kernel->occupancy) continue;
    weight += kernel->latency_ns.value();
    weighted += kernel->latency_ns.value() * *kernel->occupancy;
  }
  if (weight > 0) total.occupancy = weighted / weight;
  return total;
}

// When any of some kernels ran, and the latencies of those that do not say when.
struct Ran {
  explicit Ran(std::span<const KernelRun* const> kernels) {
    std::vector<Interval> intervals;
    for (const KernelRun* kernel : kernels) {
      const auto of_kernel = kernel->intervals.intervals();
      intervals.insert(intervals.end(), of_kernel.begin(), of_kernel.end());
      if (of_kernel.empty()) untimed_ns += kernel->latency_ns;
    }
    times = IntervalSet(std::move(intervals));
  }
  IntervalSet times;
  double untimed_ns = 0;
};

class Summarizer {
 public:
  explicit Summarizer(const std::vector<const ModelRun*>& runs) : runs_(runs) {
    const ModelRun& first = *runs.front();
    subject_.system = first.system;
    subject_.model = first.model;
    subject_.batch = first.batch;
    for (const ModelRun* run : runs) {
      ++subject_.num_runs[static_cast<size_t>(run->level)];
      if (subject_.machine == RunMachine()) subject_.machine = run->machine;
      if (!run->machine.processor.empty() && run->machine.processor != subject_.machine.processor) {
        Doubt(StrCat("runs of different processors: '", subject_.machine.processor, "' and '",
                     run->machine.processor, "'"));
      }
      for (const std::string& doubt : run->doubts) Doubt(doubt);
    }
  }

  Subject Summarize() {
    ChooseLevels();
    AddModel();
    CollectLayers();
    CollectKernels();
    MakeLayers();
    MakeTotals();
    AddCounts();
    return std::move(subject_);
  }

 private:
  void Doubt(std::string text) {
    if (std::ranges::find(subject_.doubts, text) == subject_.doubts.end()) {
      subject_.doubts.push_back(std::move(text));
    }
  }

  bool HasRuns(Level level) const { return subject_.num_runs[static_cast<size_t>(level)] > 0; }

  std::optional<Level> Choose(Level own, std::string_view what) {
    for (Level level : {own, Level::kLayer, Level::kKernel}) {
      if (level < own || !HasRuns(level)) continue;
      if (level != own) {
        Doubt(StrCat("no run at level ", LevelName(own), ": the ", what, " is from ",
                     subject_.SourceText(level), ", with what recording that costs"));
      }
      return level;
    }
    return std::nullopt;
  }

  void ChooseLevels() {
    subject_.model_level = Choose(Level::kModel, "model's latency");
    subject_.layer_level = Choose(Level::kLayer, "layers' latency");
    subject_.kernel_level = Choose(Level::kKernel, "kernels' latency");
    if (!subject_.model_level) {
      Doubt(
          "only runs with counters: their latencies mean nothing; record runs at level model, "
          "layer and kernel, too");
    }
  }

  void AddModel() {
    std::array<std::vector<double>, kNumLevels> latencies;
    for (const ModelRun* run : runs_) {
      latencies[static_cast<size_t>(run->level)].push_back(run->latency_ns);
    }
    for (size_t i = 0; i < kNumLevels; ++i) {
      subject_.latency_by_level[i] = Measurement(std::move(latencies[i]));
    }
    if (subject_.model_level) {
      subject_.latency_ns = subject_.latency_by_level[static_cast<size_t>(*subject_.model_level)];
    }
  }

  // The layers are those of the run that has most of them, of the level that times them; without
  // one, of any run.
  void CollectLayers() {
    const ModelRun* reference = nullptr;
    for (const ModelRun* run : runs_) {
      if (subject_.layer_level && run->level != *subject_.layer_level) continue;
      if (!reference || run->layers.size() > reference->layers.size()) reference = run;
    }
    if (!reference) return;
    for (const LayerRun& layer : reference->layers) layers_.push_back({.reference = &layer});
    const std::vector<Identity> identities = IdentitiesOf(reference->layers);
    for (const ModelRun* run : runs_) {
      if (run->layers.empty()) continue;
      Matching matching = Match(identities, IdentitiesOf(run->layers));
      if (matching.is_by_name) {
        Doubt(StrCat("runs have ", identities.size(), " and ", run->layers.size(),
                     " layers, or other ones: matched by name"));
      }
      AddLayerSamples(*run, matching);
      layers_of_[run] = std::move(matching.reference_of);
    }
  }

  void AddLayerSamples(const ModelRun& run, const Matching& matching) {
    size_t num_unknown = 0;
    for (size_t i = 0; i < run.layers.size(); ++i) {
      if (matching.reference_of[i] == kNoMatch) {
        ++num_unknown;
        continue;
      }
      LayerSamples& samples = layers_[matching.reference_of[i]];
      const LayerRun& layer = run.layers[i];
      if (layer.work.is_known()) samples.work.push_back(&layer.work);
      if (run.level == subject_.layer_level) {
        samples.latency.push_back(layer.latency_ns);
        if (layer.allocated_bytes) samples.allocated.push_back(*layer.allocated_bytes);
        if (layer.peak_bytes) samples.peak.push_back(*layer.peak_bytes);
      }
      if (run.level == subject_.kernel_level) {
        const Cover cover = CoverOf(layer);
        samples.kernel_level.push_back(layer.latency_ns);
        samples.covered.push_back(cover.inside_ns);
        samples.spill.push_back(cover.outside_ns);
        std::vector<const KernelRun*> kernels;
        for (const KernelRun& kernel : layer.kernels) kernels.push_back(&kernel);
        samples.kernels.push_back(LatencyOf(kernels));
      }
    }
    if (num_unknown > 0) {
      Doubt(StrCat(num_unknown, " layers of a run at level ", LevelName(run.level),
                   " are not in the others: left out"));
    }
  }

  // As with layers: those of the run with most of them.
  void CollectKernels() {
    const ModelRun* reference = nullptr;
    for (const ModelRun* run : runs_) {
      if (run->level != (subject_.kernel_level ? *subject_.kernel_level : Level::kMetrics)) {
        continue;
      }
      if (!reference || CountKernels(*run) > CountKernels(*reference)) reference = run;
    }
    if (!reference) return;
    loose_.resize(reference->loose_kernels.size());
    for (size_t i = 0; i < loose_.size(); ++i) loose_[i].reference = &reference->loose_kernels[i];
    loose_identities_ = IdentitiesOf(reference->loose_kernels);
    for (size_t i = 0; i < reference->layers.size(); ++i) {
      const size_t at = layers_of_[reference][i];
      if (at == kNoMatch) continue;
      for (const KernelRun& kernel : reference->layers[i].kernels) {
        layers_[at].parts.push_back({.reference = &kernel});
      }
      kernel_identities_[at] = IdentitiesOf(reference->layers[i].kernels);
    }
    for (const ModelRun* run : runs_) {
      if (run->level == Level::kModel || run->level == Level::kLayer) continue;
      AddKernelSamples(*run, run->loose_kernels, loose_identities_, &loose_);
      for (size_t i = 0; i < run->layers.size(); ++i) {
        const size_t at = layers_of_[run][i];
        if (at == kNoMatch) continue;
        AddKernelSamples(*run, run->layers[i].kernels, kernel_identities_[at], &layers_[at].parts);
      }
    }
  }

  void AddKernelSamples(const ModelRun& run, const std::vector<KernelRun>& kernels,
                        const std::vector<Identity>& identities,
                        std::vector<KernelSamples>* samples) {
    const Matching matching = Match(identities, IdentitiesOf(kernels));
    if (matching.is_by_name) {
      Doubt("the kernels of a layer are not the same ones in all runs: matched by name");
    }
    for (size_t i = 0; i < kernels.size(); ++i) {
      if (matching.reference_of[i] == kNoMatch) continue;
      KernelSamples& sample = (*samples)[matching.reference_of[i]];
      const bool is_counted = run.level == Level::kMetrics;
      if (kernels[i].work.is_known()) {
        (is_counted ? sample.counted_work : sample.work).push_back(&kernels[i].work);
      }
      if (kernels[i].occupancy) {
        (is_counted ? sample.counted_occupancy : sample.occupancy).push_back(*kernels[i].occupancy);
      }
      if (run.level == subject_.kernel_level) sample.latency.push_back(kernels[i].latency_ns);
    }
  }

  KernelSummary MakeKernel(KernelSamples& samples, size_t layer, size_t ordinal) const {
    KernelSummary kernel;
    kernel.name = samples.reference->name;
    kernel.layer = layer;
    kernel.ordinal = ordinal;
    kernel.is_device = samples.reference->is_device;
    kernel.latency_ns = Measurement(std::move(samples.latency));
    // The runs with counters know best, but for what is made of times.
    kernel.work = MiddleOf(samples.counted_work.empty() ? samples.work : samples.counted_work);
    const bool by_counter =
        samples.occupancy.empty() || (kernel.is_device && !samples.counted_occupancy.empty());
    const std::vector<double>& occupancy =
        by_counter ? samples.counted_occupancy : samples.occupancy;
    if (!occupancy.empty()) kernel.occupancy = TrimmedMeanOf(occupancy).mean;
    return kernel;
  }

  void MakeLayers() {
    for (size_t i = 0; i < layers_.size(); ++i) {
      LayerSamples& samples = layers_[i];
      LayerSummary& layer = subject_.layers.emplace_back();
      layer.index = i;
      layer.name = samples.reference->name;
      layer.op = samples.reference->op;
      layer.shape = samples.reference->shape;
      layer.latency_ns = Measurement(std::move(samples.latency));
      layer.allocated_bytes = Measurement(std::move(samples.allocated));
      layer.peak_bytes = Measurement(std::move(samples.peak));
      layer.kernel_level_ns = Measurement(std::move(samples.kernel_level));
      layer.covered_ns = Measurement(std::move(samples.covered));
      layer.spill_ns = Measurement(std::move(samples.spill));
      layer.work = MiddleOf(samples.work);
      const size_t begin = subject_.kernels.size();
      for (size_t k = 0; k < samples.parts.size(); ++k) {
        subject_.kernels.push_back(MakeKernel(samples.parts[k], i, k));
      }
      std::vector<const KernelSummary*> kernels;
      for (size_t k = begin; k < subject_.kernels.size(); ++k) {
        kernels.push_back(&subject_.kernels[k]);
      }
      layer.kernels = TotalOf(kernels);
      layer.kernels.latency_ns = Measurement(std::move(samples.kernels));
      if (layer.kernels.work.source == Work::Source::kCounter || !layer.work.is_known()) {
        layer.work = layer.kernels.work;
      }
      subject_.work += layer.work;
    }
    for (size_t k = 0; k < loose_.size(); ++k) {
      subject_.kernels.push_back(MakeKernel(loose_[k], kNoLayer, k));
      subject_.work += subject_.kernels.back().work;
    }
  }

  void MakeTotals() {
    std::vector<const KernelSummary*> all;
    std::map<std::string, std::vector<const KernelSummary*>> by_name;
    for (const KernelSummary& kernel : subject_.kernels) {
      all.push_back(&kernel);
      by_name[kernel.name].push_back(&kernel);
    }
    subject_.all_kernels = TotalOf(all);
    // Per run, as what runs at the same time counts once.
    std::vector<double> of_all;
    std::map<std::string, std::vector<double>> of_names;
    for (const ModelRun* run : runs_) {
      if (run->level != subject_.kernel_level) continue;
      std::map<std::string, std::vector<const KernelRun*>> kernels;
      std::vector<const KernelRun*> all_of_run;
      auto add = [&](const KernelRun& kernel) {
        kernels[kernel.name].push_back(&kernel);
        all_of_run.push_back(&kernel);
      };
      for (const LayerRun& layer : run->layers) std::ranges::for_each(layer.kernels, add);
      std::ranges::for_each(run->loose_kernels, add);
      of_all.push_back(LatencyOf(all_of_run));
      for (const auto& [name, of_name] : kernels) of_names[name].push_back(LatencyOf(of_name));
    }
    subject_.all_kernels.latency_ns = Measurement(std::move(of_all));
    if (subject_.model_level == Level::kModel && subject_.kernel_level == Level::kKernel &&
        subject_.all_kernels.latency_ns.value() > 1.02 * subject_.latency_ns.value()) {
      Doubt(
          "kernels ran for longer at level kernel than the model took at level model: these runs "
          "were slower, by recording or by what else the machine did; shares exceed 100 %");
    }
    for (const auto& [name, kernels] : by_name) {
      KernelTotal& total = subject_.by_name.emplace_back(TotalOf(kernels));
      total.name = name;
      total.latency_ns = Measurement(std::move(of_names[name]));
    }
    std::ranges::stable_sort(subject_.by_name, [](const KernelTotal& a, const KernelTotal& b) {
      return a.latency_ns.value() > b.latency_ns.value();
    });
  }

  void AddCounts() {
    std::map<std::string, KernelCounts> by_name;
    for (const ModelRun* run : runs_) {
      if (run->counts.empty()) continue;
      ++subject_.num_counted_runs;
      for (const KernelCounts& kernel : run->counts) by_name[kernel.name] += kernel;
      for (const std::string& doubt : run->count_doubts) {
        if (std::ranges::find(subject_.count_doubts, doubt) == subject_.count_doubts.end()) {
          subject_.count_doubts.push_back(doubt);
        }
      }
    }
    for (auto& [name, kernel] : by_name) {
      kernel.name = name;
      subject_.counts.push_back(std::move(kernel));
    }
  }

  const std::vector<const ModelRun*>& runs_;
  Subject subject_;
  std::vector<LayerSamples> layers_;
  std::map<const ModelRun*, std::vector<size_t>> layers_of_;  // of each run, which of layers_
  std::vector<KernelSamples> loose_;
  std::vector<Identity> loose_identities_;
  std::map<size_t, std::vector<Identity>> kernel_identities_;  // by layer
};

}  // namespace

double LatencyOf(std::span<const KernelRun* const> kernels) {
  const Ran ran(kernels);
  return ran.untimed_ns + static_cast<double>(ran.times.length());
}

Cover CoverOf(const LayerRun& layer) {
  std::vector<const KernelRun*> kernels;
  for (const KernelRun& kernel : layer.kernels) kernels.push_back(&kernel);
  const auto [ran, latency] = Ran(kernels);  // what has no intervals: as far as there is room
  const IntervalSet window({layer.window});
  const double inside = static_cast<double>(Intersection(ran, window).length());
  const double outside = static_cast<double>(Difference(ran, window).length());
  const double fits = std::clamp(layer.latency_ns - inside, 0.0, latency);
  return {.inside_ns = inside + fits, .outside_ns = outside + (latency - fits)};
}

Subject Summarize(const std::vector<const ModelRun*>& runs) { return Summarizer(runs).Summarize(); }

}  // namespace tfrt::profiler
