// Kernels of tfrt_test.* that only move elements.

#include <algorithm>
#include <cstring>

#include "kernel_groups.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt {
namespace {

Status OutputShapeError(std::string_view op, const Tensor& out, const Tensor& in) {
  return InvalidArgumentError(StrCat(op, " output shape ", out.shape().ToString(),
                                     " does not match the input shape ", in.shape().ToString()));
}

// in [N,...] -> out [N, elements of one of the N]
StatusOr<Chain> Flatten(const DenseHostTensor& in, DenseHostTensor& out, const Chain&) {
  TFRT_ASSIGN_OR_RETURN(auto in_view, DenseView<float>::Create(in, "the input"));
  TFRT_ASSIGN_OR_RETURN(auto out_view, MutableDenseView<float>::Create(out, "the output"));
  if (in.shape().rank() == 0 || out.shape().rank() != 2 ||
      out.shape().dim(0) != in.shape().dim(0) || out_view.size() != in_view.size()) {
    return OutputShapeError("Flatten", out, in);
  }
  // Both may lie in one buffer.
  if (in_view.size() != 0) std::memmove(out_view.data(), in_view.data(), in.size_bytes());
  return Chain();
}

// in [M,N] -> out [N,M]
StatusOr<Chain> TensorTranspose(const DenseHostTensor& in, DenseHostTensor& out, const Chain&) {
  TFRT_RETURN_IF_ERROR(CheckRank(in, 2, "the input"));
  TFRT_RETURN_IF_ERROR(CheckRank(out, 2, "the output"));
  TFRT_ASSIGN_OR_RETURN(auto in_view, DenseView<float>::Create(in, "the input"));
  TFRT_ASSIGN_OR_RETURN(auto out_view, MutableDenseView<float>::Create(out, "the output"));
  const int64_t rows = in.shape().dim(0);
  const int64_t columns = in.shape().dim(1);
  if (out.shape().dim(0) != columns || out.shape().dim(1) != rows) {
    return OutputShapeError("TensorTranspose", out, in);
  }
  if (in_view.size() == 0) return Chain();
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) out_view[j * rows + i] = in_view[i * columns + j];
  }
  return Chain();
}

// in [N,C] -> out [N,H,W,C]: each row repeated H * W times.
StatusOr<Chain> Broadcast2d(const DenseHostTensor& in, DenseHostTensor& out, const Chain&) {
  TFRT_RETURN_IF_ERROR(CheckRank(in, 2, "the input"));
  TFRT_RETURN_IF_ERROR(CheckRank(out, 4, "the output"));
  TFRT_ASSIGN_OR_RETURN(auto in_view, DenseView<float>::Create(in, "the input"));
  TFRT_ASSIGN_OR_RETURN(auto out_view, MutableDenseView<float>::Create(out, "the output"));
  const int64_t channels = in.shape().dim(1);
  if (out.shape().dim(0) != in.shape().dim(0) || out.shape().dim(3) != channels) {
    return OutputShapeError("Broadcast2D", out, in);
  }
  if (out_view.size() == 0) return Chain();
  const int64_t positions = out.shape().dim(1) * out.shape().dim(2);
  float* to = out_view.data();
  for (int64_t n = 0; n < in.shape().dim(0); ++n) {
    for (int64_t i = 0; i < positions; ++i) {
      to = std::copy_n(in_view.data() + n * channels, channels, to);
    }
  }
  return Chain();
}

// out [A,B,C] = the part of `in` that begins at `begin` and is as large as out.
template <typename T>
StatusOr<Chain> SliceInPlace(const DenseHostTensor& in, const DenseHostTensor& begin, const Chain&,
                             DenseHostTensor& out) {
  TFRT_RETURN_IF_ERROR(CheckRank(in, 3, "the input"));
  TFRT_RETURN_IF_ERROR(CheckRank(out, 3, "the output"));
  TFRT_RETURN_IF_ERROR(CheckRank(begin, 1, "begin_index"));
  TFRT_ASSIGN_OR_RETURN(auto in_view, DenseView<T>::Create(in, "the input"));
  TFRT_ASSIGN_OR_RETURN(auto first, DenseView<int64_t>::Create(begin, "begin_index"));
  TFRT_ASSIGN_OR_RETURN(auto out_view, MutableDenseView<T>::Create(out, "the output"));
  if (first.size() != 3) {
    return InvalidArgumentError("the size of 'begin_index' should match the input tensor rank");
  }
  const auto& in_shape = in.shape();
  const auto& out_shape = out.shape();
  for (size_t i = 0; i < 3; ++i) {
    int64_t end;
    if (first[i] < 0 || __builtin_add_overflow(first[i], out_shape.dim(i), &end) ||
        end > in_shape.dim(i)) {
      return InvalidArgumentError(StrCat("a slice of the shape ", out_shape.ToString(),
                                         " that begins at ", DimsToString(first.elements()),
                                         " is not inside the input shape ", in_shape.ToString()));
    }
  }
  if (out_view.size() == 0) return Chain();
  T* to = out_view.data();
  for (int64_t i = 0; i < out_shape.dim(0); ++i) {
    for (int64_t j = 0; j < out_shape.dim(1); ++j) {
      int64_t row = (first[0] + i) * in_shape.dim(1) + first[1] + j;
      const T* from = in_view.data() + row * in_shape.dim(2) + first[2];
      std::memmove(to, from, static_cast<size_t>(out_shape.dim(2)) * sizeof(T));
      to += out_shape.dim(2);
    }
  }
  return Chain();
}

}  // namespace

void RegisterLayoutKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_test.flatten.f32", TFRT_KERNEL(Flatten));
  registry->AddKernel("tfrt_test.tensor_transpose.f32", TFRT_KERNEL(TensorTranspose));
  registry->AddKernel("tfrt_test.broadcast_2d.f32", TFRT_KERNEL(Broadcast2d));
  registry->AddKernel("tfrt_test.slice_inplace.f32.3", TFRT_KERNEL(SliceInPlace<float>));
  registry->AddKernel("tfrt_test.slice_inplace.i32.3", TFRT_KERNEL(SliceInPlace<int32_t>));
  registry->AddKernel("tfrt_test.slice_inplace.i64.3", TFRT_KERNEL(SliceInPlace<int64_t>));
}

}  // namespace tfrt
