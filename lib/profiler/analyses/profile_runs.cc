// Runs of a profile, with their layers and kernels.
#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "experiment.h"
#include "kernel_counters.h"
#include "owners.h"
#include "tfrt/profiler/profile_properties.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

// A number of either kind.
std::optional<double> Number(const Profile& profile, const Event& event,
                             std::string_view argument) {
  for (const EventType::Argument& spec : profile.TypeOf(event).arguments) {
    if (spec.name != argument) continue;
    if (spec.type == ArgumentType::kInteger) {
      return static_cast<double>(profile.Integer(event, argument));
    }
    if (spec.type == ArgumentType::kReal) return profile.Real(event, argument);
  }
  return std::nullopt;
}

// Sums over what may have any sign or be no number, in a file: that counts as 0.
double Amount(std::optional<double> number) {
  return number && *number > 0 && *number < 1e30 ? *number : 0;
}

Work WorkOf(const Profile& profile, const Event& event, Work::Source source) {
  const auto flops = Number(profile, event, "flops");
  const auto read = Number(profile, event, "bytes_read");
  const auto written = Number(profile, event, "bytes_written");
  if (!flops && !read && !written) return {};
  return {.flops = Amount(flops),
          .bytes_read = Amount(read),
          .bytes_written = Amount(written),
          .source = source};
}

// A kernel and all that is known to have run for it.
struct KernelParts {
  uint32_t event = kNoEvent;
  std::vector<std::pair<uint32_t, Interval>> on_tracks;  // its scope and blocks
  Work formula;
  bool has_inner = false;  // a kernel or device activity is inside of it
};

struct LayerParts {
  std::vector<uint32_t> kernels;  // in KernelParts
  Work formula;
  std::string_view shape, called_op;
  double allocated = 0;
  std::map<uint32_t, double> peaks;  // by allocator
};

class ProfileReader {
 public:
  explicit ProfileReader(const Profile& profile) : profile_(profile), owners_(FindOwners(profile)) {
    if (owners_.runs.empty() && !profile.events().empty()) whole_profile_ = true;
    CollectKernels();
    CollectParts();
  }

  std::vector<ModelRun> Read(std::vector<std::string>* doubts) {
    std::unordered_map<uint32_t, size_t> run_index;
    std::vector<ModelRun> runs;
    const size_t num_runs = whole_profile_ ? 1 : owners_.runs.size();
    for (size_t i = 0; i < num_runs; ++i) {
      if (!whole_profile_) run_index[owners_.runs[i]] = i;
      runs.push_back(MakeRun(i));
    }
    auto run_of = [&](uint32_t event) -> ModelRun* {
      if (whole_profile_) return &runs[0];
      auto found = run_index.find(owners_.run_of[event]);
      return found == run_index.end() ? nullptr : &runs[found->second];
    };
    AddLayers(run_of);
    AddLooseKernels(run_of);
    AddCounts(run_of);
    for (ModelRun& run : runs) Finish(&run);
    CountDoubts(doubts);
    return runs;
  }

 private:
  const Event& At(uint32_t event) const { return profile_.events()[event]; }

  // The end of a kernel of a graph is when its results are there; of others that is not its work.
  Interval KernelWindow(uint32_t event) const {
    const Event& kernel = At(event);
    if (profile_.TypeOf(kernel).name == "graph.kernel") return WindowOf(kernel);
    return {kernel.begin_ns, kernel.end_ns};
  }

  void CollectKernels() {
    std::vector<bool> is_kernel(profile_.events().size());
    for (uint32_t i = 0; i < is_kernel.size(); ++i) {
      is_kernel[i] = IsKernelType(profile_.TypeOf(At(i)));
      if (!is_kernel[i]) continue;
      kernel_index_[i] = static_cast<uint32_t>(kernels_.size());
      kernels_.push_back({.event = i});
      has_kernels_ = true;
    }
    kernel_of_ = MembersAround(profile_, is_kernel, /*innermost=*/true);
    for (KernelParts& kernel : kernels_) {
      const uint32_t parent = At(kernel.event).parent;
      if (parent != kNoEvent) MarkOuter(kernel_of_[parent]);
      if (uint32_t launch = owners_.launch_of[kernel.event]; launch != kNoEvent) {
        MarkOuter(kernel_of_[launch]);
      }
    }
  }
  void MarkOuter(uint32_t outer) {
    for (; outer != kNoEvent; outer = kernel_of_[At(outer).parent]) {
      KernelParts& kernel = kernels_[kernel_index_[outer]];
      if (kernel.has_inner) return;
      kernel.has_inner = true;
      if (At(outer).parent == kNoEvent) return;
    }
  }

  void CollectParts() {
    for (uint32_t i = 0; i < profile_.events().size(); ++i) {
      const Event& event = At(i);
      const EventType& type = profile_.TypeOf(event);
      const uint32_t kernel = kernel_of_[i];
      if (type.name == "parallel_for.block") {
        if (kernel == kNoEvent) {
          ++num_loose_blocks_;
        } else {
          kernels_[kernel_index_[kernel]].on_tracks.emplace_back(
              event.track, Interval{event.begin_ns, event.end_ns});
        }
      } else if (type.name == "graph.call") {
        AddCall(i);
      } else if (type.kind == RecordKind::kAllocation) {
        AddAllocation(i);
      }
    }
    for (uint32_t i = 0; i < kernels_.size(); ++i) {
      const uint32_t layer = owners_.layer_of[kernels_[i].event];
      if (!kernels_[i].has_inner && layer != kNoEvent) layers_[layer].kernels.push_back(i);
    }
  }

  void AddCall(uint32_t i) {
    const Work work = WorkOf(profile_, At(i), Work::Source::kFormula);
    if (uint32_t kernel = kernel_of_[i]; kernel != kNoEvent) {
      kernels_[kernel_index_[kernel]].formula += work;
    }
    if (owners_.layer_of[i] == kNoEvent) return;
    LayerParts& layer = layers_[owners_.layer_of[i]];
    layer.formula += work;
    if (layer.called_op.empty()) layer.called_op = profile_.NameOf(At(i));
    if (layer.shape.empty()) layer.shape = profile_.Text(At(i), "result");
  }

  void AddAllocation(uint32_t i) {
    const auto bytes = Number(profile_, At(i), "bytes");
    if (!bytes) return;
    has_allocations_ = true;
    // Events come by time. Memory that was in use when the profile began is unknown.
    const bool is_free = profile_.TypeOf(At(i)).name == "memory.free";
    double& in_use = in_use_[At(i).name];
    in_use = is_free ? std::max(0.0, in_use - Amount(bytes)) : in_use + Amount(bytes);
    if (const auto told = Number(profile_, At(i), "in_use")) in_use = Amount(told);
    if (is_free || owners_.layer_of[i] == kNoEvent) return;
    LayerParts& layer = layers_[owners_.layer_of[i]];
    layer.allocated += Amount(bytes);
    double& peak = layer.peaks[At(i).name];
    peak = std::max(peak, in_use);
  }

  ModelRun MakeRun(size_t index) const {
    ModelRun run;
    const Event* event = whole_profile_ ? nullptr : &At(owners_.runs[index]);
    run.system = SystemName();
    run.model = profile_.Property(property::kModel);
    if (run.model.empty() && event) run.model = profile_.NameOf(*event);
    // A batch size given by the user takes precedence over one derived from a model's shapes.
    const double told = Amount(profile_.NumberProperty(property::kBatch, 0));
    const double batch =
        told > 0 || !event ? told : std::max(1.0, Amount(Number(profile_, *event, "batch")));
    if (batch >= 1 && batch < 1e15) run.batch = static_cast<int64_t>(batch);
    run.level = DeepestLevel();
    const double first = profile_.NumberProperty(property::kRepetition, 0);
    run.repetition =
        (first > 0 && first < 1e15 ? static_cast<int64_t>(first) : 0) + static_cast<int64_t>(index);
    const Interval window = RunWindow(index);
    run.latency_ns = static_cast<double>(window.length());
    run.machine = {.processor = std::string(profile_.Property(property::kProcessor)),
                   .peak_flops = Amount(profile_.NumberProperty(property::kPeakFlops, 0)),
                   .peak_bandwidth = Amount(profile_.NumberProperty(property::kPeakBandwidth, 0)),
                   .peak_source = std::string(profile_.Property(property::kPeakSource)),
                   .peak_flops_f64 = Amount(profile_.NumberProperty(property::kPeakFlopsF64, 0)),
                   .peak_ops_int8 = Amount(profile_.NumberProperty(property::kPeakOpsInt8, 0)),
                   .peak_flops_bf16 = Amount(profile_.NumberProperty(property::kPeakFlopsBf16, 0)),
                   .peak_threads = Amount(profile_.NumberProperty(property::kPeakThreads, 0)),
                   .num_threads = Amount(profile_.NumberProperty(property::kNumThreads, 0))};
    if (profile_.Property(property::kLevel).empty()) {
      run.doubts.push_back(
          StrCat("the profile does not say with which level it was recorded: taken as '",
                 LevelName(run.level), "' from what it holds"));
    }
    return run;
  }

  Interval RunWindow(size_t index) const {
    if (!whole_profile_) return WindowOf(At(owners_.runs[index]));
    Interval window = {profile_.events().front().begin_ns, profile_.events().front().begin_ns};
    for (const Event& event : profile_.events()) {
      window.end = std::max(window.end, WindowOf(event).end);
    }
    return window;
  }

  std::string SystemName() const {
    std::string name(profile_.Property(property::kProducer));
    for (std::string_view key : {property::kTarget, property::kMode}) {
      std::string_view value = profile_.Property(key);
      if (!value.empty()) name += StrCat(name.empty() ? "" : ", ", value);
    }
    return name.empty() ? "unknown system" : name;
  }

  Level DeepestLevel() const {
    if (auto level = ParseLevel(profile_.Property(property::kLevel)); level.ok()) return *level;
    if (has_kernels_) return Level::kKernel;
    return owners_.layers.empty() ? Level::kModel : Level::kLayer;
  }

  int64_t RunBegin(uint32_t event) const {
    return whole_profile_ ? profile_.events().front().begin_ns : At(owners_.run_of[event]).begin_ns;
  }

  void AddLayers(auto&& run_of) {
    // By what is the same however events are numbered.
    std::ranges::sort(owners_.layers, {}, [&](uint32_t layer) {
      const Event& event = At(layer);
      return std::tuple(event.begin_ns, -event.end_ns, profile_.Integer(event, "number"),
                        profile_.NameOf(event), layer);
    });
    for (uint32_t layer : owners_.layers) {
      if (ModelRun* run = run_of(layer)) {
        run->layers.push_back(MakeLayer(layer, run->layers.size()));
      } else {
        ++num_loose_layers_;
      }
    }
  }

  LayerRun MakeLayer(uint32_t layer, size_t index) {
    const Event& event = At(layer);
    LayerParts& parts = layers_[layer];
    LayerRun run;
    const bool is_numbered = profile_.HasArgument(event, "number");
    run.id = is_numbered ? profile_.Integer(event, "number") : static_cast<int64_t>(index);
    run.name = profile_.NameOf(event);
    run.op = profile_.Text(event, "op");
    if (run.op.empty()) run.op = parts.called_op.empty() ? run.name : parts.called_op;
    run.shape = parts.shape;
    Interval window = owners_.layers_are_kernels ? KernelWindow(layer) : WindowOf(event);
    run.latency_ns = static_cast<double>(window.length());
    const int64_t begin = RunBegin(layer);
    run.window = {window.begin - begin, window.end - begin};
    run.work = parts.formula;
    if (has_allocations_) {
      run.allocated_bytes = parts.allocated;
      run.peak_bytes = 0;
      for (const auto& [allocator, peak] : parts.peaks) *run.peak_bytes += peak;
    }
    SortKernels(&parts.kernels);
    for (uint32_t kernel : parts.kernels)
      run.kernels.push_back(MakeKernel(kernels_[kernel], begin));
    // One kernel does what its layer does.
    if (run.kernels.size() == 1 && !run.kernels[0].work.is_known()) run.kernels[0].work = run.work;
    return run;
  }

  void SortKernels(std::vector<uint32_t>* kernels) const {
    std::ranges::sort(*kernels, {}, [&](uint32_t kernel) {
      const Event& event = At(kernels_[kernel].event);
      return std::tuple(event.begin_ns, -event.end_ns, profile_.NameOf(event), kernel);
    });
  }

  KernelRun MakeKernel(const KernelParts& parts, int64_t run_begin) const {
    const Event& event = At(parts.event);
    KernelRun run;
    run.name = profile_.NameOf(event);
    run.is_device = profile_.TypeOf(event).level == StackLevel::kDevice;
    std::vector<Interval> all = {KernelWindow(parts.event)};
    for (const auto& [track, interval] : parts.on_tracks) all.push_back(interval);
    for (Interval& interval : all) {
      interval.begin -= run_begin;
      interval.end -= run_begin;
    }
    run.intervals = IntervalSet(std::move(all));
    run.latency_ns = static_cast<double>(run.intervals.length());
    run.work = WorkOf(profile_, event, Work::Source::kCounter);
    if (!run.work.is_known()) run.work = parts.formula;
    run.occupancy = Number(profile_, event, "occupancy");
    if (!run.occupancy && !run.is_device) run.occupancy = BusyShare(parts, run.latency_ns);
    if (run.occupancy && !(*run.occupancy >= 0 && *run.occupancy <= 1)) run.occupancy.reset();
    return run;
  }

  // Threads at work over those of the pool.
  std::optional<double> BusyShare(const KernelParts& parts, double latency_ns) const {
    double threads = profile_.NumberProperty(property::kNumThreads, 0);
    if (!(threads >= 1)) threads = profile_.NumberProperty(property::kNumProcessors, 0);
    if (!(threads >= 1) || latency_ns <= 0) return std::nullopt;
    std::map<uint32_t, std::vector<Interval>> by_track;
    const Event& event = At(parts.event);
    by_track[event.track].push_back({event.begin_ns, event.end_ns});
    for (const auto& [track, interval] : parts.on_tracks) by_track[track].push_back(interval);
    double busy = 0;
    for (auto& [track, intervals] : by_track) {
      busy += static_cast<double>(IntervalSet(std::move(intervals)).length());
    }
    // The thread that waits for a kernel may be none of the pool's.
    return std::min(1.0, busy / (latency_ns * threads));
  }

  void AddLooseKernels(auto&& run_of) {
    std::vector<uint32_t> loose;
    for (uint32_t i = 0; i < kernels_.size(); ++i) {
      const uint32_t event = kernels_[i].event;
      if (kernels_[i].has_inner) continue;
      const Placing placing = owners_.placing[event];
      if (placing == Placing::kTime) ++num_by_time_;
      if (owners_.layer_of[event] != kNoEvent) continue;
      loose.push_back(i);
    }
    SortKernels(&loose);
    for (uint32_t i : loose) {
      const uint32_t event = kernels_[i].event;
      ModelRun* run = run_of(event);
      if (!run) {
        ++num_outside_;
        continue;
      }
      run->loose_kernels.push_back(MakeKernel(kernels_[i], RunBegin(event)));
      ++(owners_.placing[event] == Placing::kAmbiguous ? num_ambiguous_ : num_loose_)[run];
    }
  }

  // Adds the counts of kernels, with everything inside of them, and those of blocks to the kernel
  // that they belong to.
  void AddCounts(auto&& run_of) {
    std::map<std::pair<ModelRun*, std::string_view>, KernelCounts> totals;
    uint64_t num_loose = 0;
    for (const CountedScope& scope : FindCountedScopes(profile_)) {
      const uint32_t kernel = kernel_of_[scope.event];
      ModelRun* run = kernel == kNoEvent ? nullptr : run_of(kernel);
      if (!run) {
        ++num_loose;
        continue;
      }
      totals[{run, profile_.NameOf(At(kernel))}] +=
          {.name = {}, .num_calls = kernel == scope.event ? 1u : 0u, .counts = scope.counts};
    }
    for (auto& [key, total] : totals) {
      total.name = key.second;
      key.first->counts.push_back(std::move(total));
    }
    for (const auto& [key, total] : totals) AddCountDoubts(num_loose, key.first);
  }
  void AddCountDoubts(uint64_t num_loose, ModelRun* run) const {
    if (!run->count_doubts.empty()) return;
    for (const Problem& problem : profile_.problems()) {
      if (problem.text.starts_with(kCountersProblem)) run->count_doubts.push_back(problem.text);
    }
    if (num_loose > 0) {
      run->count_doubts.push_back(
          StrCat(num_loose, " counted scopes are of no kernel of a run: left out"));
    }
  }

  void Finish(ModelRun* run) {
    if (uint64_t count = num_ambiguous_[run]) {
      run->doubts.push_back(StrCat(count,
                                   " kernels lie in the time of several layers: in the sums of "
                                   "none of them; record with launches one after the other"));
    }
    if (uint64_t count = num_loose_[run]; count > 0 && !run->layers.empty()) {
      run->doubts.push_back(StrCat(count, " kernels are inside of no layer: left out of its sums"));
    }
  }

  void CountDoubts(std::vector<std::string>* doubts) const {
    auto count = [&](uint64_t number, std::string_view text) {
      if (number > 0) doubts->push_back(StrCat(number, text));
    };
    count(num_by_time_, " kernels have no parent: their layers are known by time alone");
    count(num_outside_, " kernels are inside of no run: left out");
    count(num_loose_layers_, " layers are inside of no run: left out");
    count(num_loose_blocks_, " blocks of loops are inside of no kernel: left out");
    count(owners_.num_inner_layers, " layers are inside of other layers and count with these");
    for (const Problem& problem : profile_.problems()) doubts->push_back(problem.text);
  }

  const Profile& profile_;
  Owners owners_;
  std::map<uint32_t, double> in_use_;  // bytes, by allocator, at the event that is looked at
  bool whole_profile_ = false, has_kernels_ = false, has_allocations_ = false;
  std::vector<KernelParts> kernels_;
  std::unordered_map<uint32_t, uint32_t> kernel_index_;  // by event
  std::vector<uint32_t> kernel_of_;                      // of each event, the innermost around it
  std::unordered_map<uint32_t, LayerParts> layers_;      // by event
  std::map<const ModelRun*, uint64_t> num_ambiguous_, num_loose_;
  uint64_t num_by_time_ = 0, num_outside_ = 0, num_loose_layers_ = 0, num_loose_blocks_ = 0;
};

// A file can hold times whose differences no 64 bits hold.
bool HasSaneTimes(const Profile& profile) {
  constexpr int64_t kMost = int64_t{1} << 60;  // 36 years either way
  return std::ranges::all_of(profile.events(), [](const Event& event) {
    return event.begin_ns > -kMost && event.end_ns < kMost && event.ready_ns > -kMost &&
           event.ready_ns < kMost;
  });
}

}  // namespace

void ExperimentBuilder::AddProfile(const Profile& profile) {
  if (!HasSaneTimes(profile)) {
    doubts_.emplace_back("a profile is left out: it has times further than 36 years from its zero");
    return;
  }
  std::vector<std::string> doubts;
  for (ModelRun& run : ProfileReader(profile).Read(&doubts)) runs_.push_back(std::move(run));
  for (std::string& doubt : doubts) {
    if (std::ranges::find(doubts_, doubt) == doubts_.end()) doubts_.push_back(std::move(doubt));
  }
}

}  // namespace tfrt::profiler
