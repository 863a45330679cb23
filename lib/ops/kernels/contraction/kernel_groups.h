// The groups that make up RegisterContractionKernels, one per source file and family.
#ifndef TFRT_LIB_OPS_KERNELS_CONTRACTION_KERNEL_GROUPS_H_
#define TFRT_LIB_OPS_KERNELS_CONTRACTION_KERNEL_GROUPS_H_

namespace tfrt {

class KernelRegistry;

void RegisterEigenMatMulKernels(KernelRegistry* registry);       // eigen.matmul.*
void RegisterEigenConvolutionKernels(KernelRegistry* registry);  // eigen.conv2d.*, forward
void RegisterCpuMatMulKernels(KernelRegistry* registry);         // tfrt_cpu.matmul.*, tf_sync.*
void RegisterCpuConvolutionKernels(KernelRegistry* registry);    // tfrt_cpu.conv2d.*, ...

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_KERNELS_CONTRACTION_KERNEL_GROUPS_H_
