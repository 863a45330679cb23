#include "conv_gradients.h"

#include <algorithm>

#include "lib/ops/maths/cpu/conv_grad.h"
#include "lib/ops/maths/cpu/parallel_blocks.h"
#include "lib/ops/maths/shapes/window_geometry.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt::maths {
namespace {

// The geometry of the convolution whose output gradient this is.
StatusOr<Conv2dGeometry> MakeGeometry(const DenseHostTensor& output_grad, const TensorShape& input,
                                      const TensorShape& filter, std::string_view padding,
                                      std::span<const int64_t> strides) {
  TFRT_ASSIGN_OR_RETURN(auto geometry, Conv2dGeometry::Create(input, filter, strides, padding));
  TFRT_ASSIGN_OR_RETURN(TensorShape computed, geometry.OutputShape());
  TFRT_RETURN_IF_ERROR(CheckShapesMatch("output gradient shape", output_grad.shape(),
                                        "computed output shape", computed));
  return geometry;
}

StatusOr<DenseHostTensor> AllocateScratch(const ExecutionContext& exec_ctx, int64_t num_floats) {
  return DenseHostTensor::CreateUninitialized({DType::kF32, TensorShape{num_floats}},
                                              exec_ctx.host()->allocator());
}

}  // namespace

Completion Conv2dFilterGrad(const DenseHostTensor& output_grad, const DenseHostTensor& input,
                            std::string_view padding, std::span<const int64_t> strides,
                            DenseHostTensor& kernel_grad, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(auto dy, DenseView<float>::Create(output_grad, "the output gradient"));
  TFRT_ASSIGN_OR_RETURN(auto in, DenseView<float>::Create(input, "the input"));
  TFRT_ASSIGN_OR_RETURN(auto dw,
                        MutableDenseView<float>::Create(kernel_grad, "the kernel gradient"));
  TFRT_ASSIGN_OR_RETURN(
      auto conv, MakeGeometry(output_grad, input.shape(), kernel_grad.shape(), padding, strides));
  if (dw.size() == 0 || dy.size() == 0) {
    std::ranges::fill(dw.elements(), 0.0f);
    return GetReadyChain();
  }
  auto blocks = cpu::ConvGradBlocks::ForFilter(conv);
  TFRT_ASSIGN_OR_RETURN(auto scratch,
                        AllocateScratch(exec_ctx, blocks.num_blocks * blocks.scratch_per_block));
  TFRT_ASSIGN_OR_RETURN(auto parts, MutableDenseView<float>::Create(scratch, "scratch memory"));
  float* part = parts.data();
  auto computed = RunBlocks(exec_ctx, blocks.num_blocks, 1, {&output_grad, &input, &scratch},
                            [=, dy = dy.data(), in = in.data()](size_t begin, size_t end) {
                              for (size_t i = begin; i < end; ++i) {
                                cpu::ConvFilterGradBlock(conv, blocks, i, dy, in,
                                                         part + i * blocks.scratch_per_block);
                              }
                            });
  return computed.Map([=, dw = dw.data(), scratch = scratch.buffer(),
                       result = kernel_grad.buffer()](Chain&) mutable {
    cpu::SumFilterGradBlocks(conv, blocks, part, dw);
    scratch.reset();
    result.reset();
    return Chain();
  });
}

Completion Conv2dInputGrad(const DenseHostTensor& output_grad, const DenseHostTensor& kernel,
                           std::string_view padding, std::span<const int64_t> strides,
                           DenseHostTensor& input_grad, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(auto dy, DenseView<float>::Create(output_grad, "the output gradient"));
  TFRT_ASSIGN_OR_RETURN(auto w, DenseView<float>::Create(kernel, "the kernel"));
  TFRT_ASSIGN_OR_RETURN(auto dx, MutableDenseView<float>::Create(input_grad, "the input gradient"));
  TFRT_ASSIGN_OR_RETURN(
      auto conv, MakeGeometry(output_grad, input_grad.shape(), kernel.shape(), padding, strides));
  if (dx.size() == 0 || dy.size() == 0 || w.size() == 0) {
    std::ranges::fill(dx.elements(), 0.0f);
    return GetReadyChain();
  }
  auto blocks = cpu::ConvGradBlocks::ForInput(conv);
  TFRT_ASSIGN_OR_RETURN(
      auto scratch, AllocateScratch(exec_ctx, (blocks.num_blocks + 1) * blocks.scratch_per_block));
  TFRT_ASSIGN_OR_RETURN(auto parts, MutableDenseView<float>::Create(scratch, "scratch memory"));
  float* transposed = parts.data();
  cpu::TransposeFilter(conv, w.data(), transposed);
  return RunBlocks(exec_ctx, blocks.num_blocks, 1, {&output_grad, &input_grad, &scratch},
                   [=, dy = dy.data(), dx = dx.data()](size_t begin, size_t end) {
                     for (size_t i = begin; i < end; ++i) {
                       cpu::ConvInputGradBlock(conv, blocks, i, dy, transposed, dx,
                                               transposed + (i + 1) * blocks.scratch_per_block);
                     }
                   });
}

}  // namespace tfrt::maths
