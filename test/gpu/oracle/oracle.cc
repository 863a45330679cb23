// cudnn_oracle: gives each graph of the list to the cuDNN that is installed, for GPUs that need not
// be there, and says which of them it takes.
//
// usage: cudnn_oracle SHIM REFUSED MAX_COMPILED DEVICE.json...
//
// SHIM stands for the driver, see shim.cc. Engines that are compiled at run time are tried for the
// first MAX_COMPILED graphs of each device; of others it is sufficient that there is an engine.
// Ends with 1 if a graph is refused for a device and REFUSED does not say so, or says so and the
// library takes it; with 77 without cuDNN.
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "gpu/libraries/dnn/planner.h"
#include "gpu/wrapper/cudnn.h"
#include "graph_cases.h"
#include "lib/base/support/read_file.h"

namespace tfrt::gpu::dnn {
namespace {

double MillisecondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

std::string Text(std::string_view text) { return std::string(text); }

double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[values.size() / 2];
}

// Each line of the file is "DEVICE: GRAPH: what computes it instead".
StatusOr<std::set<std::string>> ReadRefused(const std::string& path) {
  TFRT_ASSIGN_OR_RETURN(std::string text, ReadFile(path));
  std::set<std::string> refused;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    const size_t end = line.rfind(": ");
    if (end == std::string::npos || line.find(": ") == end) {
      return InvalidArgumentError(path + " has the line '" + line + "'");
    }
    refused.insert(line.substr(0, end));
  }
  return refused;
}

struct Outcome {
  bool is_accepted = false;
  bool is_compiled = false;
  bool is_built = false;
  int64_t engine = -1;
  double build_ms = 0;
  double read_ms = 0;
  std::string text;
};

// Reads the plan back from its text.
Status CheckText(const cudnn::Table& table, const BuiltPlan& plan, const DeviceDescription& device,
                 Outcome* outcome) {
  TFRT_ASSIGN_OR_RETURN(std::string text, PlanText(plan));
  const auto begin = std::chrono::steady_clock::now();
  TFRT_ASSIGN_OR_RETURN(BuiltPlan read, ReadPlan(table, text, device));
  outcome->read_ms = MillisecondsSince(begin);
  if (read.workspace_bytes == plan.workspace_bytes) return OkStatus();
  return InternalError("the plan that was read back has another workspace");
}

Outcome Try(const cudnn::Table& table, const GraphCase& graph_case, const DeviceDescription& device,
            int* compilations_left) {
  Outcome outcome;
  auto begin = std::chrono::steady_clock::now();
  StatusOr<GraphDescriptors> descriptors = MakeDescriptors(table, graph_case.graph);
  if (!descriptors.ok()) {
    outcome.text = Text(descriptors.status().message());
    return outcome;
  }
  StatusOr<std::vector<EngineCandidate>> engines =
      ListEngines(table, *descriptors, device, PlanChoice(), HasF32(graph_case.graph));
  if (!engines.ok()) {
    outcome.text = Text(engines.status().message());
    return outcome;
  }
  for (const EngineCandidate& engine : *engines) {
    if (engine.is_compiled && *compilations_left <= 0) {
      outcome.is_accepted = outcome.is_compiled = true;
      outcome.text = "not compiled here";
      return outcome;
    }
    if (engine.is_compiled) --*compilations_left;
    StatusOr<BuiltPlan> plan = FinalizePlan(table, engine, device);
    if (!plan.ok()) {
      outcome.text = Text(plan.status().message());
      continue;
    }
    outcome.is_built = true;
    outcome.build_ms = MillisecondsSince(begin);
    outcome.engine = engine.index;
    outcome.is_compiled = engine.is_compiled;
    Status read = CheckText(table, *plan, device, &outcome);
    outcome.is_accepted = read.ok();
    outcome.text = Text(read.message());
    return outcome;
  }
  return outcome;
}

int Run(int argc, char** argv) {
  // Before the library, which then finds this one under the driver's name.
  if (!dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL)) {
    std::fprintf(stderr, "cudnn_oracle: %s\n", dlerror());
    return 1;
  }
  StatusOr<const cudnn::Library*> library = cudnn::Library::Get();
  if (!library.ok() || (*library)->version() < kMinPlanVersion) {
    std::fprintf(
        stderr, "cudnn_oracle: skipped: %s\n",
        library.ok() ? "cuDNN is older than 9.8" : Text(library.status().message()).c_str());
    return 77;
  }
  const cudnn::Table& table = (*library)->table();
  StatusOr<std::set<std::string>> refused = ReadRefused(argv[2]);
  StatusOr<std::vector<GraphCase>> cases = AllCases(1);
  if (!refused.ok() || !cases.ok()) {
    std::fprintf(
        stderr, "cudnn_oracle: %s\n",
        Text(refused.ok() ? cases.status().message() : refused.status().message()).c_str());
    return 1;
  }
  int failures = 0;
  std::set<std::string> met;
  for (int i = 4; i < argc; ++i) {
    std::string name = argv[i];
    name = name.substr(name.rfind('/') + 1);
    name = name.substr(0, name.find(".json"));
    StatusOr<std::string> json = ReadFile(argv[i]);
    if (json.ok()) {
      while (!json->empty() && json->back() == '\n') json->pop_back();
    }
    StatusOr<DeviceDescription> device =
        json.ok() ? DeviceDescription::OfText(table, *json) : json.status();
    if (!device.ok()) {
      std::fprintf(stderr, "cudnn_oracle: %s: %s\n", argv[i],
                   Text(device.status().message()).c_str());
      return 1;
    }
    int compilations_left = std::atoi(argv[3]);
    int accepted = 0;
    int compiled = 0;
    std::vector<double> build_ms;
    std::vector<double> compile_ms;
    std::vector<double> read_ms;
    for (const GraphCase& graph_case : *cases) {
      Outcome outcome = Try(table, graph_case, *device, &compilations_left);
      const std::string key = name + ": " + graph_case.name;
      const bool is_listed = refused->contains(key);
      if (is_listed) met.insert(key);
      if (outcome.is_accepted == is_listed) {
        ++failures;
        std::printf("%s: %s%s\n", key.c_str(),
                    is_listed ? "is taken, but listed" : "is refused: ", outcome.text.c_str());
      }
      accepted += outcome.is_accepted ? 1 : 0;
      compiled += outcome.is_compiled ? 1 : 0;
      if (outcome.is_built) {
        (outcome.is_compiled ? compile_ms : build_ms).push_back(outcome.build_ms);
        read_ms.push_back(outcome.read_ms);
      }
      // The steps after a convolution that precompiled engines have.
      const GraphForm& form = graph_case.form;
      const bool is_good_order =
          form.has_bias && form.layouts != cudnn::kGraphRows &&
          (form.activation == GraphActivation::kNone || form.activation == GraphActivation::kRelu);
      if (outcome.is_accepted && is_good_order && outcome.is_compiled) {
        ++failures;
        std::printf("%s: has no precompiled engine\n", key.c_str());
      }
    }
    std::printf(
        "%s: %d of %zu graphs are taken, %d by engines that are compiled; milliseconds (median): "
        "%.1f of %zu plans, %.0f of %zu that are compiled, %.1f to read one back\n",
        name.c_str(), accepted, cases->size(), compiled, Median(build_ms), build_ms.size(),
        Median(compile_ms), compile_ms.size(), Median(read_ms));
    std::fflush(stdout);
  }
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace tfrt::gpu::dnn

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: cudnn_oracle SHIM REFUSED MAX_COMPILED DEVICE.json...\n");
    return 2;
  }
  return tfrt::gpu::dnn::Run(argc, argv);
}
