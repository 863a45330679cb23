#include "analyses.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

#include "lib/base/support/decimal_text.h"
#include "lib/base/support/progress.h"
#include "lib/profiler/analyses/diff.h"
#include "lib/profiler/analyses/experiment.h"
#include "lib/profiler/analyses/stack_analyses.h"
#include "lib/profiler/report/timeline.h"
#include "tfrt/profiler/eager_metrics.h"
#include "tfrt/profiler/profile.h"
#include "tfrt/profiler/profile_properties.h"
#include "tfrt/profiler/read_profile.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEndings[] = {".pftrace", ".json", ".json.gz", ".db", ".xplane.pb"};

bool LooksLikeProfile(const fs::path& path) {
  const std::string name = path.filename().string();
  return std::ranges::any_of(kEndings, [&](std::string_view end) { return name.ends_with(end); });
}

// Loads one profile after the other, and releases each before the next: `use` may take it. A file
// that cannot be read is an error if its path is among `paths`. In a folder it is left out and
// added to `doubts`.
Status ForEachProfile(const std::vector<std::string>& paths, std::vector<std::string>* doubts,
                      const std::function<void(Profile&&, const std::string& path)>& use) {
  TFRT_ASSIGN_OR_RETURN(std::vector<std::string> files, FindProfiles(paths));
  Progress progress("tfrt_prof");
  progress.Begin("reading profiles");
  size_t num_read = 0;
  Status last_error;
  for (size_t i = 0; i < files.size(); ++i) {
    progress.Count(i, files.size());
    StatusOr<Profile> profile = LoadProfile(files[i]);
    if (profile.ok()) {
      use(*std::move(profile), files[i]);
      ++num_read;
      continue;
    }
    last_error = profile.status();
    if (std::ranges::find(paths, files[i]) != paths.end()) return last_error;
    doubts->push_back(StrCat("left out: ", last_error.message()));
  }
  return num_read > 0 ? OkStatus() : last_error;
}

AnalysisOptions OptionsOf(const CommandLine& line) {
  return {.system = line.system,
          .model = line.model,
          .batch = line.batch,
          .top = line.top,
          .latency_target_ms = line.latency_target_ms,
          .baseline = line.baseline};
}

// Describes the measurement and its machine: facts that all profiles have in common, and the number
// of profiles.
class Facts {
 public:
  void Add(const Profile& profile, const std::string& path) {
    ++num_profiles_;
    if (num_profiles_ == 1) first_path_ = path;
    for (const auto& [key, value] : profile.properties()) values_[key][value] += 1;
    for (const Problem& problem : profile.problems()) {
      problems_.push_back(StrCat(fs::path(path).filename().string(), ": ", problem.text));
    }
  }
  std::vector<std::string>* doubts() { return &problems_; }
  void WriteTo(Report* report) const {
    auto& properties = report->properties;
    properties.emplace_back("profiles",
                            num_profiles_ == 1 ? first_path_ : StrCat(num_profiles_, " files"));
    for (const auto& [key, by_value] : values_) {
      if (key == property::kWallClockOffsetNs || key == property::kRepetition) continue;
      properties.emplace_back(key, ValuesText(key, by_value));
    }
    report->doubts.insert(report->doubts.end(), problems_.begin(), problems_.end());
  }

 private:
  // Numbers by size, texts by letters.
  struct BySize {
    bool operator()(const std::string& a, const std::string& b) const {
      const auto digits = [](const std::string& text) {
        return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
      };
      if (digits(a) && digits(b) && a.size() != b.size()) return a.size() < b.size();
      return a < b;
    }
  };
  using Values = std::map<std::string, size_t, BySize>;

  static std::string ValuesText(std::string_view key, const Values& values) {
    const bool is_peak = key == property::kPeakFlops || key == property::kPeakBandwidth;
    if (is_peak) return PeakText(values, key == property::kPeakFlops ? "Gflop/s" : "GB/s");
    std::string text;
    size_t num_left = values.size();
    for (const auto& [value, count] : values) {
      if (text.size() > 200) return StrCat(text, " and ", num_left, " more");
      text += StrCat(text.empty() ? "" : ", ", value);
      --num_left;
    }
    return text;
  }

  // "222 Gflop/s", "208 to 222 Gflop/s" where it was measured several times.
  static std::string PeakText(const Values& values, std::string_view unit) {
    double lowest = HUGE_VAL, highest = 0;
    for (const auto& [value, count] : values) {
      double peak = 0;
      std::from_chars(value.data(), value.data() + value.size(), peak);
      peak *= 1e-9;
      if (!std::isfinite(peak)) continue;
      lowest = std::min(lowest, peak), highest = std::max(highest, peak);
    }
    const std::string from = ShortNumber(lowest), to = ShortNumber(highest);
    return from == to || highest == 0 ? StrCat(to, " ", unit) : StrCat(from, " to ", to, " ", unit);
  }
  static std::string ShortNumber(double number) {
    return number < 100 ? DecimalText(number, std::chars_format::general, 3)
                        : DecimalText(number, std::chars_format::fixed, 0);
  }

  size_t num_profiles_ = 0;
  std::string first_path_;
  std::map<std::string, Values> values_;
  std::vector<std::string> problems_;
};

bool HasType(const Profile& profile, std::string_view name) {
  const auto types = profile.types();
  for (const Event& event : profile.events()) {
    if (types[event.type].name == name) return true;
  }
  return false;
}

StatusOr<Report> MakeEagerReport(const CommandLine& line) {
  Report report{.title = "Eager execution"};
  Facts facts;
  std::vector<EagerRun> runs;
  std::string without;
  TFRT_RETURN_IF_ERROR(
      ForEachProfile(line.inputs, &report.doubts, [&](Profile&& profile, const std::string& path) {
        facts.Add(profile, path);
        if (HasType(profile, "eager.call")) {
          runs.push_back(ComputeEagerRun(profile));
        } else {
          without = path;
        }
      }));
  if (runs.empty()) {
    return InvalidArgumentError(
        StrCat("'", without, "' has no calls of eager ops: record a program that uses tfrt/eager"));
  }
  facts.WriteTo(&report);
  report.sections.push_back(EagerSection(runs));
  return report;
}

// Holds the parts of all profiles that analyses of models need.
struct Loaded {
  Facts facts;
  ExperimentBuilder builder;
};

Status Load(const std::vector<std::string>& paths, Loaded* loaded) {
  return ForEachProfile(paths, loaded->facts.doubts(),
                        [&](Profile&& profile, const std::string& path) {
                          loaded->facts.Add(profile, path);
                          loaded->builder.AddProfile(profile);
                        });
}

StatusOr<Report> MakeXspReport(const CommandLine& line) {
  std::vector<const StackAnalysis*> analyses;
  for (int number : line.analyses) {
    const StackAnalysis* analysis = FindStackAnalysis(number);
    if (!analysis) {
      return InvalidArgumentError(StrCat("there is no analysis ", number, ": there are 1 to ",
                                         StackAnalyses().back().number));
    }
    analyses.push_back(analysis);
  }
  if (analyses.empty()) {
    for (const StackAnalysis& analysis : StackAnalyses()) analyses.push_back(&analysis);
  }
  Loaded loaded;
  TFRT_RETURN_IF_ERROR(Load(line.inputs, &loaded));
  const Experiment experiment = loaded.builder.Build();
  Report report{.title = "Models across the stack"};
  loaded.facts.WriteTo(&report);
  for (const StackAnalysis* analysis : analyses) {
    report.sections.push_back(analysis->Run(experiment, OptionsOf(line)));
  }
  return report;
}

// The profile whose timeline tells most: of the deepest level, of these the one with most events.
class DeepestProfile {
 public:
  void Offer(Profile&& profile, const std::string& path) {
    const auto level = ParseLevel(profile.Property(property::kLevel));
    // Counters make programs slow, so their runs look like no others.
    const int depth = !level.ok() || *level == Level::kMetrics ? 0 : 1 + static_cast<int>(*level);
    const std::pair<int, size_t> rank(depth, profile.events().size());
    if (!path_.empty() && rank <= rank_) return;
    rank_ = rank;
    profile_ = std::move(profile);
    path_ = path;
  }
  Section Timeline(size_t num_profiles) const {
    Section section = TimelineSection(profile_);
    if (num_profiles > 1) {
      section.title =
          StrCat(section.title, ": ",
                 (fs::path(path_).parent_path().filename() / fs::path(path_).filename()).string());
      section.text += StrCat(section.text.empty() ? "" : " ", "Of ", num_profiles,
                             " profiles the deepest one with the most events.");
    }
    return section;
  }

 private:
  std::pair<int, size_t> rank_;
  Profile profile_;
  std::string path_;
};

StatusOr<Report> MakeFullReport(const CommandLine& line) {
  Report report{.title = "Where the time went"};
  Loaded loaded;
  std::vector<EagerRun> eager;
  bool has_runs = false;
  DeepestProfile deepest;
  size_t num_profiles = 0;
  TFRT_RETURN_IF_ERROR(
      ForEachProfile(line.inputs, &report.doubts, [&](Profile&& profile, const std::string& path) {
        loaded.facts.Add(profile, path);
        ++num_profiles;
        if (HasType(profile, "eager.call")) eager.push_back(ComputeEagerRun(profile));
        has_runs |= HasType(profile, "model.run") || HasType(profile, "layer");
        loaded.builder.AddProfile(profile);
        deepest.Offer(std::move(profile), path);
      }));
  loaded.facts.WriteTo(&report);
  const Experiment experiment = loaded.builder.Build();
  const AnalysisOptions options = OptionsOf(line);
  if (num_profiles > 1) report.sections.push_back(RunAnalysis("overview", experiment, options));
  report.sections.push_back(deepest.Timeline(num_profiles));
  if (!eager.empty()) report.sections.push_back(EagerSection(eager));
  if (has_runs || eager.empty()) {
    for (const StackAnalysis& analysis : StackAnalyses()) {
      if (analysis.id == "overview" && num_profiles > 1) continue;
      report.sections.push_back(analysis.Run(experiment, options));
    }
  }
  return report;
}

StatusOr<Report> MakeComparison(const CommandLine& line) {
  Loaded loaded;
  TFRT_RETURN_IF_ERROR(Load(line.inputs, &loaded));
  const Experiment experiment = loaded.builder.Build();
  Report report{.title = "Models, batches and systems"};
  loaded.facts.WriteTo(&report);
  const AnalysisOptions options = OptionsOf(line);
  report.sections.push_back(RunAnalysis("overview", experiment, options));
  report.sections.push_back(RunAnalysis("systems", experiment, options));
  report.sections.push_back(RunAnalysis("speed-up", experiment, options));
  report.sections.push_back(RunAnalysis("model-roofline", experiment, options));
  return report;
}

StatusOr<Report> MakeDiff(const CommandLine& line) {
  Loaded before, after;
  TFRT_RETURN_IF_ERROR(Load(line.before, &before));
  TFRT_RETURN_IF_ERROR(Load(line.inputs, &after));
  Report report{.title = StrCat("From ", line.before[0], " to ", line.inputs[0])};
  after.facts.WriteTo(&report);
  report.sections.push_back(DiffExperiments(before.builder.Build(), after.builder.Build(),
                                            {.top = std::max<size_t>(line.top, 20)}));
  return report;
}

}  // namespace

StatusOr<std::vector<std::string>> FindProfiles(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      if (!fs::exists(path, error)) return NotFoundError(StrCat("'", path, "' is not there"));
      files.push_back(path);
      continue;
    }
    const size_t num_before = files.size();
    for (fs::recursive_directory_iterator entry(path, error), end; !error && entry != end;
         entry.increment(error)) {
      if (LooksLikeProfile(entry->path())) files.push_back(entry->path().string());
    }
    if (error) return NotFoundError(StrCat("'", path, "': ", error.message()));
    if (files.size() == num_before) {
      return NotFoundError(StrCat("the folder '", path, "' has no profiles"));
    }
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(num_before), files.end());
  }
  return files;
}

StatusOr<Report> MakeReport(const CommandLine& line) {
  switch (line.command) {
    case Command::kEager:
      return MakeEagerReport(line);
    case Command::kXsp:
      return MakeXspReport(line);
    case Command::kReport:
      return MakeFullReport(line);
    case Command::kCompare:
      return MakeComparison(line);
    case Command::kDiff:
      return MakeDiff(line);
    default:
      return InternalError("not a command that makes a report");
  }
}

StatusOr<Report> MakeRecordingReport(const std::vector<std::string>& paths) {
  Loaded loaded;
  TFRT_RETURN_IF_ERROR(Load(paths, &loaded));
  const Experiment experiment = loaded.builder.Build();
  Report report{.title = "What was recorded"};
  loaded.facts.WriteTo(&report);
  report.sections.push_back(RunAnalysis("recording", experiment));
  return report;
}

}  // namespace tfrt::profiler
