// Pools of images with up to three spatial dimensions and both orders of channels. Thread-safe;
// tensors are borrowed for the time of the call, their memory until the completion (completion.h).
#ifndef TFRT_LIB_OPS_MATHS_TENSOR_ND_POOLING_H_
#define TFRT_LIB_OPS_MATHS_TENSOR_ND_POOLING_H_

#include "lib/ops/maths/completion.h"
#include "lib/ops/maths/shapes/nd_windows.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::maths {

// The windows are those of a pool from `in` to `out`; InvalidArgument for dtypes without the pool.

// Computes the maximum of real numbers. It is NaN if there is one in the window, and the lowest
// number for a window that lies in padding. Null is allowed for `places`, i64 with the shape of
// `out`. They are the row-major positions of the elements in the whole input, the first of equal
// ones; 0 for a window without one.
Completion MaxPool(const NdWindows& windows, const DenseHostTensor& in, DenseHostTensor& out,
                   DenseHostTensor* places, const ExecutionContext& exec_ctx);
// Averages floating-point numbers: the mean of those elements of a window that exist, NaN for none.
// With `count_padding` the divisor is the number of taps on the image with its padding.
Completion AveragePool(const NdWindows& windows, bool count_padding, const DenseHostTensor& in,
                       DenseHostTensor& out, const ExecutionContext& exec_ctx);
// Computes (sum |x|^p)^(1/p) of floating-point numbers, p > 0.
Completion LpPool(const NdWindows& windows, int64_t p, const DenseHostTensor& in,
                  DenseHostTensor& out, const ExecutionContext& exec_ctx);

}  // namespace tfrt::maths

#endif  // TFRT_LIB_OPS_MATHS_TENSOR_ND_POOLING_H_
