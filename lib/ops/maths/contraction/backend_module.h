// Opens a backend that lies in a module of its own.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_BACKEND_MODULE_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_BACKEND_MODULE_H_

#include <memory>
#include <string>

#include "backend.h"
#include "tfrt/support/status.h"

namespace tfrt::contraction {

// Unavailable, with the loader's reasons, if the module or a library it needs is not there;
// FailedPrecondition if it was built from other sources. The module stays loaded.
StatusOr<std::unique_ptr<Backend>> OpenBackendModule(const std::string& file_name);

}  // namespace tfrt::contraction

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_BACKEND_MODULE_H_
