// The groups that make up RegisterCoreRuntimeKernels, one per source file.
#ifndef TFRT_LIB_COMPAT_CORERT_KERNELS_KERNEL_GROUPS_H_
#define TFRT_LIB_COMPAT_CORERT_KERNELS_KERNEL_GROUPS_H_

namespace tfrt {

class KernelRegistry;

void RegisterOpHandlerKernels(KernelRegistry* registry);       // corert.*_op_handler
void RegisterExecuteKernels(KernelRegistry* registry);         // corert.executeop, .*_op
void RegisterTensorConstantKernels(KernelRegistry* registry);  // corert.const_*, .create_dense_*
void RegisterTransferKernels(KernelRegistry* registry);        // corert.transfer*, .tensorhandle_*
void RegisterEagerControlFlowKernels(KernelRegistry* registry);  // corert.cond, .while
void RegisterOpAttrsKernels(KernelRegistry* registry);           // corert.op_attrs_*
void RegisterSyncCoreRuntimeKernels(KernelRegistry* registry);   // corert_sync.* of sync functions

}  // namespace tfrt

#endif  // TFRT_LIB_COMPAT_CORERT_KERNELS_KERNEL_GROUPS_H_
