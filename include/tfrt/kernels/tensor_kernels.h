// The kernels on shapes and dense host tensors.
#ifndef TFRT_KERNELS_TENSOR_KERNELS_H_
#define TFRT_KERNELS_TENSOR_KERNELS_H_

namespace tfrt {

class KernelRegistry;

// ts.*, tfrt_dht.* and the tensor kernels of tfrt_test.*.
void RegisterTensorKernels(KernelRegistry* registry);

}  // namespace tfrt

#endif  // TFRT_KERNELS_TENSOR_KERNELS_H_
