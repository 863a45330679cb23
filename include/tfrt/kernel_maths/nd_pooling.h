// Pools of images with up to three spatial dimensions and both orders of channels. Thread-safe;
// tensors are borrowed for the time of the call, their memory until the completion (completion.h).
#ifndef TFRT_KERNEL_MATHS_ND_POOLING_H_
#define TFRT_KERNEL_MATHS_ND_POOLING_H_

#include "tfrt/host_context/execution_context.h"
#include "tfrt/kernel_maths/completion.h"
#include "tfrt/kernel_maths/nd_windows.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::maths {

// The windows are those of a pool from `in` to `out`; InvalidArgument for dtypes without the pool.

// Of real numbers. NaN if there is one in the window, the lowest number for a window that lies in
// padding. `places`, i64 like `out`, may be null: where in the whole input, row-major, the element
// is, the first of equal ones; 0 for a window without one.
Completion MaxPool(const NdWindows& windows, const DenseHostTensor& in, DenseHostTensor& out,
                   DenseHostTensor* places, const ExecutionContext& exec_ctx);
// Of floating-point numbers: the mean of those elements of a window that exist, NaN for none; or,
// with `count_padding`, their sum by the number of its taps on the image with its padding.
Completion AveragePool(const NdWindows& windows, bool count_padding, const DenseHostTensor& in,
                       DenseHostTensor& out, const ExecutionContext& exec_ctx);
// Of floating-point numbers: (sum |x|^p)^(1/p), p > 0.
Completion LpPool(const NdWindows& windows, int64_t p, const DenseHostTensor& in,
                  DenseHostTensor& out, const ExecutionContext& exec_ctx);

}  // namespace tfrt::maths

#endif  // TFRT_KERNEL_MATHS_ND_POOLING_H_
