// Reductions of tensors. Thread-safe; tensors are borrowed for the time of the call,
// their memory until the completion (completion.h).
#ifndef TFRT_LIB_OPS_MATHS_TENSOR_REDUCTION_H_
#define TFRT_LIB_OPS_MATHS_TENSOR_REDUCTION_H_

#include <cstdint>
#include <span>

#include "lib/ops/maths/completion.h"
#include "lib/ops/maths/cpu/reduce.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::maths {

// Computes sums, means or extremes over `axes` of a tensor of T, a number that is not complex. No
// axes are all. The sum of no elements is 0. Their mean is NaN, or an error for integers. Their
// extremes are errors, as are the cases that cpu::ReduceOp excludes.
template <typename T>
Completion Reduce(cpu::ReduceOp op, const DenseHostTensor& in, std::span<const int64_t> axes,
                  bool keep_dims, DenseHostTensor& out, const ExecutionContext& exec_ctx);

// Computes the first index of the largest element, or the smallest one, along `axis` of a tensor of
// T. The index is i32 or i64 as the output is; T is a number that is not complex. A NaN counts as
// largest and smallest.
template <typename T, bool smallest = false>
Completion Argmax(const DenseHostTensor& in, int64_t axis, DenseHostTensor& out,
                  const ExecutionContext& exec_ctx);

}  // namespace tfrt::maths

#endif  // TFRT_LIB_OPS_MATHS_TENSOR_REDUCTION_H_
