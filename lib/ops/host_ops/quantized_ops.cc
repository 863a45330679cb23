// Products and convolutions of 8-bit integers.

#include "fused_attrs.h"
#include "lib/ops/maths/contraction/quantized_products.h"
#include "op_groups.h"
#include "op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "window_attrs.h"

namespace tfrt {
namespace {

using DenseArgument = OptionalOpArgument<DenseHostTensor>;

Status MatMulInteger(const DenseHostTensor& a, const Tensor& b_tensor, DenseArgument a_zero,
                     DenseArgument b_zero, const TensorMetadata& result, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(maths::ByteOperand b, maths::ByteOperandOf(b_tensor));
  return SetComputed(call, result, [&](DenseHostTensor& out) {
    return maths::MatMulInteger(a, b, a_zero.get(), b_zero.get(), out, call.exec_ctx());
  });
}

Status ConvInteger(const DenseHostTensor& in, const Tensor& filter_tensor, DenseArgument in_zero,
                   DenseArgument filter_zero, const TensorMetadata& result, OpCall& call) {
  const OpAttrsRef& attrs = call.attrs();
  TFRT_ASSIGN_OR_RETURN(maths::ByteOperand filter, maths::ByteOperandOf(filter_tensor));
  return SetComputed(call, result, [&](DenseHostTensor& out) {
    return maths::ConvInteger(in, filter, in_zero.get(), filter_zero.get(),
                              attrs.Get<int64_t>("groups").value_or(1), WindowAttributesOf(attrs),
                              out, call.exec_ctx());
  });
}

bool TransposesB(const OpCall& call) {
  return call.attrs().Get<bool>("transpose_b").value_or(false);
}

Status QuantizedMatMul(const DenseHostTensor& a, const Tensor& b_tensor,
                       const DenseHostTensor& a_scale, const DenseHostTensor& b_scale,
                       DenseArgument a_zero, DenseArgument b_zero, DenseArgument bias,
                       DenseArgument addend, DenseArgument out_scale, DenseArgument out_zero,
                       const TensorMetadata& result, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(maths::ByteOperand b, maths::ByteOperandOf(b_tensor));
  TFRT_ASSIGN_OR_RETURN(maths::ActivationWithParameters activation, FusedActivationOf(call));
  const maths::QuantizedNumbers numbers{&a_scale,        &b_scale,       a_zero.get(),
                                        b_zero.get(),    bias.get(),     addend.get(),
                                        out_scale.get(), out_zero.get(), activation};
  return SetComputed(call, result, [&](DenseHostTensor& out) {
    return maths::QuantizedMatMul(a, b, TransposesB(call), numbers, out, call.exec_ctx());
  });
}

Status QuantizedConv(const DenseHostTensor& in, const Tensor& filter_tensor,
                     const DenseHostTensor& in_scale, const DenseHostTensor& filter_scale,
                     DenseArgument in_zero, DenseArgument filter_zero, DenseArgument bias,
                     DenseArgument addend, DenseArgument out_scale, DenseArgument out_zero,
                     const TensorMetadata& result, OpCall& call) {
  const OpAttrsRef& attrs = call.attrs();
  TFRT_ASSIGN_OR_RETURN(maths::ByteOperand filter, maths::ByteOperandOf(filter_tensor));
  TFRT_ASSIGN_OR_RETURN(maths::ActivationWithParameters activation, FusedActivationOf(call));
  const maths::QuantizedNumbers numbers{&in_scale,         &filter_scale,  in_zero.get(),
                                        filter_zero.get(), bias.get(),     addend.get(),
                                        out_scale.get(),   out_zero.get(), activation};
  return SetComputed(call, result, [&](DenseHostTensor& out) {
    return maths::QuantizedConv(in, filter, attrs.Get<int64_t>("groups").value_or(1),
                                WindowAttributesOf(attrs), numbers, out, call.exec_ctx());
  });
}

Status DynamicQuantizedMatMul(const DenseHostTensor& x, const Tensor& b_tensor,
                              const DenseHostTensor& b_scale, DenseArgument b_zero,
                              DenseArgument bias, const TensorMetadata& result, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(maths::ByteOperand b, maths::ByteOperandOf(b_tensor));
  TFRT_ASSIGN_OR_RETURN(maths::ActivationWithParameters activation, FusedActivationOf(call));
  const maths::QuantizedNumbers numbers{
      .b_scale = &b_scale, .b_zero = b_zero.get(), .bias = bias.get(), .activation = activation};
  return SetComputed(call, result, [&](DenseHostTensor& out) {
    return maths::DynamicQuantizedMatMul(x, b, TransposesB(call), numbers, out, call.exec_ctx());
  });
}

}  // namespace

void RegisterQuantizedOps(OpRegistry* registry) {
  registry->Implement("graph.matmul_integer", {.function = TFRT_OP(MatMulInteger)});
  registry->Implement("graph.conv_integer", {.function = TFRT_OP(ConvInteger)});
  registry->Implement("graph.quantized_matmul", {.function = TFRT_OP(QuantizedMatMul)});
  registry->Implement("graph.quantized_conv", {.function = TFRT_OP(QuantizedConv)});
  registry->Implement("graph.dynamic_quantized_matmul",
                      {.function = TFRT_OP(DynamicQuantizedMatMul)});
}

}  // namespace tfrt
