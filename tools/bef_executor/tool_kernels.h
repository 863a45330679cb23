#ifndef TFRT_TOOLS_BEF_EXECUTOR_TOOL_KERNELS_H_
#define TFRT_TOOLS_BEF_EXECUTOR_TOOL_KERNELS_H_

namespace tfrt {

class HostContext;
class KernelRegistry;
enum class ComputeBackend;

// Registers what this tool offers: all kernels, or in the lite tools all but those of Eigen
// and of eager ops.
void RegisterToolKernels(KernelRegistry* registry);
// Sets what those kernels can be told, and takes the eager ops tf.* and _tf.* from the lite tools.
void ConfigureToolKernels(HostContext* host, ComputeBackend backend);

}  // namespace tfrt

#endif  // TFRT_TOOLS_BEF_EXECUTOR_TOOL_KERNELS_H_
