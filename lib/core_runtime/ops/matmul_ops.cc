// Matrix products.

#include "op_groups.h"
#include "test_result.h"
#include "tfrt/core_runtime/op_metadata.h"
#include "tfrt/core_runtime/op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/kernel_maths/matmul.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

Status UnsupportedDType(const TensorMetadata& result) {
  return InvalidArgumentError(StrCat("Unsupported input dtype: ", DTypeName(result.dtype)));
}

// Products of other dtypes than f32. False, without a result, for those that have none.
StatusOr<bool> MultiplyOthers(OpCall& call, const DenseHostTensor& a, const DenseHostTensor& b,
                              bool transpose_a, bool transpose_b, const TensorMetadata& result,
                              const maths::ProductTail& tail = {}) {
  if (!maths::CanMultiplyMatrices(result.dtype)) return false;
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  maths::Completion done =
      maths::MultiplyMatrices(a, b, transpose_a, transpose_b, tail, out, call.exec_ctx());
  TFRT_RETURN_IF_ERROR(SetResultAfter(call, 0, std::move(out), std::move(done)));
  return true;
}

// False, without a result, for dtypes that are not supported.
StatusOr<bool> RunMatMul(const DenseHostTensor& a, const DenseHostTensor& b,
                         const OpAttrsRef& attrs, const TensorMetadata& result, OpCall& call) {
  const bool transpose_a = attrs.Get<bool>("transpose_a").value_or(false);
  const bool transpose_b = attrs.Get<bool>("transpose_b").value_or(false);
  if (result.dtype == DType::kF32) [[likely]] {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
    maths::Completion done =
        maths::MatMul(a, b, nullptr, out, {transpose_a, transpose_b}, call.exec_ctx());
    TFRT_RETURN_IF_ERROR(SetResultAfter(call, 0, std::move(out), std::move(done)));
    return true;
  }
  return MultiplyOthers(call, a, b, transpose_a, transpose_b, result);
}

Status MatMul(const DenseHostTensor& a, const DenseHostTensor& b, const OpAttrsRef& attrs,
              const TensorMetadata& result, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(bool supported, RunMatMul(a, b, attrs, result, call));
  return supported ? OkStatus() : UnsupportedDType(result);
}

Status TestMatMul(const DenseHostTensor& a, const DenseHostTensor& b, const OpAttrsRef& attrs,
                  const TensorMetadata& result, OpCall& call) {
  StatusOr<bool> supported = RunMatMul(a, b, attrs, result, call);
  if (!supported.ok()) return TestResultError(supported.status());
  return *supported ? OkStatus() : InvalidArgumentError("unsupported dtype for matmul");
}

Status FusedMatMul(VariadicOpArguments<DenseHostTensor> arguments, const OpAttrsRef& attrs,
                   const TensorMetadata& result, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(MatMulFusion fusion, ParseMatMulFusion(*attrs.GetAggregate("fused_ops")));
  if (arguments.size() != 3) {
    return InvalidArgumentError(
        StrCat("FusedMatMul with BiasAdd takes 3 arguments, but there are ", arguments.size()));
  }
  const bool transpose_a = attrs.Get<bool>("transpose_a").value_or(false);
  const bool transpose_b = attrs.Get<bool>("transpose_b").value_or(false);
  if (result.dtype == DType::kF32) {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
    maths::Completion done = maths::FusedMatMul(arguments[0], arguments[1], arguments[2], fusion,
                                                out, {transpose_a, transpose_b}, call.exec_ctx());
    return SetResultAfter(call, 0, std::move(out), std::move(done));
  }
  if (result.dtype != DType::kI32 || fusion == MatMulFusion::kElu) return UnsupportedDType(result);
  const maths::ProductTail tail{&arguments[2], fusion == MatMulFusion::kRelu,
                                fusion == MatMulFusion::kRelu6};
  return MultiplyOthers(call, arguments[0], arguments[1], transpose_a, transpose_b, result, tail)
      .status();
}

Status MatMulBias(const DenseHostTensor& a, const DenseHostTensor& b, const DenseHostTensor& bias,
                  const OpAttrsRef& attrs, const TensorMetadata& result, OpCall& call) {
  if (result.dtype != DType::kF32) return UnsupportedDType(result);
  TFRT_ASSIGN_OR_RETURN(maths::Activation activation, ActivationOf(call));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  const maths::MatMulOptions options{attrs.Get<bool>("transpose_a").value_or(false),
                                     attrs.Get<bool>("transpose_b").value_or(false), activation};
  maths::Completion done = maths::MatMul(a, b, &bias, out, options, call.exec_ctx());
  return SetResultAfter(call, 0, std::move(out), std::move(done));
}

Status BatchMatMul(const DenseHostTensor& x, const DenseHostTensor& y, const OpAttrsRef& attrs,
                   const TensorMetadata& result, OpCall& call) {
  const bool adj_x = attrs.Get<bool>("adj_x").value_or(false);
  const bool adj_y = attrs.Get<bool>("adj_y").value_or(false);
  if (result.dtype == DType::kF32) [[likely]] {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
    maths::Completion done = maths::BatchMatMul(1, x, y, adj_x, adj_y, out, call.exec_ctx());
    return SetResultAfter(call, 0, std::move(out), std::move(done));
  }
  // The adjoint of a complex matrix is conjugated, too.
  const bool is_complex = result.dtype == DType::kComplex64 || result.dtype == DType::kComplex128;
  if (is_complex && (adj_x || adj_y)) return UnsupportedDType(result);
  TFRT_ASSIGN_OR_RETURN(bool supported, MultiplyOthers(call, x, y, adj_x, adj_y, result));
  return supported ? OkStatus() : UnsupportedDType(result);
}

}  // namespace

void RegisterMatMulOps(OpRegistry* registry) {
  registry->Implement("tf.MatMul", {.function = TFRT_OP(MatMul)});
  registry->Implement("tfrt_test.matmul", {.function = TFRT_OP(TestMatMul)});
  registry->Implement("tf._FusedMatMul", {.function = TFRT_OP(FusedMatMul)});
  registry->Implement("tfrt.MatMulBias", {.function = TFRT_OP(MatMulBias)});
  registry->Implement("tf.BatchMatMulV2", {.function = TFRT_OP(BatchMatMul)});
}

}  // namespace tfrt
