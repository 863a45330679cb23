// Gradients of convolutions of images [N,H,W,C] with filters [H,W,C,O], all f32, without dilations.
// `padding` is "valid" or "same" in any letter case. Thread-safe; tensors are borrowed for the time
// of the call, their memory until the completion (completion.h).
#ifndef TFRT_LIB_OPS_MATHS_TENSOR_CONV_GRADIENTS_H_
#define TFRT_LIB_OPS_MATHS_TENSOR_CONV_GRADIENTS_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "lib/ops/maths/completion.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::maths {

// The gradient of the filter, from those of the output and from the images.
Completion Conv2dFilterGrad(const DenseHostTensor& output_grad, const DenseHostTensor& input,
                            std::string_view padding, std::span<const int64_t> strides,
                            DenseHostTensor& kernel_grad, const ExecutionContext& exec_ctx);

// The gradient of the images, from that of the output and from the filter.
Completion Conv2dInputGrad(const DenseHostTensor& output_grad, const DenseHostTensor& kernel,
                           std::string_view padding, std::span<const int64_t> strides,
                           DenseHostTensor& input_grad, const ExecutionContext& exec_ctx);

}  // namespace tfrt::maths

#endif  // TFRT_LIB_OPS_MATHS_TENSOR_CONV_GRADIENTS_H_
