// tfrt_cpu.max_pool2d, .avg_pool2d, .global_average_pool, .max_pool2d_grad: images are [N,H,W,C].

#include <cstdint>
#include <string>

#include "kernel_groups.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/kernel_maths/cpu/parallel_blocks.h"
#include "tfrt/kernel_maths/cpu/pooling.h"
#include "tfrt/kernel_maths/operand_checks.h"
#include "tfrt/kernel_maths/shape_functions.h"

namespace tfrt {
namespace {

// Windows over `in`, which is not empty where the pool is used, after checking the shape of `out`.
StatusOr<cpu::Pool2d> MakePool(std::string_view op, const DenseHostTensor& in,
                               const DenseHostTensor& out, ArrayAttribute<int64_t> ksize,
                               StringAttribute padding, ArrayAttribute<int64_t> strides) {
  TFRT_ASSIGN_OR_RETURN(Window2d window,
                        Pool2dWindow(in.shape(), ksize.span(), *padding, strides.span()));
  TFRT_ASSIGN_OR_RETURN(TensorShape shape,
                        Pool2dShape(in.shape(), ksize.span(), *padding, strides.span()));
  TFRT_RETURN_IF_ERROR(CheckOutputShape(op, out, shape));
  return cpu::Pool2d{in.shape().dim(0), in.shape().dim(3), window};
}

using PoolFunction = void (*)(const cpu::Pool2d& pool, const float* in, float* out, int64_t begin,
                              int64_t end);

CpuResult RunPool(std::string_view op, PoolFunction function, const DenseHostTensor& in,
                  DenseHostTensor& out, ArrayAttribute<int64_t> ksize, StringAttribute padding,
                  ArrayAttribute<int64_t> strides, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(auto pool, MakePool(op, in, out, ksize, padding, strides));
  TFRT_RETURN_IF_ERROR(CheckApart(op, out, {&in}));
  TFRT_ASSIGN_OR_RETURN(auto x, DenseView<float>::Create(in, "the input"));
  TFRT_ASSIGN_OR_RETURN(auto y, MutableDenseView<float>::Create(out, "the output"));
  if (y.size() == 0) return GetReadyChain();
  return RunBlocks(exec_ctx, pool.output_rows(), ItemsPerBlock(pool.row_cost()), {&in, &out},
                   [=, x = x.data(), y = y.data()](size_t begin, size_t end) {
                     function(pool, x, y, begin, end);
                   });
}

CpuResult MaxPool2d(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
                    ArrayAttribute<int64_t> ksize, StringAttribute padding,
                    ArrayAttribute<int64_t> strides, const ExecutionContext& exec_ctx) {
  return RunPool("max_pool2d", cpu::MaxPool2dRows, in, out, ksize, padding, strides, exec_ctx);
}

CpuResult AvgPool2d(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
                    ArrayAttribute<int64_t> ksize, StringAttribute padding,
                    ArrayAttribute<int64_t> strides, const ExecutionContext& exec_ctx) {
  return RunPool("avg_pool2d", cpu::AveragePool2dRows, in, out, ksize, padding, strides, exec_ctx);
}

CpuResult GlobalAveragePool(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
                            const ExecutionContext& exec_ctx) {
  constexpr std::string_view kOp = "global_average_pool";
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, GlobalAveragePoolShape(in.shape()));
  TFRT_RETURN_IF_ERROR(CheckOutputShape(kOp, out, shape));
  TFRT_RETURN_IF_ERROR(CheckApart(kOp, out, {&in}));
  TFRT_ASSIGN_OR_RETURN(auto x, DenseView<float>::Create(in, "the input"));
  TFRT_ASSIGN_OR_RETURN(auto y, MutableDenseView<float>::Create(out, "the output"));
  if (y.size() == 0) return GetReadyChain();
  const int64_t positions = in.shape().dim(1) * in.shape().dim(2);
  const int64_t channels = in.shape().dim(3);
  return RunBlocks(exec_ctx, in.shape().dim(0), ItemsPerBlock(positions * channels * sizeof(float)),
                   {&in, &out}, [=, x = x.data(), y = y.data()](size_t begin, size_t end) {
                     cpu::GlobalAveragePoolImages(positions, channels, x, y, begin, end);
                   });
}

// in and out as max_pool2d had them; out_grad like out, in_grad like in.
CpuResult MaxPool2dGrad(const DenseHostTensor& in, const DenseHostTensor& out,
                        const DenseHostTensor& out_grad, DenseHostTensor& in_grad, const Chain&,
                        ArrayAttribute<int64_t> ksize, StringAttribute padding,
                        ArrayAttribute<int64_t> strides, const ExecutionContext& exec_ctx) {
  constexpr std::string_view kOp = "max_pool2d_grad";
  TFRT_ASSIGN_OR_RETURN(auto pool, MakePool("max_pool2d", in, out, ksize, padding, strides));
  TFRT_RETURN_IF_ERROR(
      CheckShapesMatch("output gradient shape", out_grad.shape(), "output shape", out.shape()));
  TFRT_RETURN_IF_ERROR(CheckOutputShape(kOp, in_grad, in.shape()));
  TFRT_RETURN_IF_ERROR(CheckApart(kOp, in_grad, {&in, &out, &out_grad}));
  TFRT_ASSIGN_OR_RETURN(auto x, DenseView<float>::Create(in, "the input"));
  TFRT_ASSIGN_OR_RETURN(auto y, DenseView<float>::Create(out, "the pooled input"));
  TFRT_ASSIGN_OR_RETURN(auto dy, DenseView<float>::Create(out_grad, "the output gradient"));
  TFRT_ASSIGN_OR_RETURN(auto dx, MutableDenseView<float>::Create(in_grad, "the output"));
  if (dx.size() == 0) return GetReadyChain();
  size_t image_cost =
      std::max<size_t>(pool.row_cost() * pool.window.rows.output, pool.input_image_size());
  return RunBlocks(
      exec_ctx, pool.batch, ItemsPerBlock(image_cost), {&in, &out, &out_grad, &in_grad},
      [=, x = x.data(), y = y.data(), dy = dy.data(), dx = dx.data()](size_t begin, size_t end) {
        cpu::MaxPool2dGradImages(pool, x, y, dy, dx, begin, end);
      });
}

}  // namespace

void RegisterCpuPoolingKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_cpu.max_pool2d.f32", TFRT_KERNEL(MaxPool2d));
  registry->AddKernel("tfrt_cpu.avg_pool2d.f32", TFRT_KERNEL(AvgPool2d));
  registry->AddKernel("tfrt_cpu.global_average_pool.f32", TFRT_KERNEL(GlobalAveragePool));
  registry->AddKernel("tfrt_cpu.max_pool2d_grad.f32", TFRT_KERNEL(MaxPool2dGrad));
}

}  // namespace tfrt
