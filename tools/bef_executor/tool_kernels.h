#ifndef TFRT_TOOLS_BEF_EXECUTOR_TOOL_KERNELS_H_
#define TFRT_TOOLS_BEF_EXECUTOR_TOOL_KERNELS_H_

namespace tfrt {

class KernelRegistry;

// Registers what this tool offers: all kernels, or in the lite tools all but those of Eigen.
void RegisterToolKernels(KernelRegistry* registry);

}  // namespace tfrt

#endif  // TFRT_TOOLS_BEF_EXECUTOR_TOOL_KERNELS_H_
