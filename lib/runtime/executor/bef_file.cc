#include "tfrt/executor/bef_file.h"

#include <optional>
#include <unordered_map>
#include <vector>

#include "bef_function.h"
#include "binder.h"
#include "lib/format/bef/bef_reader.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel_registry.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {

struct BefFile::Impl {
  Impl(BefImage image, bef::BefView view, HostContext* host)
      : image(std::move(image)),
        view(std::move(view)),
        host(host),
        times(this->view.functions().size()),
        order_freedom(this->view, kernels) {}

  BefImage image;
  bef::BefView view;
  HostContext* host;
  std::vector<const KernelEntry*> kernels;            // by kernel id
  std::vector<std::string_view> function_type_names;  // pool for the functions' type lists
  std::vector<std::unique_ptr<internal::FileFunction>> owned_functions;
  std::vector<const Function*> functions;  // the same, by function id
  std::unordered_map<std::string_view, uint32_t> function_ids;
  // By function id. Runs write them: apart from functions and programs, which all threads read.
  std::vector<internal::KernelTimes> times;
  internal::OrderFreedom order_freedom;
  const internal::BindInput bind_input{view, kernels, functions, order_freedom};

  Status ResolveKernels(DecodedLocation* error_location);
  Status MakeFunctions(const BefFile* file);
  std::optional<uint32_t> FirstUse(uint32_t kernel_id) const;
};

// The location of the first kernel, in function order, that uses `kernel_id`. As programs rely on
// it, there is none as soon as any function of the file has an argument or a result.
std::optional<uint32_t> BefFile::Impl::FirstUse(uint32_t kernel_id) const {
  for (const bef::FunctionInfo& info : view.functions()) {
    if (!info.argument_types.empty() || !info.result_types.empty()) return std::nullopt;
  }
  for (uint32_t f = 0; f < view.functions().size(); ++f) {
    if (view.functions()[f].kind == FunctionKind::kNative) continue;
    StatusOr<bef::DecodedFunction> body = view.DecodeFunction(f);
    if (!body.ok()) continue;
    for (const bef::DecodedKernel& kernel : body->kernels()) {
      if (kernel.kernel_id() == kernel_id) return kernel.location();
    }
  }
  return std::nullopt;
}

Status BefFile::Impl::ResolveKernels(DecodedLocation* error_location) {
  kernels.reserve(view.kernel_names().size());
  for (std::string_view name : view.kernel_names()) {
    Status reason;
    const KernelEntry* entry = host->kernel_registry().FindKernel(name, &reason);
    if (!entry) {
      std::optional<uint32_t> use = FirstUse(static_cast<uint32_t>(kernels.size()));
      if (use && error_location) *error_location = view.DecodeLocation(*use);
      return NotFoundError(StrCat("unknown kernel name '", name, "'", reason.ok() ? "" : ": ",
                                  reason.ok() ? "" : reason.message()));
    }
    kernels.push_back(entry);
  }
  return OkStatus();
}

Status BefFile::Impl::MakeFunctions(const BefFile* file) {
  size_t num_types = 0;
  for (const bef::FunctionInfo& info : view.functions()) {
    num_types += info.argument_types.size() + info.result_types.size();
  }
  function_type_names.reserve(num_types);  // spans into it must stay valid
  auto names = [&](std::span<const uint32_t> ids) -> std::span<const std::string_view> {
    size_t begin = function_type_names.size();
    for (uint32_t id : ids) function_type_names.push_back(view.type_names()[id]);
    return {function_type_names.data() + begin, ids.size()};
  };
  owned_functions.reserve(view.functions().size());
  functions.reserve(view.functions().size());
  for (uint32_t f = 0; f < view.functions().size(); ++f) {
    const bef::FunctionInfo& info = view.functions()[f];
    auto argument_types = names(info.argument_types);
    auto result_types = names(info.result_types);
    if (info.kind == FunctionKind::kNative) {
      NativeFunction function = host->kernel_registry().FindNativeFunction(info.name);
      if (!function) {
        return NotFoundError(
            StrCat("invalid FunctionIndex section in BEF file: unable to find "
                   "native function in global registry: '",
                   info.name, "'"));
      }
      owned_functions.push_back(std::make_unique<internal::NativeBefFunction>(
          file, info.name, argument_types, result_types, function));
    } else {
      owned_functions.push_back(std::make_unique<internal::BefFunction>(
          file, info.name, info.kind, argument_types, result_types, bind_input, f, times[f]));
    }
    functions.push_back(owned_functions.back().get());
    // A later function of the same name replaces an earlier one; regions have none.
    if (!info.name.empty()) function_ids[info.name] = f;
  }
  return OkStatus();
}

StatusOr<RCReference<BefFile>> BefFile::Open(BefImage image, HostContext* host,
                                             DecodedLocation* error_location) {
  if (error_location) *error_location = DecodedLocation();
  std::span<const uint8_t> bytes = image.bytes();
  std::string detail;
  StatusOr<bef::BefView> view = bef::BefView::Open(bytes, &detail);
  if (!view.ok()) {
    if (detail.empty()) return view.status();
    return Status(view.status().code(), StrCat(view.status().message(), ": ", detail));
  }
  auto impl = std::make_unique<Impl>(std::move(image), *std::move(view), host);
  TFRT_RETURN_IF_ERROR(impl->ResolveKernels(error_location));
  RCReference<BefFile> file = TakeRef(new BefFile(std::move(impl)));
  TFRT_RETURN_IF_ERROR(file->impl_->MakeFunctions(file.get()));
  return file;
}

BefFile::BefFile(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
BefFile::~BefFile() { Retire(); }

std::span<const Function* const> BefFile::functions() const { return impl_->functions; }
HostContext* BefFile::host() const { return impl_->host; }
const bef::BefView& BefFile::view() const { return impl_->view; }

StatusOr<const Function*> BefFile::FindFunction(std::string_view name) const {
  auto found = impl_->function_ids.find(name);
  if (found == impl_->function_ids.end()) {
    return NotFoundError(StrCat("couldn't find function ", name));
  }
  TFRT_RETURN_IF_ERROR(impl_->owned_functions[found->second]->Bind(nullptr));
  return impl_->functions[found->second];
}

DecodedLocation BefFile::DecodeLocation(uint64_t data) const {
  return impl_->view.DecodeLocation(static_cast<uint32_t>(data));
}
std::optional<std::string> BefFile::DebugInfo(uint64_t data) const {
  return impl_->view.DebugInfo(static_cast<uint32_t>(data));
}

}  // namespace tfrt
