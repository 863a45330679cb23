// Kernels whose outputs are windows of images [N,H,W,C]: pooling and padding, of tfrt_test.* and
// eigen.*.

#include <algorithm>
#include <array>
#include <string>

#include "kernel_groups.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/kernel_maths/cpu/parallel_blocks.h"
#include "tfrt/kernel_maths/cpu/pooling.h"
#include "tfrt/kernel_maths/window_geometry.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt {
namespace {

using Result = StatusOr<AsyncValueRef<Chain>>;

Status CheckImages(const DenseHostTensor& in, const DenseHostTensor& out) {
  TFRT_RETURN_IF_ERROR(CheckRank(in, 4, "the input"));
  return CheckRank(out, 4, "the output");
}

StatusOr<cpu::Pool2d> MakePool(const TensorShape& in, std::array<int64_t, 2> window,
                               std::array<int64_t, 2> strides, Padding padding) {
  cpu::Pool2d pool{in.dim(0), in.dim(3), {}};
  TFRT_ASSIGN_OR_RETURN(pool.window, Window2d::Create(in, window, strides, padding));
  return pool;
}

StatusOr<TensorShape> OutputShape(const cpu::Pool2d& pool) {
  const int64_t dims[] = {pool.batch, pool.window.rows.output, pool.window.columns.output,
                          pool.channels};
  return TensorShape::Create(dims);
}

Result RunMaxPool(const ExecutionContext& exec_ctx, const cpu::Pool2d& pool,
                  const DenseHostTensor& in, DenseHostTensor& out) {
  TFRT_ASSIGN_OR_RETURN(auto in_view, DenseView<float>::Create(in, "the input"));
  TFRT_ASSIGN_OR_RETURN(auto out_view, MutableDenseView<float>::Create(out, "the output"));
  if (out_view.size() == 0) return GetReadyChain();
  return RunBlocks(exec_ctx, pool.output_rows(), ItemsPerBlock(pool.row_cost()), {&in, &out},
                   [pool, in = in_view.data(), out = out_view.data()](size_t begin, size_t end) {
                     cpu::MaxPool2dRows(pool, in, out, begin, end);
                   });
}

Result MaxPooling2d(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
                    StringAttribute padding, ArrayAttribute<int32_t> pool_size,
                    ArrayAttribute<int32_t> strides, const ExecutionContext& exec_ctx) {
  if (pool_size.size() != 2) {
    return InvalidArgumentError("MaxPool2D expects pool_size to have 2 elements");
  }
  if (strides.size() != 2) {
    return InvalidArgumentError("MaxPool2D expects strides to have 2 elements");
  }
  if (*padding != "same" && *padding != "valid") {
    return InvalidArgumentError(StrCat("MaxPool2D padding '", *padding, "' is not recognized"));
  }
  TFRT_RETURN_IF_ERROR(CheckImages(in, out));
  TFRT_ASSIGN_OR_RETURN(auto pool,
                        MakePool(in.shape(), {pool_size[0], pool_size[1]}, {strides[0], strides[1]},
                                 *padding == "same" ? Padding::kSame : Padding::kValid));
  TFRT_ASSIGN_OR_RETURN(TensorShape expected, OutputShape(pool));
  if (out.shape() != expected) {
    return InvalidArgumentError(StrCat("MaxPool2D output shape ", out.shape().ToString(),
                                       " does not match the expected output shape ",
                                       expected.ToString()));
  }
  return RunMaxPool(exec_ctx, pool, in, out);
}

Result EigenMaxPooling2d(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
                         StringAttribute padding, ArrayAttribute<int64_t> pool_size,
                         ArrayAttribute<int64_t> strides, const ExecutionContext& exec_ctx) {
  if (strides.size() != 2) return InvalidArgumentError("strides should have 2 elements");
  if (pool_size.size() != 2) return InvalidArgumentError("ksize should have 2 elements");
  StatusOr<Padding> kind = ParsePadding(*padding);
  if (!kind.ok() || *kind == Padding::kExplicit) {
    return InvalidArgumentError("padding type is not supported");
  }
  TFRT_RETURN_IF_ERROR(CheckImages(in, out));
  TFRT_ASSIGN_OR_RETURN(auto pool, MakePool(in.shape(), {pool_size[0], pool_size[1]},
                                            {strides[0], strides[1]}, *kind));
  TFRT_ASSIGN_OR_RETURN(TensorShape expected, OutputShape(pool));
  if (out.shape() != expected) {
    return InvalidArgumentError("output tensor has the wrong shape");
  }
  return RunMaxPool(exec_ctx, pool, in, out);
}

// [N,H,W,C] -> [N,C]
Result GlobalAveragePooling(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
                            const ExecutionContext& exec_ctx) {
  TFRT_RETURN_IF_ERROR(CheckRank(in, 4, "the input"));
  TFRT_RETURN_IF_ERROR(CheckRank(out, 2, "the output"));
  TFRT_ASSIGN_OR_RETURN(auto in_view, DenseView<float>::Create(in, "the input"));
  TFRT_ASSIGN_OR_RETURN(auto out_view, MutableDenseView<float>::Create(out, "the output"));
  const int64_t channels = in.shape().dim(3);
  if (out.shape().dim(0) != in.shape().dim(0) || out.shape().dim(1) != channels) {
    return InvalidArgumentError(StrCat("GlobalAveragePooling output shape ", out.shape().ToString(),
                                       " does not match the input shape ", in.shape().ToString()));
  }
  if (out_view.size() == 0) return GetReadyChain();
  const int64_t positions = in.shape().dim(1) * in.shape().dim(2);
  return RunBlocks(exec_ctx, in.shape().dim(0), ItemsPerBlock(positions * channels), {&in, &out},
                   [=, in = in_view.data(), out = out_view.data()](size_t begin, size_t end) {
                     cpu::GlobalAveragePoolImages(positions, channels, in, out, begin, end);
                   });
}

// out [N,H+2*padding[0],W+2*padding[1],C] = in [N,H,W,C] in a frame of zeros.
template <typename Int>
Result ZeroPadding(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
                   ArrayAttribute<Int> padding, const ExecutionContext& exec_ctx) {
  if (padding.size() != 2) return InvalidArgumentError("ZeroPadding expects padding of length 2");
  TFRT_RETURN_IF_ERROR(CheckImages(in, out));
  int64_t dims[4];
  std::ranges::copy(in.shape().dims(), dims);
  for (int i = 0; i < 2; ++i) {
    int64_t frame;
    if (padding[i] < 0 || __builtin_mul_overflow(int64_t{2}, padding[i], &frame) ||
        __builtin_add_overflow(dims[1 + i], frame, &dims[1 + i])) {
      return InvalidArgumentError(StrCat("ZeroPadding cannot pad the input shape ",
                                         in.shape().ToString(), " by ", padding[i]));
    }
  }
  if (!std::ranges::equal(out.shape().dims(), dims)) {
    return InvalidArgumentError(StrCat("ZeroPadding output shape ", out.shape().ToString(),
                                       " does not match the expected output shape ",
                                       DimsToString(dims)));
  }
  TFRT_ASSIGN_OR_RETURN(auto in_view, DenseView<float>::Create(in, "the input"));
  TFRT_ASSIGN_OR_RETURN(auto out_view, MutableDenseView<float>::Create(out, "the output"));
  if (out_view.size() == 0) return GetReadyChain();
  const int64_t in_rows = in.shape().dim(1);
  const int64_t in_row_size = in.shape().dim(2) * in.shape().dim(3);
  const int64_t out_rows = dims[1];
  const int64_t out_row_size = dims[2] * dims[3];
  const int64_t above = padding[0];
  const int64_t left = padding[1] * dims[3];
  return RunBlocks(exec_ctx, dims[0] * out_rows, ItemsPerBlock(out_row_size), {&in, &out},
                   [=, in = in_view.data(), out = out_view.data()](size_t begin, size_t end) {
                     for (size_t i = begin; i < end; ++i) {
                       int64_t image = static_cast<int64_t>(i) / out_rows;
                       int64_t row = static_cast<int64_t>(i) % out_rows - above;
                       float* out_row = out + i * out_row_size;
                       std::fill_n(out_row, out_row_size, 0.0f);
                       if (row < 0 || row >= in_rows) continue;
                       std::copy_n(in + (image * in_rows + row) * in_row_size, in_row_size,
                                   out_row + left);
                     }
                   });
}

}  // namespace

void RegisterWindowKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_test.max_pooling_2d.f32", TFRT_KERNEL(MaxPooling2d));
  registry->AddKernel("tfrt_test.global_average_pooling.f32", TFRT_KERNEL(GlobalAveragePooling));
  registry->AddKernel("tfrt_test.zero_padding.f32", TFRT_KERNEL(ZeroPadding<int32_t>));
}

void RegisterEigenWindowKernels(KernelRegistry* registry) {
  registry->AddKernel("eigen.max_pooling_2d.f32", TFRT_KERNEL(EigenMaxPooling2d));
  registry->AddKernel("eigen.zero_padding.f32", TFRT_KERNEL(ZeroPadding<int64_t>));
}

}  // namespace tfrt
