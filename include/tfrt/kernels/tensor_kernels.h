// The kernels on shapes and dense host tensors: ts.*, tfrt_dht.*, the tensor kernels of tfrt_test.*, and
// eigen.*.
#ifndef TFRT_KERNELS_TENSOR_KERNELS_H_
#define TFRT_KERNELS_TENSOR_KERNELS_H_

namespace tfrt {

class KernelRegistry;

void RegisterTensorKernels(KernelRegistry* registry);

}  // namespace tfrt

#endif  // TFRT_KERNELS_TENSOR_KERNELS_H_
