#include "tfrt/model/model.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "lib/format/bef/bef_reader.h"
#include "lib/ops/op_call/run_resources.h"
#include "lib/ops/op_call/value_dependence.h"
#include "lib/runtime/host/function_call.h"
#include "model_impl.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

constexpr std::string_view kLoadFunction = "load";

template <typename... Pieces>
Status NoModel(const Pieces&... why) {
  return InvalidArgumentError(StrCat("the file is no model: ", why...));
}

void StartLoad(Model::Impl* model) {
  RequestContextBuilder builder(model->host, nullptr);
  builder.AddData(RunResources{.weights = model->file->view().weights(),
                               .locate_errors = model->locate_errors});
  model->loaded.resize(model->load->num_results());
  model->load->Execute(ExecutionContext(std::move(builder).Build()), {}, model->loaded);
}

// Inputs are given by name.
Status CheckNames(std::span<const ModelValue> inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (std::ranges::find(inputs.first(i), inputs[i].name, &ModelValue::name) !=
        inputs.begin() + static_cast<std::ptrdiff_t>(i)) {
      return NoModel("two of its inputs are called '", inputs[i].name, "'");
    }
  }
  return OkStatus();
}

// Finds the functions and checks that they fit each other.
Status FindFunctions(const bef::BefView& view, const std::string& name, Model::Impl* model) {
  for (const bef::FunctionInfo& info : view.functions()) {
    if (info.name != kLoadFunction || info.name == name) continue;
    TFRT_ASSIGN_OR_RETURN(model->load, model->file->FindFunction(kLoadFunction));
  }
  TFRT_ASSIGN_OR_RETURN(model->function, model->file->FindFunction(name));
  const size_t loaded = model->load ? model->load->num_results() : 0;
  const size_t wanted = model->function->num_arguments() - model->inputs.size();
  if (loaded != wanted) {
    return NoModel("@", name, " takes ", wanted, " values of @load, which makes ", loaded);
  }
  for (const Function* function : {model->function, model->load}) {
    if (!function) continue;
    if (function->kind() == FunctionKind::kAsync) continue;
    return NoModel("@", function->name(), " is a sync or native function");
  }
  if (model->load && model->load->num_arguments() > 0) return NoModel("@load has arguments");
  return OkStatus();
}

}  // namespace

StatusOr<Model> Model::Open(const std::string& path, HostContext* host,
                            const ModelOptions& options) {
  TFRT_ASSIGN_OR_RETURN(FileBytes bytes, FileBytes::FromFile(path));
  ModelOptions named = options;
  if (named.name.empty()) named.name = std::filesystem::path(path).stem().string();
  StatusOr<Model> model = FromBytes(std::move(bytes), host, named);
  if (model.ok()) return model;
  return Status(model.status().code(), StrCat("'", path, "': ", model.status().message()));
}

StatusOr<Model> Model::FromBytes(FileBytes bytes, HostContext* host, const ModelOptions& options) {
  auto impl = std::make_shared<Impl>();
  impl->host = host;
  TFRT_ASSIGN_OR_RETURN(impl->file, BefFile::Open(std::move(bytes), host));
  const bef::BefView& view = impl->file->view();
  bef::Signatures signatures = view.ReadSignatures();
  auto signature = std::ranges::find_if(signatures.functions, [&](const auto& function) {
    return view.functions()[function.function].name == options.function;
  });
  if (signature == signatures.functions.end()) {
    return NoModel("it has no function @", options.function, " with names of inputs and results");
  }
  impl->inputs = std::move(signature->inputs);
  impl->outputs = std::move(signature->results);
  impl->producer = std::move(signatures.producer);
  impl->name = options.name.empty() ? "model" : options.name;
  impl->locate_errors = options.locate_errors;
  impl->metadata = std::move(signatures.metadata);
  TFRT_RETURN_IF_ERROR(CheckNames(impl->inputs));
  TFRT_RETURN_IF_ERROR(FindFunctions(view, options.function, impl.get()));
  for (uint32_t f = 0; f < view.functions().size(); ++f) {
    auto body = view.DecodeFunction(f);
    if (!body.ok()) continue;
    impl->num_kernels += body->kernels().size();
    if (view.functions()[f].name == options.function) {
      impl->time_depends_on_values = TimeDependsOnValues(view, *body, impl->inputs.size());
    }
  }
  return Model(std::move(impl));
}

Status Model::Load() const {
  if (!impl_->load) return OkStatus();
  {
    // Not while this waits: who waits runs other tasks, and one of them may load the model, too.
    std::lock_guard lock(impl_->load_mutex);
    if (!std::exchange(impl_->is_load_started, true)) StartLoad(impl_.get());
  }
  const std::vector<AsyncValue*> values = Borrow(impl_->loaded);
  impl_->host->Await(values);
  for (const AsyncValue* value : values) {
    if (value->IsError()) return value->GetError();
  }
  return OkStatus();
}

std::span<const ModelValue> Model::inputs() const { return impl_->inputs; }
std::span<const ModelValue> Model::outputs() const { return impl_->outputs; }
const std::string& Model::producer() const { return impl_->producer; }
const std::string& Model::name() const { return impl_->name; }
std::span<const std::pair<std::string, std::string>> Model::metadata() const {
  return impl_->metadata;
}
const std::string* Model::FindMetadata(std::string_view key) const {
  for (const auto& [name, value] : impl_->metadata) {
    if (name == key) return &value;
  }
  return nullptr;
}
HostContext* Model::host() const { return impl_->host; }
const BefFile& Model::file() const { return *impl_->file; }
bool Model::time_depends_on_values() const { return impl_->time_depends_on_values; }

}  // namespace tfrt
