// Matrix products of numbers of any kind.

#include "lib/ops/maths/contraction/in_floats.h"
#include "lib/ops/maths/contraction/matmul.h"
#include "op_groups.h"
#include "op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

struct Transposes {
  bool a, b;
};
Transposes TransposesOf(const OpCall& call) {
  return {call.attrs().Get<bool>("transpose_a").value_or(false),
          call.attrs().Get<bool>("transpose_b").value_or(false)};
}

Status NoProduct(const OpCall& call, DType dtype) {
  return InvalidArgumentError(StrCat(call.op_name(), ": no matrix product of ", DTypeName(dtype)));
}

maths::Completion MultiplyOthers(const OpCall& call, const DenseHostTensor& a,
                                 const DenseHostTensor& b, Transposes transposes,
                                 DenseHostTensor& out) {
  if (maths::IsHalf(out.dtype())) {
    return maths::ComputeInFloats(
        {&a, &b}, out, false, call.exec_ctx(),
        [&](std::span<const DenseHostTensor* const> inputs, DenseHostTensor& floats) {
          return maths::BatchMatMul(1, *inputs[0], *inputs[1], transposes.a, transposes.b, floats,
                                    call.exec_ctx());
        });
  }
  if (!maths::CanMultiplyMatrices(out.dtype())) return NoProduct(call, out.dtype());
  return maths::MultiplyMatrices(a, b, transposes.a, transposes.b, {}, out, call.exec_ctx());
}

Status MatMul(const DenseHostTensor& a, const DenseHostTensor& b, const TensorMetadata& result,
              OpCall& call) {
  const Transposes transposes = TransposesOf(call);
  return SetComputed(call, result, [&](DenseHostTensor& out) {
    return result.dtype == DType::kF32
               ? maths::MatMul(a, b, nullptr, out, {transposes.a, transposes.b}, call.exec_ctx())
               : MultiplyOthers(call, a, b, transposes, out);
  });
}

Status BatchMatMul(const DenseHostTensor& a, const DenseHostTensor& b, const TensorMetadata& result,
                   OpCall& call) {
  const Transposes transposes = TransposesOf(call);
  // The adjoint of a complex matrix is conjugated, too.
  const bool is_complex = result.dtype == DType::kComplex64 || result.dtype == DType::kComplex128;
  if (is_complex && (transposes.a || transposes.b)) return NoProduct(call, result.dtype);
  return SetComputed(call, result, [&](DenseHostTensor& out) {
    return result.dtype == DType::kF32
               ? maths::BatchMatMul(1, a, b, transposes.a, transposes.b, out, call.exec_ctx())
               : MultiplyOthers(call, a, b, transposes, out);
  });
}

Status MatMulBias(const DenseHostTensor& a, const DenseHostTensor& b, const DenseHostTensor& bias,
                  const TensorMetadata& result, OpCall& call) {
  const Transposes transposes = TransposesOf(call);
  TFRT_ASSIGN_OR_RETURN(maths::Activation activation, ActivationOf(call));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  const maths::MatMulOptions options{transposes.a, transposes.b, activation};
  maths::Completion done =
      maths::IsHalf(result.dtype)
          ? maths::ComputeInFloats(
                {&a, &b, &bias}, out, false, call.exec_ctx(),
                [&](std::span<const DenseHostTensor* const> inputs, DenseHostTensor& floats) {
                  return maths::MatMul(*inputs[0], *inputs[1], inputs[2], floats, options,
                                       call.exec_ctx());
                })
          : maths::MatMul(a, b, &bias, out, options, call.exec_ctx());
  return SetResultAfter(call, 0, std::move(out), std::move(done));
}

Status FusedMatMul(VariadicOpArguments<DenseHostTensor> arguments, const OpAttrsRef& attrs,
                   const TensorMetadata& result, OpCall& call) {
  const auto fused_ops = attrs.GetAggregate("fused_ops");
  if (!fused_ops) return InvalidArgumentError("FusedMatMul must specify fused operations");
  TFRT_ASSIGN_OR_RETURN(MatMulFusion fusion, ParseMatMulFusion(*fused_ops));
  if (arguments.size() != 3) {
    return InvalidArgumentError(
        StrCat("FusedMatMul with BiasAdd takes 3 arguments, but there are ", arguments.size()));
  }
  const auto [transpose_a, transpose_b] = TransposesOf(call);
  if (result.dtype == DType::kF32) {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
    maths::Completion done = maths::FusedMatMul(arguments[0], arguments[1], arguments[2], fusion,
                                                out, {transpose_a, transpose_b}, call.exec_ctx());
    return SetResultAfter(call, 0, std::move(out), std::move(done));
  }
  if (result.dtype != DType::kI32 || fusion == MatMulFusion::kElu) {
    return NoProduct(call, result.dtype);
  }
  const maths::ProductTail tail{&arguments[2], fusion == MatMulFusion::kRelu,
                                fusion == MatMulFusion::kRelu6};
  return SetComputed(call, result, [&](DenseHostTensor& out) {
    return maths::MultiplyMatrices(arguments[0], arguments[1], transpose_a, transpose_b, tail, out,
                                   call.exec_ctx());
  });
}

}  // namespace

void RegisterProductOps(OpRegistry* registry) {
  registry->Implement("graph.matmul", {.function = TFRT_OP(MatMul)});
  registry->Implement("graph.matmul_bias", {.function = TFRT_OP(MatMulBias)});
  registry->Implement("graph.fused_matmul", {.function = TFRT_OP(FusedMatMul)});
  registry->Implement("graph.batch_matmul", {.function = TFRT_OP(BatchMatMul)});
}

}  // namespace tfrt
