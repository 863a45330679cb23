// tfrt_run: runs a model file.

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "bench.h"
#include "command_line.h"
#include "compare.h"
#include "lib/base/support/progress.h"
#include "lib/runtime/host/kernel_modules.h"
#include "lib/runtime/tensor/npy.h"
#include "profile.h"
#include "tensors.h"
#include "tfrt/core_runtime/core_runtime_kernels.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/kernels/kernels.h"
#include "tfrt/maths/compute_backend.h"
#include "tfrt/model/model.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/support/write_file.h"

namespace tfrt {
namespace {

void PrintValues(const char* kind, std::span<const ModelValue> values) {
  for (const ModelValue& value : values) {
    std::printf("%s %s: %s\n", kind, value.name.c_str(), ToString(value).c_str());
  }
}

// The first line of a text, or as many whole characters of it as fit.
std::string StartOf(const std::string& text) {
  constexpr size_t kMaxBytes = 60;
  size_t size = std::min({text.size(), text.find('\n'), text.find('\r')});
  if (size > kMaxBytes) {
    size = kMaxBytes;
    const auto goes_on = [&] { return (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80; };
    while (size > 0 && goes_on()) --size;
  }
  return text.substr(0, size);
}

void PrintModel(const Model& model) {
  if (!model.producer().empty()) std::printf("producer %s\n", model.producer().c_str());
  for (const auto& [key, value] : model.metadata()) {
    const std::string start = StartOf(value);
    std::printf("metadata %s: %s", key.c_str(), start.c_str());
    if (start.size() < value.size()) std::printf("... (%zu bytes)", value.size());
    std::printf("\n");
  }
  PrintValues("input", model.inputs());
  PrintValues("result", model.outputs());
}

// Writes results and compares them. False if one is not what was expected.
StatusOr<bool> UseResults(const Model& model, const std::vector<DenseHostTensor>& results,
                          const CommandLine& line) {
  for (const std::string& text : line.outputs) {
    TFRT_ASSIGN_OR_RETURN(ValueFile file, FindValue(model.outputs(), text, "result"));
    TFRT_RETURN_IF_ERROR(WriteNpyFile(file.file, results[file.index]));
  }
  bool are_expected = true;
  for (const std::string& text : line.expected) {
    TFRT_ASSIGN_OR_RETURN(ValueFile file, FindValue(model.outputs(), text, "result"));
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor expected,
                          ReadNpyFile(file.file, model.host()->allocator()));
    TFRT_ASSIGN_OR_RETURN(std::string difference, Difference(results[file.index], expected, line));
    const std::string& name = model.outputs()[file.index].name;
    std::printf("%s %s\n", name.c_str(), difference.empty() ? "as expected" : difference.c_str());
    are_expected &= difference.empty();
  }
  if (line.outputs.empty() && line.expected.empty() && line.compared.empty() && !line.bench &&
      !line.profile && line.record.empty()) {
    for (size_t i = 0; i < results.size(); ++i) {
      std::printf("%s: %s\n", model.outputs()[i].name.c_str(), results[i].ToString().c_str());
    }
  }
  return are_expected;
}

Status RegisterKernels(const CommandLine& line, KernelRegistry* registry) {
  RegisterAllKernels(registry);
  RegisterCoreRuntimeKernels(registry);
  for (const std::string& library : line.shared_libs) {
    Status status = LoadKernelLibrary(library, registry);
    if (!status.ok()) {
      return Status(status.code(), StrCat("--shared_libs: ", status.message()));
    }
  }
  return OkStatus();
}

Status PrintPaths(HostContext& host) {
  TFRT_ASSIGN_OR_RETURN(std::vector<ComputePath> paths, ComputePathsOf(&host));
  for (const ComputePath& path : paths) {
    std::printf("%s: %s\n", std::string(path.precision).c_str(), path.how.c_str());
  }
  return OkStatus();
}

// Models are mapped: what is written over it would be seen by who runs it.
Status CheckOutputs(const Model& model, const CommandLine& line) {
  const auto check = [&](const std::string& file) {
    const Status status = CheckIsNotInput(file, line.model);
    return status.ok() && !line.compared.empty() ? CheckIsNotInput(file, line.compared) : status;
  };
  TFRT_RETURN_IF_ERROR(check(line.record));
  for (const std::string& text : line.outputs) {
    TFRT_ASSIGN_OR_RETURN(ValueFile file, FindValue(model.outputs(), text, "result"));
    TFRT_RETURN_IF_ERROR(check(file.file));
  }
  return OkStatus();
}

// An error of a run, and which sizes were chosen for it.
Status WithShapes(const Status& error, const std::string& shapes) {
  if (shapes.empty()) return error;
  return Status(error.code(), StrCat(error.message(), "\ntfrt_run: sizes of random inputs were ",
                                     shapes, ": give others if the model needs them"));
}

StatusOr<bool> Run(HostContext& host, const CountingAllocator& allocator, const CommandLine& line) {
  TFRT_RETURN_IF_ERROR(RegisterKernels(line, &host.kernel_registry()));
  host.device_manager().set_source(MakeDeviceModules(OwnModules()));
  if (!SetComputeBackend(&host, line.compute_backend).ok()) {
    return InternalError("the backend is not there");
  }
  if (line.paths) TFRT_RETURN_IF_ERROR(PrintPaths(host));
  LoadTimes times;
  double start = Now();
  TFRT_ASSIGN_OR_RETURN(Model model, Model::Open(line.model, &host));
  times.open = Now() - start;
  TFRT_RETURN_IF_ERROR(CheckNames(model, line));
  TFRT_RETURN_IF_ERROR(CheckOutputs(model, line));
  std::optional<Model> other;
  if (!line.compared.empty()) {
    TFRT_ASSIGN_OR_RETURN(other, OpenCompared(model, line));
  } else if (line.inputs.empty() && !line.random && !model.inputs().empty()) {
    PrintModel(model);
    return true;
  }
  TFRT_ASSIGN_OR_RETURN(std::vector<DenseHostTensor> inputs, MakeInputs(model, line));
  std::vector<const DenseHostTensor*> pointers;
  for (const DenseHostTensor& input : inputs) pointers.push_back(&input);
  std::optional<Progress> progress;
  progress.emplace("tfrt_run").Begin("loading");
  start = Now();
  TFRT_ASSIGN_OR_RETURN(Session session, Session::Create(model));
  times.load = Now() - start;
  progress->Begin("first run");
  start = Now();
  auto first_results = session.RunInOrder(pointers);
  if (!first_results.ok()) {
    progress.reset();
    return WithShapes(first_results.status(), ChosenShapes(model, line, inputs));
  }
  std::vector<DenseHostTensor> results = *std::move(first_results);
  times.first_run = Now() - start;
  progress.reset();
  TFRT_ASSIGN_OR_RETURN(bool are_expected, UseResults(model, results, line));
  if (other) {
    TFRT_ASSIGN_OR_RETURN(bool are_alike, Compare(model, results, *other, pointers, line));
    are_expected &= are_alike;
  }
  results.clear();
  if (line.bench) TFRT_RETURN_IF_ERROR(Bench(session, pointers, line, times, allocator));
  if (line.profile) TFRT_RETURN_IF_ERROR(ProfileRuns(session, pointers, line));
  TFRT_RETURN_IF_ERROR(RecordRuns(session, pointers, line));
  return are_expected;
}

// Where in the model an error is, for who reads the message behind it.
void PrintDiagnostic(const DecodedDiagnostic& diagnostic) {
  const std::string place = diagnostic.location.ToString();
  std::fprintf(stderr, "tfrt_run: %s: %s\n", place.c_str(),
               std::string(diagnostic.status.message()).c_str());
}

}  // namespace
}  // namespace tfrt

int main(int argc, char** argv) {
  using namespace tfrt;
  int exit_code = 0;
  std::optional<CommandLine> line = ParseCommandLine(argc, argv, &exit_code);
  if (!line) return exit_code;
  auto queue = CreateWorkQueue(line->num_threads == 1 ? std::string("s")
                                                      : StrCat("mstd:", line->num_threads));
  if (!queue.ok()) {
    std::fprintf(stderr, "tfrt_run: %s\n", std::string(queue.status().message()).c_str());
    return 1;
  }
  CountingAllocator allocator;
  HostContext host(&PrintDiagnostic, &allocator, *std::move(queue));
  StatusOr<bool> are_expected = Run(host, allocator, *line);
  if (!are_expected.ok()) {
    std::fprintf(stderr, "tfrt_run: %s\n", std::string(are_expected.status().message()).c_str());
    return 1;
  }
  return *are_expected ? 0 : 1;
}
