#include "lib/ops/maths/pooling.h"

#include <algorithm>

#include "lib/format/op_table/layout_rules.h"
#include "lib/ops/maths/cpu/parallel_blocks.h"
#include "lib/ops/maths/shapes/row_shapes.h"
#include "lib/ops/maths/shapes/window_geometry.h"
#include "operand_checks.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt::maths {
namespace {

Status CheckPooledShape(std::string_view op, const cpu::Pool2d& pool, const DenseHostTensor& out) {
  const int64_t dims[] = {pool.batch, pool.window.rows.output, pool.window.columns.output,
                          pool.channels};
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(dims));
  return CheckOutputShape(op, out, shape);
}

template <typename T>
Completion RunPool(std::string_view op,
                   void (*function)(const cpu::Pool2d& pool, const T* in, T* out, int64_t begin,
                                    int64_t end),
                   const cpu::Pool2d& pool, const DenseHostTensor& in, DenseHostTensor& out,
                   const ExecutionContext& exec_ctx) {
  TFRT_RETURN_IF_ERROR(CheckPooledShape(op, pool, out));
  TFRT_RETURN_IF_ERROR(CheckApart(op, out, {&in}));
  TFRT_ASSIGN_OR_RETURN(auto x, DenseView<T>::Create(in, "the input"));
  TFRT_ASSIGN_OR_RETURN(auto y, MutableDenseView<T>::Create(out, "the output"));
  if (y.size() == 0) return GetReadyChain();
  return RunBlocks(exec_ctx, pool.output_rows(), ItemsPerBlock(pool.row_cost()), {&in, &out},
                   [=, x = x.data(), y = y.data()](size_t begin, size_t end) {
                     function(pool, x, y, begin, end);
                   });
}

}  // namespace

StatusOr<cpu::Pool2d> MakePool2d(const TensorShape& in, std::span<const int64_t> ksize,
                                 std::string_view padding, std::span<const int64_t> strides) {
  TFRT_ASSIGN_OR_RETURN(Window2d window, Pool2dWindow(in, ksize, padding, strides));
  return cpu::Pool2d{in.dim(0), in.dim(3), window};
}

Completion MaxPool2d(const cpu::Pool2d& pool, const DenseHostTensor& in, DenseHostTensor& out,
                     const ExecutionContext& exec_ctx) {
  return RunPool("max_pool2d", cpu::MaxPool2dRows, pool, in, out, exec_ctx);
}

Completion MaxPool2dOfBytes(const cpu::Pool2d& pool, const DenseHostTensor& in,
                            DenseHostTensor& out, const ExecutionContext& exec_ctx) {
  return in.dtype() == DType::kI8
             ? RunPool("max_pool2d", cpu::MaxPool2dRowsI8, pool, in, out, exec_ctx)
             : RunPool("max_pool2d", cpu::MaxPool2dRowsU8, pool, in, out, exec_ctx);
}

Completion AveragePool2d(const cpu::Pool2d& pool, const DenseHostTensor& in, DenseHostTensor& out,
                         const ExecutionContext& exec_ctx) {
  return RunPool("avg_pool2d", cpu::AveragePool2dRows, pool, in, out, exec_ctx);
}

Completion MaxPool2dGrad(const cpu::Pool2d& pool, const DenseHostTensor& in,
                         const DenseHostTensor& out, const DenseHostTensor& out_grad,
                         DenseHostTensor& in_grad, const ExecutionContext& exec_ctx) {
  constexpr std::string_view kOp = "max_pool2d_grad";
  TFRT_RETURN_IF_ERROR(CheckPooledShape("max_pool2d", pool, out));
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

Completion GlobalAveragePool(const DenseHostTensor& in, DenseHostTensor& out,
                             const ExecutionContext& exec_ctx) {
  constexpr std::string_view kOp = "global_average_pool";
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, ShapeByRule<GlobalAveragePoolRule>({&in.shape()}));
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

}  // namespace tfrt::maths
