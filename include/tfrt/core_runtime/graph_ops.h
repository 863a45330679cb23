// The rows of the op table as compiled programs call them, by canonical names: "graph.conv".
#ifndef TFRT_CORE_RUNTIME_GRAPH_OPS_H_
#define TFRT_CORE_RUNTIME_GRAPH_OPS_H_

#include "tfrt/core_runtime/op_registry.h"

namespace tfrt {

class KernelRegistry;

// What runs them on the host.
void RegisterGraphOps(OpRegistry* registry);
// A registry of them for the whole program, made at the first call. Thread-safe.
const OpRegistry& GraphOps();

// A kernel for each, with the op's name: strict, from tensors to new tensors, with all of the op's
// attributes in the order of their names. Where MLIR needs operandSegmentSizes to say which
// arguments are there, it is one of them. graph.constant is the tensor of its attribute. Errors are
// reported at the kernel's location. Kernels look for RunResources in the request.
void RegisterGraphKernels(KernelRegistry* registry);

}  // namespace tfrt

#endif  // TFRT_CORE_RUNTIME_GRAPH_OPS_H_
