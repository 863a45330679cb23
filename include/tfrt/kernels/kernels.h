// The kernel libraries of the project. Each function adds one group of kernels to a registry;
// nothing registers itself. Call each at most once per registry.
#ifndef TFRT_KERNELS_KERNELS_H_
#define TFRT_KERNELS_KERNELS_H_

namespace tfrt {

class KernelRegistry;

// Registers tfrt.*: constants, arithmetic, comparisons, casts, printing, chains, devices, and their
// sync forms.
void RegisterBasicKernels(KernelRegistry* registry);
// Registers tfrt.call, .if, .cond, .case, .while, .once, .repeat.i32, .parallel_for.i32,
// .parallel_call.i32.
void RegisterControlFlowKernels(KernelRegistry* registry);
// Registers all of the above, those of tests (test_kernels.h), the tensor kernels
// (tensor_kernels.h) and those of networks
// (cpu_kernels.h). These are the kernels of bef_executor, except for eager ops
// (core_runtime/core_runtime_kernels.h).
void RegisterAllKernels(KernelRegistry* registry);
// As above, without eigen.*: the kernels of the lite tools.
void RegisterAllKernelsButEigen(KernelRegistry* registry);

}  // namespace tfrt

#endif  // TFRT_KERNELS_KERNELS_H_
