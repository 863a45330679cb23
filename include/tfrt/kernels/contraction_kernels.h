// Matrix products and convolutions, by oneDNN or Eigen (maths/compute_backend.h).
#ifndef TFRT_KERNELS_CONTRACTION_KERNELS_H_
#define TFRT_KERNELS_CONTRACTION_KERNELS_H_

namespace tfrt {

class KernelRegistry;

// Registers both of the families below.
void RegisterContractionKernels(KernelRegistry* registry);
// Registers eigen.matmul.{f32,i32}, eigen.conv2d.f32, .bias.f32, .batch_norm.f32,
// .batch_norm.relu.f32. The name of the family is older than the choice of backends.
void RegisterEigenContractionKernels(KernelRegistry* registry);
// Registers tfrt_cpu.matmul.f32, .matmul.bias.f32, .batch_matmul.f32, .pack_matrix.f32,
// .conv2d.f32, .conv2d.bias.f32, .conv2d.bias.add.f32, .pack_filter.f32; tf_sync._FusedMatMul.f32.
void RegisterCpuContractionKernels(KernelRegistry* registry);

// Registers tfrt_test.matmul.{f32,f64,i32,i64}.2; a program may have these without the above.
void RegisterTestMatMulKernels(KernelRegistry* registry);

}  // namespace tfrt

#endif  // TFRT_KERNELS_CONTRACTION_KERNELS_H_
