// Which library multiplies matrices and convolves.
#ifndef TFRT_KERNELS_COMPUTE_BACKEND_H_
#define TFRT_KERNELS_COMPUTE_BACKEND_H_

#include <string_view>

#include "tfrt/support/status.h"

namespace tfrt {

class HostContext;

enum class ComputeBackend {
  kAuto,    // oneDNN if it can be loaded, otherwise Eigen with one warning to standard error
  kEigen,   // always there
  kOneDnn,  // as kAuto, but kernels fail where oneDNN cannot be loaded
};

// "auto", "eigen" or "onednn"; InvalidArgument for anything else.
StatusOr<ComputeBackend> ParseComputeBackend(std::string_view name);

// To be called before the host runs a kernel that needs a backend; has no effect afterwards. The default
// is kAuto.
//
// oneDNN is in a module of its own, tfrt_onednn.so, which the first such kernel opens: from the folder
// that the environment variable TFRT_MODULE_PATH names, else from the folder of the executable, ../lib
// or ../lib/tfrt beside it, else from where the system's loader looks.
void SetComputeBackend(HostContext* host, ComputeBackend backend);

}  // namespace tfrt

#endif  // TFRT_KERNELS_COMPUTE_BACKEND_H_
