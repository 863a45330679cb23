// Convolutions of images with up to three spatial dimensions, groups of channels, and both orders
// of channels. Thread-safe; tensors are borrowed for the time of the call, their memory until the
// completion (completion.h). The output shares no memory with the inputs.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_ND_CONVOLUTION_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_ND_CONVOLUTION_H_

#include <cstdint>
#include <span>

#include "activation.h"
#include "convolution.h"
#include "lib/ops/maths/completion.h"
#include "lib/ops/maths/shapes/nd_windows.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::maths {

// Says how the sums of products are completed: activation(conv + bias [O] + what the output held).
struct ConvTail {
  const DenseHostTensor* bias = nullptr;
  bool add_to_output = false;
  ActivationWithParameters activation;
};

// The shapes are as the op table's `conv` says. All are f32; f64, f16, bf16 and the integers, whose
// sums wrap, only without activation, and without adding to the output.
Completion Conv(const DenseHostTensor& in, const FilterOperand& filter, int64_t groups,
                const NdWindowAttributes& windows, const ConvTail& tail, DenseHostTensor& out,
                const ExecutionContext& exec_ctx);

// Computes a transposed convolution of real numbers. The shapes are those of the op table's
// `conv_transpose`; the bias may be null.
Completion ConvTranspose(const DenseHostTensor& in, const DenseHostTensor& filter, int64_t groups,
                         const NdWindowAttributes& windows, std::span<const int64_t> output_padding,
                         const DenseHostTensor* bias, DenseHostTensor& out,
                         const ExecutionContext& exec_ctx);

// Returns the filter in the layout that convolutions of images of this shape read fastest.
// Convolutions of other images may use it as well, with the same groups. `input_shape` is empty, or
// has -1, where a size is not known.
StatusOr<PackedFilter> PackConvFilter(const DenseHostTensor& filter, int64_t groups,
                                      std::span<const int64_t> input_shape,
                                      const NdWindowAttributes& windows,
                                      const ExecutionContext& exec_ctx);

}  // namespace tfrt::maths

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_ND_CONVOLUTION_H_
