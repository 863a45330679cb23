// The kernels on shapes and host tensors.
#ifndef TFRT_KERNELS_TENSOR_KERNELS_H_
#define TFRT_KERNELS_TENSOR_KERNELS_H_

namespace tfrt {

class KernelRegistry;

// ts.*, tfrt_dht.*, tfrt_sht.*, coo.*, their sync forms, and the tensor kernels of tfrt_test.*.
void RegisterTensorKernels(KernelRegistry* registry);
// btf.*: kernels that read files.
void RegisterBtfKernels(KernelRegistry* registry);
// eigen.*: pooling, padding, batch normalisation and gradients; its products and convolutions are
// in contraction_kernels.h. The lite driver is without them.
void RegisterEigenKernels(KernelRegistry* registry);

}  // namespace tfrt

#endif  // TFRT_KERNELS_TENSOR_KERNELS_H_
