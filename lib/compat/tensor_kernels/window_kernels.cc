// Kernels whose outputs are windows of images [N,H,W,C]: pooling and padding, of tfrt_test.* and
// eigen.*.

#include <algorithm>
#include <array>

#include "kernel_groups.h"
#include "lib/ops/maths/pooling.h"
#include "lib/ops/maths/shapes/window_geometry.h"
#include "lib/ops/maths/tensor/movement.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt {
namespace {

using Result = maths::Completion;

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
  return maths::MaxPool2d(pool, in, out, exec_ctx);
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
  return maths::MaxPool2d(pool, in, out, exec_ctx);
}

// [N,H,W,C] -> [N,C]
Result GlobalAveragePooling(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
                            const ExecutionContext& exec_ctx) {
  TFRT_RETURN_IF_ERROR(CheckRank(in, 4, "the input"));
  TFRT_RETURN_IF_ERROR(CheckRank(out, 2, "the output"));
  const int64_t channels = in.shape().dim(3);
  if (out.shape().dim(0) != in.shape().dim(0) || out.shape().dim(1) != channels) {
    return InvalidArgumentError(StrCat("GlobalAveragePooling output shape ", out.shape().ToString(),
                                       " does not match the input shape ", in.shape().ToString()));
  }
  return maths::GlobalAveragePool(in, out, exec_ctx);
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
  const int64_t before_and_after[] = {0, 0, padding[0], padding[0], padding[1], padding[1], 0, 0};
  return maths::Pad(in, before_and_after, 0, out, exec_ctx);
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
