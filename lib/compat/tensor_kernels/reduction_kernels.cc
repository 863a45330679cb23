// Kernels of tfrt_test.* whose output elements depend on a whole row or tensor, or repeat one.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "kernel_groups.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt {
namespace {

// matrix [N,C] -> i32 [N]: the first column with the row's largest element.
template <typename T>
StatusOr<DenseHostTensor> ArgMax(const DenseHostTensor& matrix, const ExecutionContext& exec_ctx) {
  TFRT_RETURN_IF_ERROR(CheckRank(matrix, 2, "the argmax input"));
  TFRT_ASSIGN_OR_RETURN(auto in, DenseView<T>::Create(matrix, "the argmax input"));
  int64_t rows = in.shape().dim(0);
  int64_t columns = in.shape().dim(1);
  if (columns > std::numeric_limits<int32_t>::max() || (columns == 0 && rows > 0)) {
    return InvalidArgumentError(
        StrCat("argmax over ", columns, " columns has no 32-bit index: ", in.shape().ToString()));
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor result,
                        DenseHostTensor::CreateUninitialized({DType::kI32, TensorShape{rows}},
                                                             exec_ctx.host()->allocator()));
  TFRT_ASSIGN_OR_RETURN(auto out, MutableDenseView<int32_t>::Create(result, "the argmax output"));
  for (int64_t i = 0; i < rows; ++i) {
    const T* row = in.data() + i * columns;
    out[i] = static_cast<int32_t>(std::max_element(row, row + columns) - row);
  }
  return result;
}

// vector [C], shape [...,C] of rank R -> tensor: the vector repeated along the leading dimensions.
template <typename T, size_t R>
StatusOr<DenseHostTensor> Broadcast(const DenseHostTensor& vector, const TensorShape& shape,
                                    const ExecutionContext& exec_ctx) {
  TFRT_RETURN_IF_ERROR(CheckRank(vector, 1, "the broadcast input"));
  TFRT_ASSIGN_OR_RETURN(auto in, DenseView<T>::Create(vector, "the broadcast input"));
  if (shape.rank() != R || shape.dim(R - 1) != in.shape().dim(0)) {
    return InvalidArgumentError(StrCat(
        "broadcast input tensor dimension and target shape mismatch: ", in.shape().ToString(),
        " vs. ", shape.ToString()));
  }
  StatusOr<DenseHostTensor> result =
      DenseHostTensor::CreateUninitialized({DTypeOf<T>(), shape}, exec_ctx.host()->allocator());
  if (!result.ok()) return ResourceExhaustedError("cannot allocate result tensor");
  TFRT_ASSIGN_OR_RETURN(auto out, MutableDenseView<T>::Create(*result, "the broadcast output"));
  if (in.size() == 0) return result;
  for (size_t row = 0; row < out.size(); row += in.size()) {
    std::copy_n(in.data(), in.size(), out.data() + row);
  }
  return result;
}

// vector -> tensor of rank 0: the mean. Integers are summed in 64 bits and divided as C does.
template <typename T>
StatusOr<DenseHostTensor> ReduceMean(const DenseHostTensor& vector,
                                     const ExecutionContext& exec_ctx) {
  TFRT_RETURN_IF_ERROR(CheckRank(vector, 1, "the reduce_mean input"));
  TFRT_ASSIGN_OR_RETURN(auto in, DenseView<T>::Create(vector, "the reduce_mean input"));
  if (in.size() == 0) return InvalidArgumentError("reduce_mean of a tensor without elements");
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor result,
                        DenseHostTensor::CreateUninitialized({DTypeOf<T>(), TensorShape()},
                                                             exec_ctx.host()->allocator()));
  TFRT_ASSIGN_OR_RETURN(auto out, MutableDenseView<T>::Create(result, "the reduce_mean output"));
  using Sum = std::conditional_t<std::is_integral_v<T>, uint64_t, T>;  // unsigned: wraps
  Sum sum = 0;
  for (T element : in.elements()) sum += static_cast<Sum>(element);
  if constexpr (std::is_integral_v<T>) {
    out[0] = static_cast<T>(static_cast<int64_t>(sum) / static_cast<int64_t>(in.size()));
  } else {
    out[0] = sum / static_cast<T>(in.size());
  }
  return result;
}

// matrix [M,N] -> out [N]: the means of the columns. NaN for a matrix without rows.
StatusOr<Chain> MeanAxisZero(const DenseHostTensor& matrix, DenseHostTensor& out, const Chain&) {
  TFRT_RETURN_IF_ERROR(CheckRank(matrix, 2, "the mean_axis_zero input"));
  TFRT_RETURN_IF_ERROR(CheckRank(out, 1, "the mean_axis_zero output"));
  TFRT_ASSIGN_OR_RETURN(auto in, DenseView<float>::Create(matrix, "the mean_axis_zero input"));
  TFRT_ASSIGN_OR_RETURN(auto means,
                        MutableDenseView<float>::Create(out, "the mean_axis_zero output"));
  const int64_t rows = matrix.shape().dim(0);
  const int64_t columns = matrix.shape().dim(1);
  if (out.shape().dim(0) != columns) {
    return InvalidArgumentError(StrCat("MeanAxisZero output shape ", out.shape().ToString(),
                                       " does not match the input shape ",
                                       matrix.shape().ToString()));
  }
  for (int64_t j = 0; j < columns; ++j) {
    double sum = 0;
    for (int64_t i = 0; i < rows; ++i) sum += in[i * columns + j];
    means[j] = static_cast<float>(sum / static_cast<double>(rows));
  }
  return Chain();
}

// out = exp(out) / sum(exp(out)) over all elements. The largest element is subtracted first, which
// changes nothing but keeps exp from overflowing.
StatusOr<Chain> SoftmaxInPlace(DenseHostTensor& out, const Chain&) {
  TFRT_ASSIGN_OR_RETURN(auto view, MutableDenseView<float>::Create(out, "the softmax output"));
  if (view.size() == 0) return Chain();
  double largest = *std::ranges::max_element(view.elements());
  double sum = 0;
  for (float x : view.elements()) sum += std::exp(x - largest);
  for (float& x : view.elements()) x = static_cast<float>(std::exp(x - largest) / sum);
  return Chain();
}

template <typename T>
void RegisterReductions(KernelRegistry* registry, const std::string& dtype) {
  registry->AddKernel(StrCat("tfrt_test.argmax.", dtype, ".2"), TFRT_KERNEL(ArgMax<T>));
  registry->AddKernel(StrCat("tfrt_test.broadcast.", dtype, ".2"), TFRT_KERNEL(Broadcast<T, 2>));
  registry->AddKernel(StrCat("tfrt_test.broadcast.", dtype, ".3"), TFRT_KERNEL(Broadcast<T, 3>));
  registry->AddKernel(StrCat("tfrt_test.reduce_mean.", dtype, ".1"), TFRT_KERNEL(ReduceMean<T>));
}

}  // namespace

void RegisterReductionKernels(KernelRegistry* registry) {
  RegisterReductions<float>(registry, "f32");
  RegisterReductions<int32_t>(registry, "i32");
  RegisterReductions<int64_t>(registry, "i64");
  registry->AddKernel("tfrt_test.softmax_inplace.f32", TFRT_KERNEL(SoftmaxInPlace));
  registry->AddKernel("tfrt_test.mean_axis_zero.f32", TFRT_KERNEL(MeanAxisZero));
}

}  // namespace tfrt
