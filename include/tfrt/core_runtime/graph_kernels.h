// The kernels of compiled programs.
#ifndef TFRT_CORE_RUNTIME_GRAPH_KERNELS_H_
#define TFRT_CORE_RUNTIME_GRAPH_KERNELS_H_

namespace tfrt {

class KernelRegistry;

// Registers all graph.* kernels: one for each row of the op table, with the op's name, and those
// for control flow, effects and weights. The kernel of a row is strict, from tensors to new
// tensors. It has all of the op's attributes in the order of their names. Where MLIR needs
// operandSegmentSizes to tell which arguments are present, it is one of them. graph.constant is the
// tensor of its attribute. Errors are reported at the kernel's location. Kernels look for
// RunResources in the request. Call this at most once per registry.
void RegisterGraphKernels(KernelRegistry* registry);

}  // namespace tfrt

#endif  // TFRT_CORE_RUNTIME_GRAPH_KERNELS_H_
