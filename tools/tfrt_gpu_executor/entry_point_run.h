// The work of tfrt_gpu_executor: runs one function of a file on a GPU, with its own stream and
// buffers.
#ifndef TFRT_TOOLS_TFRT_GPU_EXECUTOR_ENTRY_POINT_RUN_H_
#define TFRT_TOOLS_TFRT_GPU_EXECUTOR_ENTRY_POINT_RUN_H_

#include <string>

#include "lib/compat/bef_run/diagnostic_verifier.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

// Calls the file's function get_tfrt_gpu_entry_point, which names the function to run and the sizes
// of the buffers in bytes. Runs that function with a chain, a new stream of device 0's primary
// context and buffers of zeros, all on the calling thread. OK if the chain that it returned is good
// and `verifier` has no complaint about the diagnostics. Otherwise
// docs/reference/gpu_programs.md has the messages. A
// `path` of "-" is standard input.
Status RunEntryPoint(const std::string& path, DiagnosticVerifier* verifier);

}  // namespace tfrt::gpu

#endif  // TFRT_TOOLS_TFRT_GPU_EXECUTOR_ENTRY_POINT_RUN_H_
