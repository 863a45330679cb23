// The kernels of eager ops in programs.
#ifndef TFRT_CORE_RUNTIME_CORE_RUNTIME_KERNELS_H_
#define TFRT_CORE_RUNTIME_CORE_RUNTIME_KERNELS_H_

namespace tfrt {

class KernelRegistry;

// corert.*, corert_sync.*, tfrt_test.corert.* and tfrt_test.error_tensorhandle. The payload of
// `!corert.tensorhandle` is TensorHandle, of `!corert.ophandler` OpHandler*, of `!corert.op`
// CoreRuntimeOp. At most once per registry.
void RegisterCoreRuntimeKernels(KernelRegistry* registry);

}  // namespace tfrt

#endif  // TFRT_CORE_RUNTIME_CORE_RUNTIME_KERNELS_H_
