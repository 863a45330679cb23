// hostile_models: ONNX models that are cut short and changed, each taken all the way by an
// OnnxRunner, in processes of their own: one that ends its process, leaks or takes too long is
// written to a file and counted, and the others go on. Exit code 1 if there is one.
//   hostile_models [--cuts=N] [--changes=N] [--seed=N] [--save=FOLDER] [--print] MODEL.onnx...
// --cuts: at so many random places; 0, the default: everywhere. --print: what became of each.
// --whole: instead of cuts, all of each model; with --changes=0 for a file that was saved.

#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "onnx_changes.h"
#include "run_onnx.h"
#include "tfrt/async/async_value.h"

// What leaks in one model leaks in the next ones too: looked for at the end of each process.
extern "C" int __lsan_do_recoverable_leak_check() __attribute__((weak));
extern "C" const char* __asan_default_options() {
  // MLIR's library is not instrumented: it hands out memory that headers of its have poisoned.
  return "allow_user_poisoning=0:detect_leaks=1:hard_rss_limit_mb=2048:allocator_may_return_null=0";
}

namespace tfrt {
namespace {

// Of one model, with sanitizers: of the processor, as the machine may be busy, and in all, for what
// waits for ever.
constexpr int kMaxCpuSeconds = 20;
constexpr unsigned kMaxSeconds = 300;
constexpr rlim_t kMaxProcessBytes = rlim_t{8} << 30;

struct Arguments {
  uint64_t cuts = 0, changes = 20000, seed = 1;
  std::string save = ".";
  bool print = false;
  bool whole = false;  // instead of cuts
  std::vector<std::string> models;
};

struct HostileModel {
  std::string name;
  std::string bytes;
};

// One of the models made of a seed.
struct Case {
  const HostileModel* seed;
  bool is_cut;
  uint64_t number;  // the size of a cut one
};

std::string BytesOf(const Case& which, const Arguments& arguments,
                    const std::vector<std::string>& op_names) {
  if (which.is_cut) return which.seed->bytes.substr(0, which.number);
  OnnxRandom random(arguments.seed * 1000003 + which.number);
  return WithChanges(which.seed->bytes, op_names, random);
}

std::string NameOf(const Case& which) {
  return which.seed->name + (which.is_cut ? ".cut." : ".change.") + std::to_string(which.number);
}

std::vector<Case> CasesOf(const Arguments& arguments, const std::vector<HostileModel>& models) {
  std::vector<Case> cases;
  for (const HostileModel& model : models) {
    const uint64_t size = model.bytes.size();
    OnnxRandom random(arguments.seed);
    const uint64_t cuts = arguments.whole ? 1 : arguments.cuts == 0 ? size + 1 : arguments.cuts;
    for (uint64_t i = 0; i < cuts; ++i) {
      const uint64_t cut = arguments.cuts == 0 ? i : random() % (size + 1);
      cases.push_back({&model, true, arguments.whole ? size : cut});
    }
    for (uint64_t i = 0; i < arguments.changes; ++i) cases.push_back({&model, false, i});
  }
  return cases;
}

// What a worker says of each case, through a pipe.
struct Report {
  uint8_t stage;
  uint8_t is_wrong;
  uint32_t milliseconds;
};

void RunCases(const std::vector<Case>& cases, size_t begin, size_t step, const Arguments& arguments,
              const std::vector<std::string>& op_names, int pipe) {
  OnnxRunner runner;
  for (size_t i = begin; i < cases.size(); i += step) {
    const itimerval cpu_limit{{}, {kMaxCpuSeconds, 0}};
    ::setitimer(ITIMER_PROF, &cpu_limit, nullptr);
    ::alarm(kMaxSeconds);
    const std::string bytes = BytesOf(cases[i], arguments, op_names);
    const int64_t values_before = NumLiveAsyncValues();
    const auto start = std::chrono::steady_clock::now();
    OnnxOutcome outcome =
        runner.Run({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
    const auto time = std::chrono::steady_clock::now() - start;
    bool is_wrong = NumLiveAsyncValues() != values_before ||
                    (outcome.stage != OnnxOutcome::Stage::kDone && outcome.error.empty()) ||
                    // What was compiled must be a model.
                    outcome.stage == OnnxOutcome::Stage::kOpen;
    if (arguments.print || is_wrong) {
      std::printf("%s: %d %s\n", NameOf(cases[i]).c_str(), static_cast<int>(outcome.stage),
                  outcome.error.c_str());
      std::fflush(stdout);
    }
    Report report{
        static_cast<uint8_t>(outcome.stage), static_cast<uint8_t>(is_wrong),
        static_cast<uint32_t>(std::chrono::duration_cast<std::chrono::milliseconds>(time).count())};
    if (::write(pipe, &report, sizeof(report)) != sizeof(report)) std::abort();
  }
  if (__lsan_do_recoverable_leak_check && __lsan_do_recoverable_leak_check()) std::abort();
}

// What the workers of one process together have to say.
struct Totals {
  uint64_t stages[OnnxOutcome::kNumStages] = {};
  uint64_t failures = 0;
  uint32_t slowest = 0;  // in milliseconds
  size_t slowest_case = 0;
};

void Save(const Case& which, const Arguments& arguments, const std::vector<std::string>& op_names) {
  const std::string bytes = BytesOf(which, arguments, op_names);
  std::ofstream(arguments.save + "/" + NameOf(which) + ".onnx", std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// All cases begin, begin + step, ...: a process is started anew behind each case that ends one.
Totals Supervise(const std::vector<Case>& cases, size_t begin, size_t step,
                 const Arguments& arguments, const std::vector<std::string>& op_names) {
  Totals totals;
  while (begin < cases.size()) {
    int ends[2];
    if (::pipe(ends) != 0) std::abort();
    pid_t child = ::fork();
    if (child == 0) {
      ::close(ends[0]);
      RunCases(cases, begin, step, arguments, op_names, ends[1]);
      ::_exit(0);
    }
    ::close(ends[1]);
    Report report;
    while (::read(ends[0], &report, sizeof(report)) == sizeof(report)) {
      ++totals.stages[report.stage];
      if (report.is_wrong) {
        ++totals.failures;
        Save(cases[begin], arguments, op_names);
      }
      if (report.milliseconds > totals.slowest) {
        totals.slowest = report.milliseconds;
        totals.slowest_case = begin;
      }
      begin += step;
    }
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (begin >= cases.size()) {
      if (status != 0) {
        std::printf("a process of %zu models ended with status %d\n", cases.size() / step, status);
        ++totals.failures;
      }
      break;
    }
    ++totals.failures;
    Save(cases[begin], arguments, op_names);
    std::printf("%s: %s %d\n", NameOf(cases[begin]).c_str(),
                WIFSIGNALED(status) ? "killed by signal" : "ended with status",
                WIFSIGNALED(status) ? WTERMSIG(status) : status);
    std::fflush(stdout);
    begin += step;
  }
  return totals;
}

bool TakeNumber(std::string_view argument, std::string_view name, uint64_t* number) {
  if (!argument.starts_with(name)) return false;
  argument.remove_prefix(name.size());
  return std::from_chars(argument.begin(), argument.end(), *number).ec == std::errc();
}

int Main(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (TakeNumber(argument, "--cuts=", &arguments.cuts) ||
        TakeNumber(argument, "--changes=", &arguments.changes) ||
        TakeNumber(argument, "--seed=", &arguments.seed)) {
      continue;
    }
    if (argument.starts_with("--save=")) {
      arguments.save = argument.substr(7);
    } else if (argument == "--print") {
      arguments.print = true;
    } else if (argument == "--whole") {
      arguments.whole = true;
    } else {
      arguments.models.emplace_back(argument);
    }
  }
  std::vector<HostileModel> models;
  for (const std::string& path : arguments.models) {
    std::ifstream file(path, std::ios::binary);
    std::string name = path.substr(path.rfind('/') + 1);
    models.push_back({name.substr(0, name.rfind('.')),
                      {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()}});
    if (models.back().bytes.empty()) {
      std::fprintf(stderr, "cannot read '%s'\n", path.c_str());
      return 2;
    }
  }
  // The address sanitizer takes all addresses, and has a limit of its own, above.
  if (!__lsan_do_recoverable_leak_check) {
    const rlimit limit{kMaxProcessBytes, kMaxProcessBytes};
    ::setrlimit(RLIMIT_AS, &limit);
  }
  const std::vector<std::string> op_names = OnnxOpNames();
  const std::vector<Case> cases = CasesOf(arguments, models);
  // Processes, not threads: each supervises those that run models.
  const size_t step = std::max(1u, std::thread::hardware_concurrency());
  int ends[2];
  if (::pipe(ends) != 0) std::abort();
  for (size_t i = 0; i < step; ++i) {
    if (::fork() != 0) continue;
    Totals totals = Supervise(cases, i, step, arguments, op_names);
    if (::write(ends[1], &totals, sizeof(totals)) != sizeof(totals)) std::abort();
    ::_exit(0);
  }
  ::close(ends[1]);
  Totals sum, part;
  for (size_t i = 0; i < step; ++i) {
    if (::read(ends[0], &part, sizeof(part)) != sizeof(part)) std::abort();
    for (int stage = 0; stage < OnnxOutcome::kNumStages; ++stage) {
      sum.stages[stage] += part.stages[stage];
    }
    sum.failures += part.failures;
    if (part.slowest >= sum.slowest) {
      sum.slowest = part.slowest;
      sum.slowest_case = part.slowest_case;
    }
  }
  while (::wait(nullptr) > 0) {
  }
  constexpr const char* kStages[] = {"read", "imported", "compiled", "opened", "loaded", "run", ""};
  std::printf("%zu models:", cases.size());
  for (int stage = 0; stage + 1 < OnnxOutcome::kNumStages; ++stage) {
    std::printf(" %llu not %s,", static_cast<unsigned long long>(sum.stages[stage]),
                kStages[stage]);
  }
  std::printf(" %llu run to the end; the slowest took %u ms (%s); %llu failures\n",
              static_cast<unsigned long long>(sum.stages[OnnxOutcome::kNumStages - 1]), sum.slowest,
              cases.empty() ? "" : NameOf(cases[sum.slowest_case]).c_str(),
              static_cast<unsigned long long>(sum.failures));
  return sum.failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace tfrt

int main(int argc, char** argv) { return tfrt::Main(argc, argv); }
