#include "record.h"

#include <errno.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "lib/base/support/progress.h"
#include "lib/profiler/machine.h"
#include "tfrt/profiler/profile_properties.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBatchPlace = "{batch}";
constexpr std::string_view kEnding = ".pftrace";

struct RunPlan {
  std::optional<int64_t> batch;
  Level level;
  int64_t repetition;
  std::string path;
};

bool HasBatchPlace(const std::vector<std::string>& program) {
  return std::ranges::any_of(program, [](const std::string& argument) {
    return argument.find(kBatchPlace) != argument.npos;
  });
}

std::string WithBatch(std::string argument, int64_t batch) {
  const std::string text = StrCat(batch);
  for (size_t at = 0; (at = argument.find(kBatchPlace, at)) != argument.npos; at += text.size()) {
    argument.replace(at, kBatchPlace.size(), text);
  }
  return argument;
}

StatusOr<std::vector<RunPlan>> PlanRuns(const CommandLine& line) {
  if (line.batches.empty() == HasBatchPlace(line.program)) {
    return InvalidArgumentError(line.batches.empty()
                                    ? "the program's arguments have {batch}: say --batches"
                                    : "--batches needs {batch} among the program's arguments");
  }
  std::vector<std::optional<int64_t>> batches(line.batches.begin(), line.batches.end());
  if (batches.empty()) batches.push_back(std::nullopt);
  const std::string output = line.output.empty() ? "profiles" : line.output;
  const size_t num_runs = batches.size() * line.levels.size() * static_cast<size_t>(line.runs);
  std::vector<RunPlan> plans;
  if (output.ends_with(kEnding)) {
    if (num_runs > 1) {
      return InvalidArgumentError(
          StrCat(num_runs, " profiles do not go into one file: let -o name a folder"));
    }
    plans.push_back({batches[0], line.levels[0], 0, output});
    return plans;
  }
  std::error_code error;
  fs::create_directories(output, error);
  if (error) {
    return InvalidArgumentError(StrCat("cannot make '", output, "': ", error.message()));
  }
  const std::string stem = fs::path(line.program[0]).filename().string();
  for (int64_t repetition = 0; repetition < line.runs; ++repetition) {
    for (const std::optional<int64_t>& batch : batches) {
      for (Level level : line.levels) {
        std::string name = stem;
        if (batch) name += StrCat(".b", *batch);
        name += StrCat(".", LevelName(level), ".", repetition + 1, kEnding);
        plans.push_back({batch, level, repetition, (fs::path(output) / name).string()});
      }
    }
  }
  // Analyses of the folder would take older recordings of the program for this one's.
  for (const fs::directory_entry& entry : fs::directory_iterator(output, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(stem + ".") && name.ends_with(kEnding) &&
        std::ranges::find(plans, entry.path().string(), &RunPlan::path) == plans.end()) {
      return FailedPreconditionError(StrCat("'", output, "' has '", name,
                                            "' of an older recording: remove it, or say another "
                                            "folder with -o"));
    }
  }
  return plans;
}

// Returns the machine's peak rates, as properties of each profile.
std::string PeakProperties() {
  const Peaks peaks = MeasurePeaks(DescribeProcessor());
  return StrCat(property::kPeakFlops, "=", peaks.f32, "\n", property::kPeakBandwidth, "=",
                peaks.bandwidth, "\n", property::kPeakSource, "=", peaks.source, "\n",
                property::kPeakFlopsF64, "=", peaks.f64, "\n", property::kPeakOpsInt8, "=",
                peaks.int8, "\n", property::kPeakFlopsBf16, "=", peaks.bf16, "\n",
                property::kPeakThreads, "=", peaks.num_threads, "\n");
}

// The environment of this process with some variables more.
std::vector<std::string> EnvironmentWith(
    const std::vector<std::pair<std::string, std::string>>& more) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view text = *entry;
    const bool is_replaced = std::ranges::any_of(
        more, [&](const auto& variable) { return text.starts_with(variable.first + "="); });
    if (!is_replaced) all.emplace_back(text);
  }
  for (const auto& [name, value] : more) all.push_back(StrCat(name, "=", value));
  return all;
}

std::vector<char*> PointersTo(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Runs the program and waits until it is over. Its output goes to standard error if standard output
// must hold nothing but JSON.
Status RunProgram(std::vector<std::string> program, std::vector<std::string> environment,
                  bool prints_to_error) {
  std::vector<char*> arguments = PointersTo(program);
  std::vector<char*> variables = PointersTo(environment);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (prints_to_error) {
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  }
  pid_t child;
  const int error = posix_spawnp(&child, program[0].c_str(), &actions, nullptr, arguments.data(),
                                 variables.data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    return NotFoundError(StrCat("cannot run '", program[0], "': ", std::strerror(error)));
  }
  int state = 0;
  while (waitpid(child, &state, 0) < 0) {
    if (errno != EINTR) return InternalError(StrCat("waitpid: ", std::strerror(errno)));
  }
  if (WIFSIGNALED(state)) {
    return InternalError(StrCat("'", program[0], "' was ended by signal ", WTERMSIG(state), " (",
                                strsignal(WTERMSIG(state)), ")"));
  }
  if (WEXITSTATUS(state) != 0) {
    return InternalError(StrCat("'", program[0], "' ended with exit code ", WEXITSTATUS(state)));
  }
  return OkStatus();
}

Status RunPlanned(const RunPlan& plan, const CommandLine& line, const std::string& properties) {
  std::vector<std::string> program;
  for (const std::string& argument : line.program) {
    program.push_back(plan.batch ? WithBatch(argument, *plan.batch) : argument);
  }
  std::string facts = StrCat(properties, property::kRepetition, "=", plan.repetition, "\n");
  if (plan.batch) facts += StrCat(property::kBatch, "=", *plan.batch, "\n");
  std::error_code ignored;
  fs::remove(plan.path, ignored);
  TFRT_RETURN_IF_ERROR(
      RunProgram(std::move(program),
                 EnvironmentWith({{"TFRT_RECORD", plan.path},
                                  {"TFRT_RECORD_LEVEL", std::string(LevelName(plan.level))},
                                  {"TFRT_RECORD_BUFFER_MB", StrCat(line.buffer_megabytes)},
                                  {"TFRT_RECORD_PROPERTIES", facts}}),
                 line.json));
  if (fs::exists(plan.path)) return OkStatus();
  return FailedPreconditionError(
      StrCat("'", line.program[0],
             "' wrote no profile: it must call Session::StartFromEnvironment "
             "(tfrt/profiler/session.h), or be linked with tfrt::record_from_environment"));
}

}  // namespace

StatusOr<std::vector<std::string>> Record(const CommandLine& line) {
  TFRT_ASSIGN_OR_RETURN(std::vector<RunPlan> plans, PlanRuns(line));
  const std::string properties = line.measures_peaks ? PeakProperties() : "";
  Progress progress("tfrt_prof");
  progress.Begin("recording");
  std::vector<std::string> paths;
  for (const RunPlan& plan : plans) {
    progress.Count(paths.size(), plans.size());
    TFRT_RETURN_IF_ERROR(RunPlanned(plan, line, properties));
    paths.push_back(plan.path);
  }
  return paths;
}

}  // namespace tfrt::profiler
