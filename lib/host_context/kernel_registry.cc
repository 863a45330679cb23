#include "tfrt/host_context/kernel_registry.h"

#include <dlfcn.h>

#include "tfrt/support/str_cat.h"

namespace tfrt {

void KernelRegistry::Add(std::string_view name, KernelEntry entry) {
  if (!kernels_.try_emplace(std::string(name), entry).second && first_error_.ok()) {
    first_error_ = AlreadyExistsError(StrCat("kernel '", name, "' is registered twice"));
  }
}

void KernelRegistry::AddKernel(std::string_view name, AsyncKernelDefinition kernel,
                               KernelFlags flags) {
  Add(name, {kernel.function, nullptr, nullptr, kernel.signature, flags});
}

void KernelRegistry::AddSyncKernel(std::string_view name, SyncKernelDefinition kernel) {
  Add(name, {nullptr, kernel.function, kernel.unchecked_function, kernel.signature,
             KernelFlags::kNone});
}

void KernelRegistry::AddNativeFunction(std::string_view name, NativeFunction function) {
  if (!native_functions_.try_emplace(std::string(name), function).second && first_error_.ok()) {
    first_error_ = AlreadyExistsError(StrCat("native function '", name, "' is registered twice"));
  }
}

const KernelEntry* KernelRegistry::FindKernel(std::string_view name) const {
  auto found = kernels_.find(name);
  return found == kernels_.end() ? nullptr : &found->second;
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

Status LoadKernelLibrary(const std::string& path, KernelRegistry* registry) {
  // Never closed: values of the library's types and code pointers may live until the process ends.
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return NotFoundError(dlerror());
  using RegisterFn = void (*)(KernelRegistry*);
  auto register_kernels = reinterpret_cast<RegisterFn>(dlsym(library, "RegisterKernels"));
  if (!register_kernels) {
    return FailedPreconditionError(
        StrCat("library '", path, "' has no C symbol 'RegisterKernels'"));
  }
  bool had_error = !registry->first_error().ok();
  register_kernels(registry);
  return had_error ? OkStatus() : registry->first_error();
}

}  // namespace tfrt
