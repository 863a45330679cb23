// The kernels on shapes and host tensors.
#ifndef TFRT_KERNELS_TENSOR_KERNELS_H_
#define TFRT_KERNELS_TENSOR_KERNELS_H_

namespace tfrt {

class KernelRegistry;

// Registers ts.*, tfrt_dht.*, tfrt_sht.*, coo.*, their sync forms, and the tensor kernels of
// tfrt_test.*.
void RegisterTensorKernels(KernelRegistry* registry);
// Registers btf.*: kernels that read files.
void RegisterBtfKernels(KernelRegistry* registry);
// Registers eigen.*: pooling, padding, batch normalisation and gradients. Its products and
// convolutions are in contraction_kernels.h. The lite executor does not contain them.
void RegisterEigenKernels(KernelRegistry* registry);

}  // namespace tfrt

#endif  // TFRT_KERNELS_TENSOR_KERNELS_H_
