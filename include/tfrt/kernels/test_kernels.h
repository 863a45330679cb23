// The kernels of programs that test the runtime. Call each function at most once per registry.
#ifndef TFRT_KERNELS_TEST_KERNELS_H_
#define TFRT_KERNELS_TEST_KERNELS_H_

namespace tfrt {

class KernelRegistry;

// Registers tfrt_test.*, without those on tensors.
void RegisterTestKernels(KernelRegistry* registry);
// Registers vt.* and tfrt_tutorial.*.
void RegisterValueTrackingKernels(KernelRegistry* registry);
// Registers native_add, native_async_add, native_sink, native_async_sink, native_error.
void RegisterNativeTestFunctions(KernelRegistry* registry);

}  // namespace tfrt

#endif  // TFRT_KERNELS_TEST_KERNELS_H_
