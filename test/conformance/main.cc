// conformance_runner: reads lines "NAME<tab>PATH" of cases and writes "pass<tab>NAME<tab>ROWS",
// with the rows that the model's ops became, or "refused" or "wrong" with a reason for each. Cases
// run in processes of their own kind: one that ends its process is wrong, and the others go on.
//   --kernels          instead, writes the name and the kernels of models, for test/models
//   --numerics=MODE    of the compiled models, fast or exact; default: fast
//   --write-results    compares nothing, but writes the results beside the inputs
//   --jobs=N           processes that run cases; default: one for each processor

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "run_case.h"

namespace {

using tfrt::conformance::CaseOptions;
using tfrt::conformance::Outcome;

struct Case {
  std::string name;
  std::string path;
};

void Print(const char* state, const Case& which, const std::string& reason) {
  std::string line = std::string(state) + "\t" + which.name + "\t" + reason + "\n";
  // One write: lines of several processes do not mix.
  [[maybe_unused]] ssize_t written = ::write(STDOUT_FILENO, line.data(), line.size());
}

// Of each line "NAME<tab>PATH[<tab>SYMBOL=SIZE...]" the name and the kernels of the model.
int PrintKernels() {
  tfrt::conformance::CaseRunner runner;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream columns(line);
    std::string name, path, dim;
    std::getline(columns, name, '\t');
    std::getline(columns, path, '\t');
    std::map<std::string, int64_t> dims;
    while (std::getline(columns, dim, '\t')) {
      const size_t equals = dim.find('=');
      dims[dim.substr(0, equals)] = std::stoll(dim.substr(equals + 1));
    }
    auto kernels = runner.KernelsOf(path, dims);
    if (!kernels.ok()) {
      std::cerr << name << ": " << kernels.status().message() << "\n";
      return 1;
    }
    std::cout << name;
    for (const std::string& kernel : *kernels) std::cout << '\t' << kernel;
    std::cout << '\n';
  }
  return 0;
}

// Runs in a process of its own; writes to the pipe how many cases are over.
void RunCases(const CaseOptions& options, const std::vector<Case>& cases, size_t begin, size_t step,
              int pipe) {
  constexpr const char* kStates[] = {"pass", "refused", "wrong"};
  tfrt::conformance::CaseRunner runner(options);
  for (size_t i = begin; i < cases.size(); i += step) {
    Outcome outcome = runner.Run(cases[i].path);
    Print(kStates[static_cast<int>(outcome.state)], cases[i], outcome.reason);
    [[maybe_unused]] ssize_t written = ::write(pipe, "", 1);
  }
}

// All cases begin, begin + step, ...: a process is started anew behind each case that ends one.
void Supervise(const CaseOptions& options, const std::vector<Case>& cases, size_t begin,
               size_t step) {
  while (begin < cases.size()) {
    int ends[2];
    if (::pipe(ends) != 0) return;
    pid_t child = ::fork();
    if (child == 0) {
      ::close(ends[0]);
      ::alarm(300);  // of a case that never ends
      RunCases(options, cases, begin, step, ends[1]);
      ::_exit(0);
    }
    ::close(ends[1]);
    char byte;
    while (::read(ends[0], &byte, 1) == 1) begin += step;
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (begin >= cases.size()) return;
    Print("wrong", cases[begin], "its process ended with status " + std::to_string(status));
    begin += step;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "--kernels") return PrintKernels();
  CaseOptions options;
  size_t step = std::max(1u, std::thread::hardware_concurrency());
  for (int i = 1; i < argc; ++i) {
    const std::string_view flag = argv[i];
    if (flag == "--numerics=fast" || flag == "--numerics=exact") {
      options.exact = flag == "--numerics=exact";
    } else if (flag == "--write-results") {
      options.write_results = true;
    } else if (flag.starts_with("--jobs=")) {
      step = std::max(1, std::atoi(argv[i] + flag.find('=') + 1));
    } else {
      std::cerr << "unknown flag " << flag << "; see the head of main.cc\n";
      return 2;
    }
  }
  std::vector<Case> cases;
  for (std::string line; std::getline(std::cin, line);) {
    size_t tab = line.find('\t');
    if (tab == std::string::npos) continue;
    cases.push_back({line.substr(0, tab), line.substr(tab + 1)});
  }
  // Processes, not threads, and only those that the supervisor of each shard starts.
  std::vector<pid_t> shards;
  for (size_t i = 0; i < step; ++i) {
    pid_t shard = ::fork();
    if (shard == 0) {
      Supervise(options, cases, i, step);
      ::_exit(0);
    }
    shards.push_back(shard);
  }
  int failed = 0;
  for (pid_t shard : shards) {
    int status = 0;
    ::waitpid(shard, &status, 0);
    failed |= status;
  }
  return failed != 0;
}
