// The groups that make up RegisterControlFlowKernels, one per source file.
#ifndef TFRT_KERNELS_CONTROL_FLOW_KERNEL_GROUPS_H_
#define TFRT_KERNELS_CONTROL_FLOW_KERNEL_GROUPS_H_

namespace tfrt {

class KernelRegistry;

void RegisterCallKernels(KernelRegistry* registry);      // tfrt.call, tfrt_test.do.async
void RegisterBranchKernels(KernelRegistry* registry);    // tfrt.if, tfrt.cond, tfrt.case
void RegisterWhileKernel(KernelRegistry* registry);      // tfrt.while
void RegisterRepeatKernel(KernelRegistry* registry);     // tfrt.repeat.i32
void RegisterOnceKernel(KernelRegistry* registry);       // tfrt.once
void RegisterParallelKernels(KernelRegistry* registry);  // tfrt.parallel_for.i32, .parallel_call.i32

}  // namespace tfrt

#endif  // TFRT_KERNELS_CONTROL_FLOW_KERNEL_GROUPS_H_
