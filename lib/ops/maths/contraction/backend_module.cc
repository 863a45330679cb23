#include "backend_module.h"

#include <dlfcn.h>

#include "lib/base/support/open_module.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::contraction {

StatusOr<std::unique_ptr<Backend>> OpenBackendModule(const std::string& file_name) {
  TFRT_ASSIGN_OR_RETURN(void* module, OpenModule(file_name));
  auto factory = reinterpret_cast<BackendModuleFactory>(dlsym(module, kBackendModuleFactory));
  Backend* backend = factory ? factory(kBackendModuleVersion) : nullptr;
  if (!backend) {
    return FailedPreconditionError(
        StrCat("the module ", file_name, " is not of this version, or its library does not work"));
  }
  return std::unique_ptr<Backend>(backend);
}

}  // namespace tfrt::contraction
