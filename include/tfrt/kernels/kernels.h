// The kernel libraries of the project. Each function adds one group of kernels to a registry;
// nothing registers itself. Call each at most once per registry.
#ifndef TFRT_KERNELS_KERNELS_H_
#define TFRT_KERNELS_KERNELS_H_

namespace tfrt {

class KernelRegistry;

// tfrt.*: constants, arithmetic, comparisons, casts, printing, chains, devices, and their sync
// forms.
void RegisterBasicKernels(KernelRegistry* registry);
// tfrt.call, .if, .cond, .case, .while, .once, .repeat.i32, .parallel_for.i32, .parallel_call.i32.
void RegisterControlFlowKernels(KernelRegistry* registry);
// tfrt_test.*, without those on tensors.
void RegisterTestKernels(KernelRegistry* registry);
// vt.* and tfrt_tutorial.*.
void RegisterValueTrackingKernels(KernelRegistry* registry);
// native_add, native_async_add, native_sink, native_async_sink, native_error.
void RegisterNativeTestFunctions(KernelRegistry* registry);

// All of the above, the tensor kernels (tensor_kernels.h) and those of networks (cpu_kernels.h).
// What bef_executor offers, but for eager ops (core_runtime/core_runtime_kernels.h).
void RegisterAllKernels(KernelRegistry* registry);
// The same without eigen.*: what the lite tools offer.
void RegisterAllKernelsButEigen(KernelRegistry* registry);

}  // namespace tfrt

#endif  // TFRT_KERNELS_KERNELS_H_
