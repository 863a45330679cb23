// Pooling over windows of images [N,H,W,C].

#include "image_windows.h"
#include "lib/ops/maths/pooling.h"
#include "op_groups.h"
#include "op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

StatusOr<cpu::Pool2d> MakePool(const DenseHostTensor& in, std::string_view unsupported_dtype,
                               const OpCall& call) {
  if (in.dtype() != DType::kF32) return InvalidArgumentError(unsupported_dtype);
  TFRT_ASSIGN_OR_RETURN(ImageWindows windows, ParsedAttrs<&ParseChannelsLast>(call));
  TFRT_ASSIGN_OR_RETURN(Window2d window, PoolingWindow(in.shape(), windows, call.attrs()));
  return cpu::Pool2d{in.shape().dim(0), in.shape().dim(3), window};
}

using PoolFunction = maths::Completion (*)(const cpu::Pool2d& pool, const DenseHostTensor& in,
                                           DenseHostTensor& out, const ExecutionContext& exec_ctx);

Status RunPool(OpCall& call, PoolFunction function, std::string_view unsupported_dtype,
               const DenseHostTensor& in, const TensorMetadata& result) {
  TFRT_ASSIGN_OR_RETURN(cpu::Pool2d pool, MakePool(in, unsupported_dtype, call));
  return SetComputed(
      call, result, [&](DenseHostTensor& out) { return function(pool, in, out, call.exec_ctx()); });
}

Status MaxPool2d(const DenseHostTensor& in, const TensorMetadata& result, OpCall& call) {
  return RunPool(call, maths::MaxPool2d, "unsupported dtype for TfMaxPoolOp", in, result);
}

Status AveragePool2d(const DenseHostTensor& in, const TensorMetadata& result, OpCall& call) {
  return RunPool(call, maths::AveragePool2d, "unsupported dtype for TfAvgPoolOp", in, result);
}

Status MaxPool2dGrad(const DenseHostTensor& in, const DenseHostTensor& pooled,
                     const DenseHostTensor& gradient, const TensorMetadata& result, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(cpu::Pool2d pool,
                        MakePool(in, "unsupported dtype for TfMaxPoolGradOp", call));
  return SetComputed(call, result, [&](DenseHostTensor& out) {
    return maths::MaxPool2dGrad(pool, in, pooled, gradient, out, call.exec_ctx());
  });
}

}  // namespace

void RegisterPooling2dOps(OpRegistry* registry) {
  registry->Implement("graph.max_pool2d",
                      {.function = TFRT_OP(MaxPool2d), .parser = TFRT_OP_ATTRS(ParseChannelsLast)});
  registry->Implement("graph.avg_pool2d", {.function = TFRT_OP(AveragePool2d),
                                           .parser = TFRT_OP_ATTRS(ParseChannelsLast)});
  registry->Implement("graph.max_pool2d_grad", {.function = TFRT_OP(MaxPool2dGrad),
                                                .parser = TFRT_OP_ATTRS(ParseChannelsLast)});
}

}  // namespace tfrt
