#include "tfrt/host_context/kernel_registry.h"

#include <dlfcn.h>

#include <utility>

#include "tfrt/support/str_cat.h"

namespace tfrt {

void KernelRegistry::Add(std::string_view name, KernelEntry entry) {
  if (!kernels_.try_emplace(std::string(name), entry).second && first_error_.ok()) {
    first_error_ = AlreadyExistsError(StrCat("kernel '", name, "' is registered twice"));
  }
}

void KernelRegistry::AddKernel(std::string_view name, AsyncKernelDefinition kernel,
                               KernelFlags flags) {
  Add(name, {.async_function = kernel.function, .signature = kernel.signature, .flags = flags});
}

void KernelRegistry::AddSyncKernel(std::string_view name, SyncKernelDefinition kernel) {
  Add(name, {.sync_function = kernel.function, .signature = kernel.signature});
}

void KernelRegistry::AddNativeFunction(std::string_view name, NativeFunction function) {
  if (!native_functions_.try_emplace(std::string(name), function).second && first_error_.ok()) {
    first_error_ = AlreadyExistsError(StrCat("native function '", name, "' is registered twice"));
  }
}

const KernelEntry* KernelRegistry::FindKernel(std::string_view name, Status* error) const {
  auto found = kernels_.find(name);
  if (found != kernels_.end()) return &found->second;
  if (!source_) return nullptr;
  Status ignored;
  return source_->FindKernel(*this, name, error ? error : &ignored);
}

NativeFunction KernelRegistry::FindNativeFunction(std::string_view name) const {
  auto found = native_functions_.find(name);
  return found == native_functions_.end() ? nullptr : found->second;
}

std::vector<std::string_view> KernelRegistry::KernelNames() const {
  std::vector<std::string_view> names;
  names.reserve(kernels_.size());
  for (const auto& [name, entry] : kernels_) names.push_back(name);
  return names;
}

Status KernelRegistry::CheckTypes() const {
  Status first_error;
  for (const auto& [name, entry] : kernels_) {
    if (!entry.signature) continue;
    for (std::span<const TypeIdGetter> types :
         {entry.signature->arguments, entry.signature->results}) {
      for (TypeIdGetter type : types) {
        if (!type) continue;
        Status status = CheckTypeLayout(type());
        if (!status.ok() && first_error.ok()) {
          first_error = Status(status.code(), StrCat("kernel '", name, "': ", status.message()));
        }
      }
    }
  }
  return first_error;
}

Status KernelRegistry::Merge(KernelRegistry&& other) {
  TFRT_RETURN_IF_ERROR(other.first_error_);
  for (const auto& [name, entry] : other.kernels_) {
    if (kernels_.contains(name)) {
      return AlreadyExistsError(StrCat("kernel '", name, "' is registered twice"));
    }
  }
  for (const auto& [name, function] : other.native_functions_) {
    if (FindNativeFunction(name)) {
      return AlreadyExistsError(StrCat("native function '", name, "' is registered twice"));
    }
  }
  // Ours first: a layout that disagrees with them is then the other's.
  (void)CheckTypes();
  TFRT_RETURN_IF_ERROR(other.CheckTypes());
  kernels_.merge(other.kernels_);
  native_functions_.merge(other.native_functions_);
  return OkStatus();
}

Status LoadKernelLibrary(const std::string& path, KernelRegistry* registry) {
  // Never closed: values of the library's types and code pointers may live until the process ends.
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return NotFoundError(dlerror());
  return AddKernelsOfLibrary(library, path, registry);
}

Status CheckKernelInterface(void* library, const std::string& name) {
  const auto* interface = static_cast<const uint32_t*>(dlsym(library, "tfrt_kernel_interface"));
  if (interface && *interface == kKernelInterface) return OkStatus();
  return FailedPreconditionError(
      StrCat("library '", name, "' was built for the kernel interface ",
             interface ? StrCat(*interface) : "of an older version", ", this program has ",
             kKernelInterface, ": compile it against the program's headers and definitions"));
}

Status AddKernelsOfLibrary(void* library, const std::string& name, KernelRegistry* registry) {
  using RegisterFn = void (*)(KernelRegistry*);
  auto register_kernels = reinterpret_cast<RegisterFn>(dlsym(library, "RegisterKernels"));
  if (!register_kernels) {
    return FailedPreconditionError(
        StrCat("library '", name, "' has no C symbol 'RegisterKernels'"));
  }
  TFRT_RETURN_IF_ERROR(CheckKernelInterface(library, name));
  KernelRegistry loaded;
  register_kernels(&loaded);
  Status status = registry->Merge(std::move(loaded));
  if (status.ok()) return status;
  return Status(status.code(), StrCat("'", name, "': ", status.message()));
}

}  // namespace tfrt
