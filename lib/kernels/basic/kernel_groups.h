// The groups that make up RegisterBasicKernels, one per source file.
#ifndef TFRT_KERNELS_BASIC_KERNEL_GROUPS_H_
#define TFRT_KERNELS_BASIC_KERNEL_GROUPS_H_

namespace tfrt {

class KernelRegistry;

void RegisterConstantKernels(KernelRegistry* registry);    // tfrt.constant.*, tfrt.constant_s.*
void RegisterArithmeticKernels(KernelRegistry* registry);  // tfrt.add.*, tfrt.div.*, tfrt.cast.*, ...
void RegisterPrintKernels(KernelRegistry* registry);       // tfrt.print.*

}  // namespace tfrt

#endif  // TFRT_KERNELS_BASIC_KERNEL_GROUPS_H_
