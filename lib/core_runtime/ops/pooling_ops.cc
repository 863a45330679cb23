// Pooling over windows of images [N,H,W,C].

#include "op_groups.h"
#include "tfrt/core_runtime/op_metadata.h"
#include "tfrt/core_runtime/op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/kernel_maths/pooling.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

StatusOr<cpu::Pool2d> MakePool(const DenseHostTensor& in, std::string_view unsupported_dtype,
                               const OpAttrsRef& attrs) {
  if (in.dtype() != DType::kF32) return InvalidArgumentError(unsupported_dtype);
  TFRT_ASSIGN_OR_RETURN(ImageWindows windows, ParseImageWindows(attrs));
  if (!windows.channels_last) return InvalidArgumentError("only channel last order is supported");
  TFRT_ASSIGN_OR_RETURN(Window2d window, PoolingWindow(in.shape(), windows, attrs));
  return cpu::Pool2d{in.shape().dim(0), in.shape().dim(3), window};
}

using PoolFunction = maths::Completion (*)(const cpu::Pool2d& pool, const DenseHostTensor& in,
                                           DenseHostTensor& out, const ExecutionContext& exec_ctx);

Status RunPool(OpCall& call, PoolFunction function, std::string_view unsupported_dtype,
               const DenseHostTensor& in, const TensorMetadata& result) {
  TFRT_ASSIGN_OR_RETURN(cpu::Pool2d pool, MakePool(in, unsupported_dtype, call.attrs()));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  maths::Completion done = function(pool, in, out, call.exec_ctx());
  return SetResultAfter(call, 0, std::move(out), std::move(done));
}

Status MaxPool(const DenseHostTensor& in, const TensorMetadata& result, OpCall& call) {
  return RunPool(call, maths::MaxPool2d, "unsupported dtype for TfMaxPoolOp", in, result);
}

Status AvgPool(const DenseHostTensor& in, const TensorMetadata& result, OpCall& call) {
  return RunPool(call, maths::AveragePool2d, "unsupported dtype for TfAvgPoolOp", in, result);
}

Status MaxPoolGrad(const DenseHostTensor& in, const DenseHostTensor& pooled,
                   const DenseHostTensor& gradient, const TensorMetadata& result, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(cpu::Pool2d pool,
                        MakePool(in, "unsupported dtype for TfMaxPoolGradOp", call.attrs()));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  maths::Completion done = maths::MaxPool2dGrad(pool, in, pooled, gradient, out, call.exec_ctx());
  return SetResultAfter(call, 0, std::move(out), std::move(done));
}

Status GlobalAveragePool(const DenseHostTensor& in, const TensorMetadata& result, OpCall& call) {
  if (result.dtype != DType::kF32) {
    return InvalidArgumentError("unsupported dtype for GlobalAveragePool");
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  maths::Completion done = maths::GlobalAveragePool(in, out, call.exec_ctx());
  return SetResultAfter(call, 0, std::move(out), std::move(done));
}

}  // namespace

void RegisterPoolingOps(OpRegistry* registry) {
  registry->Implement("tf.MaxPool",
                      {.metadata = TFRT_OP_METADATA(PoolOpMetadata), .function = TFRT_OP(MaxPool)});
  registry->Implement("tf.AvgPool",
                      {.metadata = TFRT_OP_METADATA(PoolOpMetadata), .function = TFRT_OP(AvgPool)});
  registry->Implement("tf.MaxPoolGrad", {.metadata = TFRT_OP_METADATA(MaxPoolGradOpMetadata),
                                         .function = TFRT_OP(MaxPoolGrad)});
  registry->Implement("tfrt.GlobalAveragePool", {.function = TFRT_OP(GlobalAveragePool)});
}

}  // namespace tfrt
