// Kernels of tensors in memory of GPUs.

#include <cstdio>

#include "gpu/tensor/dense_gpu_tensor.h"
#include "gpu/tensor/gpu_buffer.h"
#include "kernel_groups.h"
#include "tfrt/async/chain.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/tensor/shape.h"

namespace tfrt::gpu {
namespace {

template <DType dtype>
StatusOr<DenseGpuTensor> Make(const GpuBuffer& buffer, const TensorShape& shape, Argument<Chain>) {
  return DenseGpuTensor::Create("tfrt_gpu.tensor.make", {dtype, shape}, buffer);
}

Chain PrintTensorMetadata(const DenseGpuTensor& tensor, Argument<Chain>) {
  std::printf("%s\n", tensor.ToString().c_str());
  std::fflush(stdout);
  return {};
}

}  // namespace

void RegisterTensorKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_gpu.tensor.make.i8", TFRT_KERNEL(Make<DType::kI8>));
  registry->AddKernel("tfrt_gpu.tensor.make.i32", TFRT_KERNEL(Make<DType::kI32>));
  registry->AddKernel("tfrt_gpu.tensor.make.i64", TFRT_KERNEL(Make<DType::kI64>));
  registry->AddKernel("tfrt_gpu.tensor.make.f32", TFRT_KERNEL(Make<DType::kF32>));
  registry->AddKernel("tfrt_gpu.tensor.make.f64", TFRT_KERNEL(Make<DType::kF64>));
  registry->AddKernel("tfrt_gpu.tensor.print_metadata", TFRT_KERNEL(PrintTensorMetadata));
}

}  // namespace tfrt::gpu
