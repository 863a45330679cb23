// The groups that make up RegisterBasicKernels and RegisterControlFlowKernels, for programs that
// need only some of them. A linker with --gc-sections leaves the others out. As with those, call
// each at most once per registry.
#ifndef TFRT_KERNELS_KERNEL_GROUPS_H_
#define TFRT_KERNELS_KERNEL_GROUPS_H_

namespace tfrt {

class KernelRegistry;

void RegisterConstantKernels(KernelRegistry* registry);  // tfrt.constant.*, tfrt.constant_s.*
void RegisterArithmeticKernels(
    KernelRegistry* registry);                        // tfrt.add.*, tfrt.div.*, tfrt.cast.*, ...
void RegisterPrintKernels(KernelRegistry* registry);  // tfrt.print.*

void RegisterCallKernels(KernelRegistry* registry);    // tfrt.call, tfrt_test.do.async
void RegisterBranchKernels(KernelRegistry* registry);  // tfrt.if, tfrt.cond, tfrt.case
void RegisterWhileKernel(KernelRegistry* registry);    // tfrt.while
void RegisterRepeatKernel(KernelRegistry* registry);   // tfrt.repeat.i32
void RegisterOnceKernel(KernelRegistry* registry);     // tfrt.once
void RegisterParallelKernels(
    KernelRegistry* registry);  // tfrt.parallel_for.i32, .parallel_call.i32

}  // namespace tfrt

#endif  // TFRT_KERNELS_KERNEL_GROUPS_H_
