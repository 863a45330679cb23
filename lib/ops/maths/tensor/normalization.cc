#include "lib/ops/maths/normalization.h"

#include <cstdint>
#include <string_view>

#include "lib/ops/maths/cpu/normalization.h"
#include "lib/ops/maths/cpu/parallel_blocks.h"
#include "lib/ops/maths/cpu/softmax.h"
#include "operand_checks.h"
#include "tfrt/support/half.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt::maths {
namespace {

// Elements of the last axis. "OP: a tensor of rank 0 has no last axis"
StatusOr<int64_t> LastAxis(std::string_view op, const DenseHostTensor& in) {
  if (in.shape().rank() == 0) {
    return InvalidArgumentError(StrCat(op, ": a tensor of rank 0 has no last axis"));
  }
  return in.shape().dim(in.shape().rank() - 1);
}

template <typename T>
using RowsFunction = void (*)(int64_t columns, const T* in, T* out, int64_t begin, int64_t end);

// A context is an ExecutionContext, or OnThisThread.
template <typename T, typename Context>
Completion RunSoftmax(std::string_view op, RowsFunction<T> rows_function, const DenseHostTensor& in,
                      DenseHostTensor& out, const Context& context) {
  TFRT_ASSIGN_OR_RETURN(int64_t columns, LastAxis(op, in));
  TFRT_RETURN_IF_ERROR(CheckOutputShape(op, out, in.shape()));
  TFRT_RETURN_IF_ERROR(CheckApartOrSame(op, out, {&in}));
  TFRT_ASSIGN_OR_RETURN(auto x, DenseView<T>::Create(in, "the input"));
  TFRT_ASSIGN_OR_RETURN(auto y, MutableDenseView<T>::Create(out, "the output"));
  if (y.size() == 0) return GetReadyChain();
  return RunBlocks(context, x.size() / columns, ItemsPerBlock(columns * 8 * sizeof(T)), {&in, &out},
                   [=, x = x.data(), y = y.data()](size_t begin, size_t end) {
                     rows_function(columns, x, y, begin, end);
                   });
}

}  // namespace

template <typename T>
Completion Softmax(const DenseHostTensor& in, DenseHostTensor& out,
                   const ExecutionContext& exec_ctx) {
  return RunSoftmax<T>("softmax", cpu::SoftmaxRows, in, out, exec_ctx);
}

template <typename T>
Completion LogSoftmax(const DenseHostTensor& in, DenseHostTensor& out,
                      const ExecutionContext& exec_ctx) {
  return RunSoftmax<T>("log_softmax", cpu::LogSoftmaxRows, in, out, exec_ctx);
}

#define TFRT_INSTANTIATE(T)                                                   \
  template Completion Softmax<T>(const DenseHostTensor&, DenseHostTensor&,    \
                                 const ExecutionContext&);                    \
  template Completion LogSoftmax<T>(const DenseHostTensor&, DenseHostTensor&, \
                                    const ExecutionContext&);
TFRT_INSTANTIATE(Fp16)
TFRT_INSTANTIATE(Bf16)
TFRT_INSTANTIATE(float)
TFRT_INSTANTIATE(double)
#undef TFRT_INSTANTIATE

Status SoftmaxOnThisThread(const DenseHostTensor& in, DenseHostTensor& out) {
  return RunSoftmax<float>("softmax", cpu::SoftmaxRows, in, out, OnThisThread()).status();
}

Status LogSoftmaxOnThisThread(const DenseHostTensor& in, DenseHostTensor& out) {
  return RunSoftmax<float>("log_softmax", cpu::LogSoftmaxRows, in, out, OnThisThread()).status();
}

Completion LayerNorm(const DenseHostTensor& in, const DenseHostTensor& scale,
                     const DenseHostTensor& offset, float epsilon, DenseHostTensor& out,
                     const ExecutionContext& exec_ctx) {
  constexpr std::string_view kOp = "layer_norm";
  TFRT_ASSIGN_OR_RETURN(int64_t columns, LastAxis(kOp, in));
  TFRT_RETURN_IF_ERROR(CheckOutputShape(kOp, out, in.shape()));
  TFRT_RETURN_IF_ERROR(CheckApartOrSame(kOp, out, {&in}));
  TFRT_RETURN_IF_ERROR(CheckApart(kOp, out, {&scale, &offset}));
  TFRT_ASSIGN_OR_RETURN(auto x, DenseView<float>::Create(in, "the input"));
  TFRT_ASSIGN_OR_RETURN(auto y, MutableDenseView<float>::Create(out, "the output"));
  TFRT_ASSIGN_OR_RETURN(const float* scales, VectorOf(kOp, scale, columns, "the scale"));
  TFRT_ASSIGN_OR_RETURN(const float* offsets, VectorOf(kOp, offset, columns, "the offset"));
  if (y.size() == 0) return GetReadyChain();
  return RunBlocks(exec_ctx, x.size() / columns, ItemsPerBlock(3 * columns * sizeof(float)),
                   {&in, &scale, &offset, &out},
                   [=, x = x.data(), y = y.data()](size_t begin, size_t end) {
                     cpu::LayerNormRows(columns, scales, offsets, epsilon, x, y, begin, end);
                   });
}

Completion BatchNorm(const DenseHostTensor& in, const DenseHostTensor& scale,
                     const DenseHostTensor& offset, const DenseHostTensor& mean,
                     const DenseHostTensor& variance, float epsilon, DenseHostTensor& out,
                     const ExecutionContext& exec_ctx) {
  constexpr std::string_view kOp = "batch_norm";
  TFRT_ASSIGN_OR_RETURN(int64_t channels, LastAxis(kOp, in));
  TFRT_RETURN_IF_ERROR(CheckOutputShape(kOp, out, in.shape()));
  TFRT_RETURN_IF_ERROR(CheckApartOrSame(kOp, out, {&in}));
  TFRT_RETURN_IF_ERROR(CheckApart(kOp, out, {&scale, &offset, &mean, &variance}));
  TFRT_ASSIGN_OR_RETURN(auto x, DenseView<float>::Create(in, "the input"));
  TFRT_ASSIGN_OR_RETURN(auto y, MutableDenseView<float>::Create(out, "the output"));
  cpu::BatchNormParameters parameters;
  parameters.channels = channels;
  parameters.epsilon = epsilon;
  TFRT_ASSIGN_OR_RETURN(parameters.scale, VectorOf(kOp, scale, channels, "the scale"));
  TFRT_ASSIGN_OR_RETURN(parameters.offset, VectorOf(kOp, offset, channels, "the offset"));
  TFRT_ASSIGN_OR_RETURN(parameters.mean, VectorOf(kOp, mean, channels, "the mean"));
  TFRT_ASSIGN_OR_RETURN(parameters.variance, VectorOf(kOp, variance, channels, "the variance"));
  if (y.size() == 0) return GetReadyChain();
  return RunBlocks(exec_ctx, x.size() / channels, ItemsPerBlock(channels * sizeof(float)),
                   {&in, &scale, &offset, &mean, &variance, &out},
                   [parameters, x = x.data(), y = y.data()](size_t begin, size_t end) {
                     cpu::BatchNormRows(parameters, x, y, begin, end);
                   });
}

}  // namespace tfrt::maths
