// Convolutions of images with any order of channels.

#include "lib/ops/maths/contraction/convolution.h"
#include "lib/ops/maths/contraction/packed_weights.h"
#include "op_groups.h"
#include "op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "window_attrs.h"

namespace tfrt {
namespace {

Status Conv(const DenseHostTensor& in, const Tensor& filter_tensor,
            OptionalOpArgument<DenseHostTensor> bias, const TensorMetadata& result, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(maths::FilterOperand filter, maths::FilterOperandOf(filter_tensor));
  const OpAttrsRef& attrs = call.attrs();
  return SetComputed(call, result, [&](DenseHostTensor& out) {
    return maths::Conv(in, filter, attrs.Get<int64_t>("groups").value_or(1),
                       WindowAttributesOf(attrs), {.bias = bias.get()}, out, call.exec_ctx());
  });
}

Status ConvTranspose(const DenseHostTensor& in, const DenseHostTensor& filter,
                     OptionalOpArgument<DenseHostTensor> bias, const TensorMetadata& result,
                     OpCall& call) {
  const OpAttrsRef& attrs = call.attrs();
  const auto padding =
      attrs.GetArray<int64_t>("output_padding").value_or(std::span<const int64_t>());
  return SetComputed(call, result, [&](DenseHostTensor& out) {
    return maths::ConvTranspose(in, filter, attrs.Get<int64_t>("groups").value_or(1),
                                WindowAttributesOf(attrs), padding, bias.get(), out,
                                call.exec_ctx());
  });
}

}  // namespace

void RegisterConvolutionOps(OpRegistry* registry) {
  registry->Implement("graph.conv", {.function = TFRT_OP(Conv)});
  registry->Implement("graph.conv_transpose", {.function = TFRT_OP(ConvTranspose)});
}

}  // namespace tfrt
