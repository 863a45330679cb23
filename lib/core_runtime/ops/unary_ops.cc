// Ops that compute each element of the result from the element at the same place of the argument.

#include "op_groups.h"
#include "tfrt/core_runtime/number_dispatch.h"
#include "tfrt/core_runtime/op_metadata.h"
#include "tfrt/core_runtime/op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/kernel_maths/elementwise.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/cast.h"

namespace tfrt {
namespace {

using cpu::UnaryOp;

template <typename T>
Status RunUnary(OpCall& call, UnaryOp op, const DenseHostTensor& in, const TensorMetadata& result) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result, {0}));
  maths::Completion done = maths::Unary<T>(op, in, out, call.exec_ctx());
  return SetResultAfter(call, 0, std::move(out), std::move(done));
}

template <UnaryOp op>
Status UnaryOpFunction(const DenseHostTensor& in, const TensorMetadata& result, OpCall& call) {
  if (result.dtype == DType::kF32) [[likely]]
    return RunUnary<float>(call, op, in, result);
  Status status;
  bool supported = DispatchFloat(result.dtype, [&]<typename T>(std::type_identity<T>) {
    status = RunUnary<T>(call, op, in, result);
  });
  return supported ? status : InvalidArgumentError("unsupported dtype");
}

Status Relu(const DenseHostTensor& in, const TensorMetadata& result, OpCall& call) {
  if (result.dtype == DType::kF32) [[likely]]
    return RunUnary<float>(call, UnaryOp::kRelu, in, result);
  Status status;
  bool supported = DispatchReal(result.dtype, [&]<typename T>(std::type_identity<T>) {
    status = RunUnary<T>(call, UnaryOp::kRelu, in, result);
  });
  return supported ? status : InvalidArgumentError("unsupported dtype for relu");
}

Status Gelu(const DenseHostTensor& in, const TensorMetadata& result, const OpAttrsRef& attrs,
            OpCall& call) {
  return attrs.Get<bool>("approximate").value_or(false)
             ? UnaryOpFunction<UnaryOp::kGeluTanh>(in, result, call)
             : UnaryOpFunction<UnaryOp::kGelu>(in, result, call);
}

// The numbers that maths::Cast takes: i1 is cast as the host's conversions cast it.
bool IsQuickCast(DType from, DType to) {
  return from != DType::kI1 && to != DType::kI1 && maths::CanCast(from, to);
}

Status Cast(OpArgument<DenseHostTensor> in, const TensorMetadata& result, OpCall& call) {
  if (in->dtype() == result.dtype) {
    call.SetResult(0, in.ValueRef());
    return OkStatus();
  }
  if (IsQuickCast(in->dtype(), result.dtype)) {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
    maths::Completion done = maths::Cast(in->dtype(), result.dtype, *in, out, call.exec_ctx());
    return SetResultAfter(call, 0, std::move(out), std::move(done));
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, CastTensor(*in, result.dtype, call.allocator()));
  SetResult(call, 0, std::move(out));
  return OkStatus();
}

RCReference<AsyncValue> Identity(OpArgument<Tensor> in) { return in.ValueRef(); }

void RegisterUnary(OpRegistry* registry, std::string_view name, OpFunction function) {
  registry->Implement(name, {.function = function});
}

}  // namespace

void RegisterUnaryOps(OpRegistry* registry) {
  RegisterUnary(registry, "tf.Relu", TFRT_OP(Relu));
  RegisterUnary(registry, "tfrt_test.relu", TFRT_OP(Relu));
  RegisterUnary(registry, "tf.Log", TFRT_OP(UnaryOpFunction<UnaryOp::kLog>));
  RegisterUnary(registry, "tf.Log1p", TFRT_OP(UnaryOpFunction<UnaryOp::kLog1p>));
  RegisterUnary(registry, "tf.Exp", TFRT_OP(UnaryOpFunction<UnaryOp::kExp>));
  RegisterUnary(registry, "tf.Sqrt", TFRT_OP(UnaryOpFunction<UnaryOp::kSqrt>));
  RegisterUnary(registry, "tf.Rsqrt", TFRT_OP(UnaryOpFunction<UnaryOp::kRsqrt>));
  RegisterUnary(registry, "tf.Sigmoid", TFRT_OP(UnaryOpFunction<UnaryOp::kSigmoid>));
  RegisterUnary(registry, "tf.Tanh", TFRT_OP(UnaryOpFunction<UnaryOp::kTanh>));
  registry->Implement("tfrt.Gelu", {.function = TFRT_OP(Gelu)});
  registry->Implement("tf.Cast", {.function = TFRT_OP(Cast)});
  registry->Implement("tf.Identity", {.function = TFRT_OP(Identity)});
  registry->Implement("tf.StopGradient", {.function = TFRT_OP(Identity)});
}

}  // namespace tfrt
