// The kernels of compiled programs.
#ifndef TFRT_CORE_RUNTIME_GRAPH_KERNELS_H_
#define TFRT_CORE_RUNTIME_GRAPH_KERNELS_H_

namespace tfrt {

class KernelRegistry;

// All graph.*: one for each row of the op table, with the op's name, beside control flow, effects
// and weights. That of a row is strict, from tensors to new tensors, with all of the op's
// attributes in the order of their names. Where MLIR needs operandSegmentSizes to say which
// arguments are there, it is one of them. graph.constant is the tensor of its attribute. Errors are
// reported at the kernel's location. Kernels look for RunResources in the request. At most once per
// registry.
void RegisterGraphKernels(KernelRegistry* registry);

}  // namespace tfrt

#endif  // TFRT_CORE_RUNTIME_GRAPH_KERNELS_H_
