// ComputeBackend selects the library that multiplies matrices and convolves. ComputePathsOf says
// how that is done here.
#ifndef TFRT_MATHS_COMPUTE_BACKEND_H_
#define TFRT_MATHS_COMPUTE_BACKEND_H_

#include <string>
#include <string_view>
#include <vector>

#include "tfrt/support/status.h"

namespace tfrt {

class HostContext;

enum class ComputeBackend {
  // Selects oneDNN if it can be loaded, otherwise Eigen with one warning to standard error.
  // Products with packed matrices use TFRT's own loops where the CPU has AVX-512.
  kAuto,
  kEigen,   // always there
  kOneDnn,  // kernels fail where it cannot be loaded
};

// "auto", "eigen" or "onednn"; InvalidArgument for anything else.
StatusOr<ComputeBackend> ParseComputeBackend(std::string_view name);

// Thread-safe. FailedPrecondition, and no effect, once a kernel of the host has asked for a
// backend, unless the choice is the one that was made. The default is kAuto.
//
// oneDNN is in a module of its own, tfrt_onednn.so, which the first such kernel opens. The module
// is loaded from the folder that the environment variable TFRT_MODULE_PATH names, if it is set.
// Otherwise it is loaded from the folder of the executable, or ../lib or ../lib/tfrt beside that
// folder. The last choice is the search path of the system's loader.
Status SetComputeBackend(HostContext* host, ComputeBackend backend);

// How products of one kind of numbers are computed: {"f32", "oneDNN, AVX2"}, {"8 bits", "AMX"}.
struct ComputePath {
  std::string_view precision;
  std::string how;
};
// How this host computes matrix products and convolutions, for logs and reports. There is an entry
// for f32, one for bf16 weights, one for f16 weights, and one for 8 bits. Loads the library that
// computes, whose error it returns. Thread-safe.
StatusOr<std::vector<ComputePath>> ComputePathsOf(HostContext* host);

}  // namespace tfrt

#endif  // TFRT_MATHS_COMPUTE_BACKEND_H_
