// Softmax, normalisation and biases.

#include "binary_ops.h"
#include "op_groups.h"
#include "tfrt/core_runtime/number_dispatch.h"
#include "tfrt/core_runtime/op_metadata.h"
#include "tfrt/core_runtime/op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/kernel_maths/normalization.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

template <bool log>
Status Softmax(const DenseHostTensor& in, const TensorMetadata& result, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result, {0}));
  maths::Completion done = InvalidArgumentError("unsupported dtype");
  DispatchFloat(result.dtype, [&]<typename T>(std::type_identity<T>) {
    done = log ? maths::LogSoftmax<T>(in, out, call.exec_ctx())
               : maths::Softmax<T>(in, out, call.exec_ctx());
  });
  return SetResultAfter(call, 0, std::move(out), std::move(done));
}

Status BiasAdd(const Tensor&, const Tensor&, const TensorMetadata& result, OpCall& call) {
  if (ComputeBinary<cpu::BinaryOp::kAdd>(call, result)) return OkStatus();
  return InvalidArgumentError("unsupported dtype for TfBiasAddOp");
}

Status LayerNorm(const DenseHostTensor& x, const DenseHostTensor& scale,
                 const DenseHostTensor& offset, const TensorMetadata& result,
                 const OpAttrsRef& attrs, OpCall& call) {
  if (result.dtype != DType::kF32) return InvalidArgumentError("unsupported dtype for LayerNorm");
  const float epsilon = attrs.Get<float>("epsilon").value_or(1e-5f);
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result, {0}));
  maths::Completion done = maths::LayerNorm(x, scale, offset, epsilon, out, call.exec_ctx());
  return SetResultAfter(call, 0, std::move(out), std::move(done));
}

}  // namespace

void RegisterNormalizationOps(OpRegistry* registry) {
  registry->Implement("tf.Softmax", {.function = TFRT_OP(Softmax<false>)});
  registry->Implement("tf.LogSoftmax", {.function = TFRT_OP(Softmax<true>)});
  registry->Implement("tf.BiasAdd", {.function = TFRT_OP(BiasAdd)});
  registry->Implement("tfrt.LayerNorm", {.function = TFRT_OP(LayerNorm)});
}

}  // namespace tfrt
