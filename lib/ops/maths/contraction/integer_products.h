// Products of 8-bit integers with zero points, in i32, exactly. Thread-safe; tensors are borrowed
// for the time of the call, their memory until the completion (completion.h).
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_INTEGER_PRODUCTS_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_INTEGER_PRODUCTS_H_

#include <cstdint>

#include "lib/ops/maths/completion.h"
#include "lib/ops/maths/shapes/nd_windows.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::maths {

// Factors are i8 or u8. Their zero points, which may be null, have the same dtype. `out` is i32,
// its shape as in the op table. InvalidArgument for a wrong number of zero points.

// conv(in - in_zero, filter - filter_zero): one zero point of the input, one of the filter or one
// for each output channel. Padding is 0 after the subtraction.
Completion ConvInteger(const DenseHostTensor& in, const DenseHostTensor& filter,
                       const DenseHostTensor* in_zero, const DenseHostTensor* filter_zero,
                       int64_t groups, const NdWindowAttributes& windows, DenseHostTensor& out,
                       const ExecutionContext& exec_ctx);

// Computes (a - a_zero) * (b - b_zero), with leading dimensions broadcast. Zero points are one, or
// one for each row of a or column of b. For a they may also be one for each row of all its
// matrices.
Completion MatMulInteger(const DenseHostTensor& a, const DenseHostTensor& b,
                         const DenseHostTensor* a_zero, const DenseHostTensor* b_zero,
                         DenseHostTensor& out, const ExecutionContext& exec_ctx);

}  // namespace tfrt::maths

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_INTEGER_PRODUCTS_H_
