// Matrix products: eigen.matmul.*, tfrt_test.matmul.*, tfrt_cpu.matmul.*,
// tfrt_cpu.batch_matmul.f32, tfrt_cpu.pack_matrix.f32, tf_sync._FusedMatMul.f32.

#include "kernel_groups.h"
#include "lib/ops/maths/contraction/matmul.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/kernels/contraction_kernels.h"
#include "weights.h"

namespace tfrt {
namespace {

using maths::Completion;
using maths::MatMulOptions;
using maths::MatrixOperand;
using maths::PackedMatrix;

StatusOr<MatrixOperand> SecondMatrix(const Argument<AsyncValue>& b) {
  return WeightsOf<MatrixOperand, PackedMatrix>(b, "the second matmul input",
                                                "a matrix of tfrt_cpu.pack_matrix.f32");
}

Completion EigenMatMulF32(float alpha, const DenseHostTensor& a, const DenseHostTensor& b,
                          float beta, DenseHostTensor& out, const Chain&,
                          const ExecutionContext& exec_ctx) {
  return maths::ScaledMatMul(alpha, a, b, beta, out, exec_ctx);
}

template <typename T>
StatusOr<Chain> EigenMatMul(T alpha, const DenseHostTensor& a, const DenseHostTensor& b, T beta,
                            DenseHostTensor& out, const Chain&) {
  TFRT_RETURN_IF_ERROR(maths::ScaledMatMul(alpha, a, b, beta, out));
  return Chain();
}

// `b` may be packed.
Completion MatMul(const DenseHostTensor& a, Argument<AsyncValue> b, DenseHostTensor& out,
                  const Chain&, Attribute<bool> transpose_a, Attribute<bool> transpose_b,
                  const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(MatrixOperand matrix, SecondMatrix(b));
  const MatMulOptions options{*transpose_a, *transpose_b};
  return maths::MatMul(a, matrix, nullptr, out, options, exec_ctx);
}

Completion MatMulBias(const DenseHostTensor& a, Argument<AsyncValue> b, const DenseHostTensor& bias,
                      DenseHostTensor& out, const Chain&, StringAttribute activation,
                      Attribute<bool> transpose_a, Attribute<bool> transpose_b,
                      const ExecutionContext& exec_ctx) {
  MatMulOptions options{*transpose_a, *transpose_b};
  TFRT_ASSIGN_OR_RETURN(options.activation, maths::ParseActivation(*activation));
  TFRT_ASSIGN_OR_RETURN(MatrixOperand matrix, SecondMatrix(b));
  return maths::MatMul(a, matrix, &bias, out, options, exec_ctx);
}

// tf._FusedMatMul: the fusion follows the bias. The output is the last operand, as of all kernels
// tf_sync.*, or comes before the bias, as in TFRT's releases of 2021 to 2023: of the two, the bias
// alone is a vector.
Status SyncFusedMatMul(const DenseHostTensor& a, const DenseHostTensor& b, DenseHostTensor& third,
                       DenseHostTensor& fourth, AggregateAttribute fused_ops,
                       Attribute<bool> transpose_a, Attribute<bool> transpose_b,
                       const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(MatMulFusion fusion, ParseMatMulFusion(fused_ops));
  const MatMulOptions options{*transpose_a, *transpose_b};
  const bool bias_is_last = fourth.shape().rank() == 1;
  return maths::FusedMatMulOnThisThread(a, b, bias_is_last ? fourth : third, fusion,
                                        bias_is_last ? third : fourth, options, exec_ctx);
}

Completion BatchMatMul(const DenseHostTensor& a, const DenseHostTensor& b, DenseHostTensor& out,
                       const Chain&, Attribute<float> alpha, Attribute<bool> transpose_a,
                       Attribute<bool> transpose_b, const ExecutionContext& exec_ctx) {
  return maths::BatchMatMul(*alpha, a, b, *transpose_a, *transpose_b, out, exec_ctx);
}

StatusOr<PackedMatrix> PackMatrix(const DenseHostTensor& b, Attribute<int64_t> rows,
                                  Attribute<bool> transpose_b, const ExecutionContext& exec_ctx) {
  return maths::PackMatrix(b, *rows, *transpose_b, exec_ctx);
}

}  // namespace

void RegisterEigenMatMulKernels(KernelRegistry* registry) {
  registry->AddKernel("eigen.matmul.f32", TFRT_KERNEL(EigenMatMulF32));
  registry->AddKernel("eigen.matmul.i32", TFRT_KERNEL(EigenMatMul<int32_t>));
}

void RegisterTestMatMulKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_test.matmul.f32.2", TFRT_KERNEL(EigenMatMulF32));
  registry->AddKernel("tfrt_test.matmul.f64.2", TFRT_KERNEL(EigenMatMul<double>));
  registry->AddKernel("tfrt_test.matmul.i32.2", TFRT_KERNEL(EigenMatMul<int32_t>));
  registry->AddKernel("tfrt_test.matmul.i64.2", TFRT_KERNEL(EigenMatMul<int64_t>));
}

void RegisterCpuMatMulKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_cpu.matmul.f32", TFRT_KERNEL(MatMul));
  registry->AddKernel("tfrt_cpu.matmul.bias.f32", TFRT_KERNEL(MatMulBias));
  registry->AddSyncKernel("tf_sync._FusedMatMul.f32", TFRT_SYNC_KERNEL(SyncFusedMatMul));
  registry->AddKernel("tfrt_cpu.batch_matmul.f32", TFRT_KERNEL(BatchMatMul));
  registry->AddKernel("tfrt_cpu.pack_matrix.f32", TFRT_KERNEL(PackMatrix));
}

}  // namespace tfrt
