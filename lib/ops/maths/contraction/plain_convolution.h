// Convolutions by loops from the definition, for element types that no library computes with.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_PLAIN_CONVOLUTION_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_PLAIN_CONVOLUTION_H_

#include "lib/ops/maths/completion.h"
#include "lib/ops/maths/shapes/nd_windows.h"
#include "problem.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::maths {

// The problem of a convolution in `groups` with a filter [O,I,X...]
// if `filter_first`, else [X...,I,O]; InvalidArgument for shapes that do not fit.
StatusOr<contraction::ConvolutionProblem> MakeConvolutionProblem(
    const TensorShape& in, const TensorShape& filter, bool filter_first, int64_t groups,
    const NdWindowAttributes& attributes, const TensorShape& out);
// The same of windows over the images that are known to fit; it has so many output channels.
contraction::ConvolutionProblem ProblemOf(const NdWindows& windows, bool filter_first,
                                          int64_t groups, int64_t outputs);

// Computes in f64 and in integers, whose sums wrap; in f32, too. The shapes are those of the
// problem, whose beta and activation are ignored. InvalidArgument for other dtypes, and where they
// differ.
Completion PlainConvolution(const contraction::ConvolutionProblem& problem,
                            const DenseHostTensor& in, const DenseHostTensor& filter,
                            const DenseHostTensor* bias, DenseHostTensor& out,
                            const ExecutionContext& exec_ctx);
// The same for the convolution turned round: `problem` is the convolution whose gradient it is, so
// that its out_* are the sizes of `in`.
Completion PlainConvTranspose(const contraction::ConvolutionProblem& problem,
                              const DenseHostTensor& in, const DenseHostTensor& filter,
                              const DenseHostTensor* bias, DenseHostTensor& out,
                              const ExecutionContext& exec_ctx);

}  // namespace tfrt::maths

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_PLAIN_CONVOLUTION_H_
