#include "run_case.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "case_files.h"
#include "compare.h"
#include "lib/compiler/import_onnx/import_onnx.h"
#include "lib/compiler/onnx/model.h"
#include "lib/compiler/passes/graph/pipeline.h"
#include "lib/compiler/passes/register_passes.h"
#include "lib/compiler/translation/dialects.h"
#include "lib/runtime/tensor/npy.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "tfrt/compiler/mlir_to_bef.h"
#include "tfrt/core_runtime/graph_kernels.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/model/model.h"
#include "tfrt/support/file_bytes.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::conformance {
namespace {

// What a context has of attributes and types it keeps: another one after so many cases.
constexpr int kCasesPerContext = 64;

// The first line, without where the case lies.
std::string OneLine(std::string_view text, const std::string& path) {
  std::string line(text.substr(0, text.find('\n')));
  for (size_t at = line.find(path); at != std::string::npos; at = line.find(path)) {
    line.erase(at, path.size());
  }
  std::ranges::replace(line, '\t', ' ');
  constexpr size_t kMaxLength = 200;
  return line.substr(0, kMaxLength);
}

Outcome Refused(std::string_view reason, const std::string& path) {
  return {Outcome::State::kRefused, OneLine(reason, path)};
}
Outcome Wrong(std::string_view reason, const std::string& path) {
  return {Outcome::State::kWrong, OneLine(reason, path)};
}

// The rows that the ops of a graph are, in the order of names, without those that every graph has.
std::string RowsOf(mlir::ModuleOp module) {
  std::set<std::string> names;
  module.walk([&](mlir::Operation* op) {
    llvm::StringRef name = op->getName().getStringRef();
    if (name.consume_front("graph.") && name != "constant" && name != "return") {
      names.insert(name.str());
    }
  });
  return llvm::join(names, " ");
}

// Older data has bf16 as u16.
Status TakeDType(const onnx::ValueInfo& wanted, DenseHostTensor& tensor) {
  if (wanted.type != onnx::DataType::kBfloat16 || tensor.dtype() != DType::kUI16) return OkStatus();
  TensorShape shape = tensor.shape();
  TFRT_ASSIGN_OR_RETURN(tensor, DenseHostTensor::CreateFromBuffer({DType::kBF16, std::move(shape)},
                                                                  std::move(tensor).TakeBuffer()));
  return OkStatus();
}

// The model's inputs without initialisers, in order.
std::vector<const onnx::ValueInfo*> InputsOf(const onnx::Model& model) {
  std::vector<const onnx::ValueInfo*> inputs;
  for (const onnx::ValueInfo& input : model.graph.inputs) {
    bool is_given = std::ranges::none_of(
        model.graph.initializers,
        [&](const onnx::TensorData& tensor) { return tensor.name == input.name; });
    if (is_given) inputs.push_back(&input);
  }
  return inputs;
}

// The data in the order of the model's inputs: by name if it has their names.
StatusOr<std::vector<const DenseHostTensor*>> Ordered(
    const std::vector<const onnx::ValueInfo*>& wanted, std::vector<DataTensor>& given) {
  if (given.size() != wanted.size()) {
    return InvalidArgumentError(
        StrCat("there are ", given.size(), " inputs for a model of ", wanted.size()));
  }
  auto place = [&](std::string_view name) {
    return std::ranges::find(wanted, name, [](const onnx::ValueInfo* info) { return info->name; });
  };
  const bool are_named = std::ranges::all_of(
      given, [&](const DataTensor& tensor) { return place(tensor.name) != wanted.end(); });
  std::vector<const DenseHostTensor*> ordered(given.size());
  for (size_t i = 0; i < given.size(); ++i) {
    const size_t at = are_named ? static_cast<size_t>(place(given[i].name) - wanted.begin()) : i;
    TFRT_RETURN_IF_ERROR(TakeDType(*wanted[at], given[i].tensor));
    ordered[at] = &given[i].tensor;
  }
  return ordered;
}

mlir::LogicalResult RunGraphPasses(mlir::ModuleOp module) {
  mlir::PassManager passes(module.getContext());
  compiler::addGraphPasses(passes, {});
  return mlir::success(
      mlir::succeeded(passes.run(module)) &&
      mlir::succeeded(compiler::runPassPipeline(module, "builtin.module(lower-graph)")));
}

// Where in a model the errors of a run are. Several ops may fail at once, of which the run reports
// one. Thread-safe.
class ErrorPlaces {
 public:
  void Add(const DecodedDiagnostic& error) {
    std::lock_guard lock(mutex_);
    places_.emplace(error.status.message(), StrCat(error.location.ToString(), ": "));
  }
  // Returns the error's message behind its place, if it has one, and forgets all places.
  std::string Before(const Status& error) {
    std::lock_guard lock(mutex_);
    auto found = places_.find(error.message());
    std::string place = found == places_.end() ? std::string() : found->second;
    places_.clear();
    return StrCat(place, error.message());
  }
  void Clear() {
    std::lock_guard lock(mutex_);
    places_.clear();
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::string, std::less<>> places_;
};

Outcome RunDataSet(const std::string& path, const std::string& folder, const onnx::Model& onnx,
                   Session& session, ErrorPlaces& places, const CaseOptions& options) {
  StatusOr<DataSet> set = ReadDataSet(folder);
  if (!set.ok()) return Refused(set.status().message(), path);
  auto arguments = Ordered(InputsOf(onnx), set->inputs);
  if (!arguments.ok()) return Wrong(arguments.status().message(), path);
  auto results = session.RunInOrder(*arguments);
  if (!results.ok()) {
    return Refused(places.Before(results.status()), path);
  }
  for (size_t i = 0; options.write_results && i < results->size(); ++i) {
    Status status = WriteNpyFile(StrCat(folder, "/result_", i, ".npy"), (*results)[i]);
    if (!status.ok()) return Wrong(status.message(), path);
  }
  if (options.write_results) return {Outcome::State::kPass};
  if (results->size() != set->outputs.size()) {
    return Wrong(StrCat("there are ", results->size(), " outputs, expected ", set->outputs.size()),
                 path);
  }
  for (size_t i = 0; i < results->size(); ++i) {
    Status status = TakeDType(onnx.graph.outputs[i], set->outputs[i].tensor);
    if (!status.ok()) return Wrong(status.message(), path);
    std::string difference = Difference((*results)[i], set->outputs[i].tensor);
    if (!difference.empty()) return Wrong(StrCat("output ", i, " ", difference), path);
  }
  return {Outcome::State::kPass};
}

}  // namespace

struct CaseRunner::Impl {
  explicit Impl(const CaseOptions& options) : options(options) {}

  // For one more case.
  mlir::MLIRContext& Context() {
    if (num_cases++ % kCasesPerContext == 0) {
      mlir::DialectRegistry registry;
      compiler::registerModelDialects(registry);
      context =
          std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
      context->getDiagEngine().registerHandler([this](mlir::Diagnostic& diagnostic) {
        if (message.empty()) message = diagnostic.str();
        return mlir::success();
      });
    }
    message.clear();
    return *context;
  }

  const CaseOptions options;
  ErrorPlaces places = {};  // outlives the host, which sets it
  std::unique_ptr<HostContext> host = nullptr;
  std::unique_ptr<mlir::MLIRContext> context = nullptr;
  std::string message = {};  // the first of the case's diagnostics
  int num_cases = 0;
};

CaseRunner::CaseRunner(const CaseOptions& options) : impl_(new Impl(options)) {
  impl_->host = std::make_unique<HostContext>(
      [this](const DecodedDiagnostic& error) {
        if (impl_->options.write_results) impl_->places.Add(error);
      },
      CreateMallocAllocator(), CreateMultiThreadedWorkQueue(2, 2));
  RegisterGraphKernels(&impl_->host->kernel_registry());
  if (!impl_->host->kernel_registry().first_error().ok()) std::abort();
  compiler::registerGraphPasses();
}
CaseRunner::~CaseRunner() = default;

Outcome CaseRunner::Run(const std::string& path) {
  auto model = onnx::Model::FromFile(path + "/model.onnx");
  if (!model.ok()) return Refused(model.status().message(), path);
  mlir::MLIRContext& context = impl_->Context();
  const std::string& message = impl_->message;
  auto module = compiler::importOnnx(*model, {}, &context);
  if (!module) return Refused(message, path);
  std::string rows = RowsOf(*module);
  if (mlir::failed(compiler::compileGraph(*module, {.exact = impl_->options.exact})))
    return Wrong(StrCat("passes: ", message), path);
  auto bytes = compiler::convertMlirToBef(*module);
  if (mlir::failed(bytes)) return Wrong(StrCat("mlir_to_bef: ", message), path);
  impl_->places.Clear();
  StatusOr<Model> loaded = Model::FromBytes(FileBytes::CopyOf(*bytes), impl_->host.get());
  if (!loaded.ok()) return Refused(impl_->places.Before(loaded.status()), path);
  StatusOr<Session> session = Session::Create(*loaded);
  if (!session.ok()) return Refused(impl_->places.Before(session.status()), path);
  // Twice: a session remembers what it has seen.
  for (int run = 0; run < 2; ++run) {
    for (const std::string& folder : DataSetsOf(path)) {
      Outcome outcome = RunDataSet(path, folder, *model, *session, impl_->places, impl_->options);
      if (outcome.state != Outcome::State::kPass) return outcome;
    }
  }
  return {Outcome::State::kPass, std::move(rows)};
}

StatusOr<std::vector<std::string>> CaseRunner::KernelsOf(
    const std::string& model, const std::map<std::string, int64_t>& dims) {
  TFRT_ASSIGN_OR_RETURN(onnx::Model onnx, onnx::Model::FromFile(model));
  compiler::OnnxImportOptions options;
  for (const auto& [symbol, size] : dims) options.dims[symbol] = size;
  auto module = compiler::importOnnx(onnx, options, &impl_->Context());
  if (!module || mlir::failed(RunGraphPasses(*module))) return InternalError(impl_->message);
  std::vector<std::string> kernels;
  module->lookupSymbol("main")->walk([&](mlir::Operation* op) {
    llvm::StringRef name = op->getName().getStringRef();
    if (name.consume_front("graph.") && op->getNumResults() > 0) kernels.push_back(name.str());
  });
  return kernels;
}

}  // namespace tfrt::conformance
