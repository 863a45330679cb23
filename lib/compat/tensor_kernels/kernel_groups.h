// The groups that make up RegisterTensorKernels and RegisterEigenKernels, one per source file.
#ifndef TFRT_LIB_COMPAT_TENSOR_KERNELS_KERNEL_GROUPS_H_
#define TFRT_LIB_COMPAT_TENSOR_KERNELS_KERNEL_GROUPS_H_

namespace tfrt {

class KernelRegistry;

void RegisterShapeKernels(KernelRegistry* registry);            // ts.*, ts_sync.*
void RegisterDenseCreationKernels(KernelRegistry* registry);    // tfrt_dht.create_*, fill_*, set_*
void RegisterDenseInspectionKernels(KernelRegistry* registry);  // tfrt_dht.print_*, .tensor_*
void RegisterDenseBufferKernels(KernelRegistry* registry);   // tfrt_dht.*_buffer*, .make_tensor.*
void RegisterStringTensorKernels(KernelRegistry* registry);  // tfrt_sht.*, tfrt_sht_sync.*
void RegisterCooKernels(KernelRegistry* registry);           // coo.*
void RegisterElementwiseKernels(KernelRegistry* registry);   // tfrt_test.add.f32, ...
void RegisterReductionKernels(KernelRegistry* registry);     // tfrt_test.argmax.f32.2, ...
void RegisterLayoutKernels(KernelRegistry* registry);        // tfrt_test.flatten.f32, ...
void RegisterWindowKernels(KernelRegistry* registry);        // tfrt_test.max_pooling_2d.f32, ...
void RegisterEigenWindowKernels(KernelRegistry* registry);   // eigen.max_pooling_2d.f32, ...
void RegisterGradientKernels(KernelRegistry* registry);      // eigen.conv2d.grad.*, ...

}  // namespace tfrt

#endif  // TFRT_LIB_COMPAT_TENSOR_KERNELS_KERNEL_GROUPS_H_
