// Products and convolutions of 8-bit integers, in i32 or as what they stand for: (q - zero) *
// scale. The sums are exact. Thread-safe; tensors are borrowed for the time of the call, their
// memory until the completion (completion.h). Null tensors are left out.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_QUANTIZED_PRODUCTS_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_QUANTIZED_PRODUCTS_H_

#include <cstdint>
#include <memory>

#include "activation.h"
#include "lib/ops/maths/completion.h"
#include "lib/ops/maths/shapes/nd_windows.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt {

namespace contraction {
class PackedBytes;
}  // namespace contraction

namespace maths {

using PackedBytesRef = std::shared_ptr<const contraction::PackedBytes>;

// A second factor, as it comes or packed. Borrows the tensor.
struct ByteOperand {
  TensorShape shape;  // of the plain tensor
  DType dtype;
  const DenseHostTensor* plain = nullptr;
  PackedBytesRef packed;
  bool packed_transposed = false;
};
// A dense tensor or a packed one; InvalidArgument for another kind.
StatusOr<ByteOperand> ByteOperandOf(const Tensor& tensor);

// The factor in the layout that this CPU's kernel reads. A matrix [K,N], or [N,K] if transpose_b; a
// filter of so many groups, as the op table's `conv` has it. Both are i8 or u8. The result is the
// value of a program: a packed tensor, or null for a factor that is best as it is.
StatusOr<RCReference<AsyncValue>> PackByteMatrix(const DenseHostTensor& matrix, bool transpose_b);
StatusOr<RCReference<AsyncValue>> PackByteFilter(const DenseHostTensor& filter, int64_t groups,
                                                 bool channels_last);

// Factors are i8 or u8; their zero points have the same dtype. `out` is i32, its shape as in the op
// table. InvalidArgument for a wrong number of zero points, and for sums that may leave 32 bits.

// conv(in - in_zero, filter - filter_zero): one zero point of the input, one of the filter or one
// for each output channel. Padding is 0 after the subtraction.
Completion ConvInteger(const DenseHostTensor& in, const ByteOperand& filter,
                       const DenseHostTensor* in_zero, const DenseHostTensor* filter_zero,
                       int64_t groups, const NdWindowAttributes& windows, DenseHostTensor& out,
                       const ExecutionContext& exec_ctx);

// Computes (a - a_zero) * (b - b_zero), with leading dimensions broadcast. Zero points are one, or
// one for each row of a or column of b. For a they may also be one for each row of all its
// matrices. A packed b is one matrix.
Completion MatMulInteger(const DenseHostTensor& a, const ByteOperand& b,
                         const DenseHostTensor* a_zero, const DenseHostTensor* b_zero,
                         DenseHostTensor& out, const ExecutionContext& exec_ctx);

// These tensors stand beside the factors a and b; shapes and dtypes are those of the op table's
// `quantized_matmul`.
struct QuantizedNumbers {
  const DenseHostTensor* a_scale = nullptr;  // required
  const DenseHostTensor* b_scale = nullptr;  // required
  const DenseHostTensor* a_zero = nullptr;
  const DenseHostTensor* b_zero = nullptr;
  const DenseHostTensor* bias = nullptr;
  const DenseHostTensor* addend = nullptr;
  const DenseHostTensor* out_scale = nullptr;
  const DenseHostTensor* out_zero = nullptr;
  ActivationWithParameters activation;
};

// The op table's `quantized_matmul`. InvalidArgument also for scales that are not positive and
// finite, and for those of a and b whose product is no normal finite number. A result in f32 has
// the scales of a that byte_operands.h says.
Completion QuantizedMatMul(const DenseHostTensor& a, const ByteOperand& b, bool transpose_b,
                           const QuantizedNumbers& numbers, DenseHostTensor& out,
                           const ExecutionContext& exec_ctx);

// The op table's `quantized_conv`, with the same errors.
Completion QuantizedConv(const DenseHostTensor& in, const ByteOperand& filter, int64_t groups,
                         const NdWindowAttributes& windows, const QuantizedNumbers& numbers,
                         DenseHostTensor& out, const ExecutionContext& exec_ctx);

// The op table's `dynamic_quantized_matmul`: x is f32, and `numbers` have no a_scale, no a_zero,
// and nothing for the addend and the result.
Completion DynamicQuantizedMatMul(const DenseHostTensor& x, const ByteOperand& b, bool transpose_b,
                                  const QuantizedNumbers& numbers, DenseHostTensor& out,
                                  const ExecutionContext& exec_ctx);

}  // namespace maths
}  // namespace tfrt

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_QUANTIZED_PRODUCTS_H_
