// Operations that move elements of tensors. Thread-safe. Tensors are borrowed during the call,
// their memory until the completion (completion.h). `dtype` is that of input and output, any number
// or i1. Outputs share no memory with inputs unless the comment says otherwise.
#ifndef TFRT_LIB_OPS_MATHS_TENSOR_MOVEMENT_H_
#define TFRT_LIB_OPS_MATHS_TENSOR_MOVEMENT_H_

#include <cstdint>
#include <span>

#include "lib/ops/maths/completion.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/string_host_tensor.h"

namespace tfrt::maths {

// The same elements in another shape. The output may be the input's memory.
Completion Reshape(DType dtype, const DenseHostTensor& in, DenseHostTensor& out,
                   const ExecutionContext& exec_ctx);

// Dimension i of the output is dimension permutation[i] of the input.
Completion Transpose(DType dtype, const DenseHostTensor& in, std::span<const int64_t> permutation,
                     DenseHostTensor& out, const ExecutionContext& exec_ctx);

// Computes the row `gather` of the op table, with indices of i32 or i64. InvalidArgument "gather:
// index 3 is out of range for axis 0 of the shape [2]".
Completion Gather(DType dtype, const DenseHostTensor& in, const DenseHostTensor& indices,
                  int64_t axis, DenseHostTensor& out, const ExecutionContext& exec_ctx);

// Concatenates the inputs along `axis`, for which the output has room. The row `concat` of the op
// table has the rules for their shapes.
Completion Concat(DType dtype, std::span<const DenseHostTensor* const> inputs, int64_t axis,
                  DenseHostTensor& out, const ExecutionContext& exec_ctx);

// f32, with elements of `value` before and after, as `padding` says for each dimension.
Completion Pad(const DenseHostTensor& in, std::span<const int64_t> padding, float value,
               DenseHostTensor& out, const ExecutionContext& exec_ctx);

// indices, i32 or i64, [...] -> f32 [...,depth]; an index outside the last dimension of the output
// gives zeros.
Completion OneHot(const DenseHostTensor& indices, DenseHostTensor& out,
                  const ExecutionContext& exec_ctx);

// `in` repeated, as often as `multiples` says for each dimension (TilingOf), at once.
Status Tile(const DenseHostTensor& in, const DenseHostTensor& multiples, DenseHostTensor& out);
Status Tile(const StringHostTensor& in, const DenseHostTensor& multiples, StringHostTensor& out);
// The same as often as it takes to fill `out`, of the same rank; its ends may hold parts of `in`.
// InvalidArgument if the ranks differ, or if `in` has no elements but `out` has.
Status TileToShape(const StringHostTensor& in, StringHostTensor& out);

}  // namespace tfrt::maths

#endif  // TFRT_LIB_OPS_MATHS_TENSOR_MOVEMENT_H_
