// Matrix products.

#include "kernel_op.h"
#include "matrix_product.h"
#include "op_groups.h"
#include "op_output.h"
#include "test_result.h"
#include "tfrt/core_runtime/op_metadata.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/kernel_maths/matmul_fusion.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

Status UnsupportedDType(const TensorMetadata& result) {
  return InvalidArgumentError(StrCat("Unsupported input dtype: ", DTypeName(result.dtype)));
}

// False, without a result, for dtypes that are not supported.
StatusOr<bool> RunMatMul(OpArgument<DenseHostTensor> a, OpArgument<DenseHostTensor> b,
                         const OpAttrsRef& attrs, const TensorMetadata& result, OpCall& call) {
  static const AsyncKernel kernel = FindCpuKernel("tfrt_cpu.matmul.f32");
  const uint8_t* transpose_a = attrs.Find("transpose_a")->data;
  const uint8_t* transpose_b = attrs.Find("transpose_b")->data;
  if (result.dtype == DType::kF32) [[likely]] {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
    RunKernel(call, kernel, {a.value(), b.value()}, {transpose_a, transpose_b}, std::move(out));
    return true;
  }
  return MultiplyMatrices(call, *a, *b, *transpose_a != 0, *transpose_b != 0, result);
}

Status MatMul(OpArgument<DenseHostTensor> a, OpArgument<DenseHostTensor> b, const OpAttrsRef& attrs,
              const TensorMetadata& result, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(bool supported, RunMatMul(a, b, attrs, result, call));
  return supported ? OkStatus() : UnsupportedDType(result);
}

Status TestMatMul(OpArgument<DenseHostTensor> a, OpArgument<DenseHostTensor> b,
                  const OpAttrsRef& attrs, const TensorMetadata& result, OpCall& call) {
  StatusOr<bool> supported = RunMatMul(a, b, attrs, result, call);
  if (!supported.ok()) return TestResultError(supported.status());
  return *supported ? OkStatus() : InvalidArgumentError("unsupported dtype for matmul");
}

// The kernel knows no other activation than Relu: the others follow it.
Status FusedMatMulF32(OpCall& call, MatMulFusion fusion, const uint8_t* transpose_a,
                      const uint8_t* transpose_b, const TensorMetadata& result) {
  static const AsyncKernel kernel = FindCpuKernel("tfrt_cpu.matmul.bias.f32");
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor tensor, call.Allocate(result));
  auto* data = WritableData<float>(tensor);
  const int64_t size = tensor.num_elements();
  auto out = MakeAvailableAsyncValueRef<DenseHostTensor>(std::move(tensor));
  const EncodedString activation(fusion == MatMulFusion::kRelu ? "relu" : "none");
  const uint8_t* attributes[] = {activation.data(), transpose_a, transpose_b};
  RCReference<AsyncValue> done =
      StartKernel(call, kernel, call.arguments().first(3), attributes, out);
  if (fusion == MatMulFusion::kRelu6 || fusion == MatMulFusion::kElu) {
    if (done->IsConcrete()) {
      FinishMatMulFusion(fusion, data, size);
    } else if (!done->IsError()) {
      done = AsyncValueRef<Chain>(std::move(done))
                 .Map([fusion, data, size, kept = out.CopyRef()](Chain&) {
                   FinishMatMulFusion(fusion, data, size);
                   return Chain();
                 })
                 .ReleaseRCRef();
    }
  }
  SetResultAfter(call, 0, std::move(out), std::move(done));
  return OkStatus();
}

Status FusedMatMul(VariadicOpArguments<DenseHostTensor> arguments, const OpAttrsRef& attrs,
                   const TensorMetadata& result, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(MatMulFusion fusion, ParseMatMulFusion(*attrs.GetAggregate("fused_ops")));
  if (arguments.size() != 3) {
    return InvalidArgumentError(
        StrCat("FusedMatMul with BiasAdd takes 3 arguments, but there are ", arguments.size()));
  }
  const uint8_t* transpose_a = attrs.Find("transpose_a")->data;
  const uint8_t* transpose_b = attrs.Find("transpose_b")->data;
  if (result.dtype == DType::kF32) {
    return FusedMatMulF32(call, fusion, transpose_a, transpose_b, result);
  }
  if (result.dtype != DType::kI32 || fusion == MatMulFusion::kElu) return UnsupportedDType(result);
  const ProductTail tail{&arguments[2], fusion == MatMulFusion::kRelu,
                         fusion == MatMulFusion::kRelu6};
  return MultiplyMatrices(call, arguments[0], arguments[1], *transpose_a != 0, *transpose_b != 0,
                          result, tail)
      .status();
}

Status MatMulBias(OpArgument<DenseHostTensor> a, OpArgument<DenseHostTensor> b,
                  OpArgument<DenseHostTensor> bias, const OpAttrsRef& attrs,
                  const TensorMetadata& result, OpCall& call) {
  static const AsyncKernel kernel = FindCpuKernel("tfrt_cpu.matmul.bias.f32");
  if (result.dtype != DType::kF32) return UnsupportedDType(result);
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  const EncodedString none("none");
  const OpAttr* activation = attrs.Find("activation");
  if (activation && !attrs.GetString("activation")) {
    return InvalidArgumentError("'activation' attribute of tfrt.MatMulBias should be a string");
  }
  const bool transpose_a = attrs.Get<bool>("transpose_a").value_or(false);
  const bool transpose_b = attrs.Get<bool>("transpose_b").value_or(false);
  RunKernel(
      call, kernel, {a.value(), b.value(), bias.value()},
      {activation ? activation->data : none.data(), Encoded(transpose_a), Encoded(transpose_b)},
      std::move(out));
  return OkStatus();
}

Status BatchMatMul(OpArgument<DenseHostTensor> x, OpArgument<DenseHostTensor> y,
                   const OpAttrsRef& attrs, const TensorMetadata& result, OpCall& call) {
  static const AsyncKernel kernel = FindCpuKernel("tfrt_cpu.batch_matmul.f32");
  const bool adj_x = attrs.Get<bool>("adj_x").value_or(false);
  const bool adj_y = attrs.Get<bool>("adj_y").value_or(false);
  if (result.dtype == DType::kF32) [[likely]] {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
    const float alpha = 1;
    RunKernel(call, kernel, {x.value(), y.value()},
              {Encoded(alpha), Encoded(adj_x), Encoded(adj_y)}, std::move(out));
    return OkStatus();
  }
  // The adjoint of a complex matrix is conjugated, too.
  const bool is_complex = result.dtype == DType::kComplex64 || result.dtype == DType::kComplex128;
  if (is_complex && (adj_x || adj_y)) return UnsupportedDType(result);
  TFRT_ASSIGN_OR_RETURN(bool supported, MultiplyMatrices(call, *x, *y, adj_x, adj_y, result));
  return supported ? OkStatus() : UnsupportedDType(result);
}

}  // namespace

void RegisterMatMulOps(OpRegistry* registry) {
  registry->Implement(
      "tf.MatMul", {.metadata = TFRT_OP_METADATA(MatMulOpMetadata), .function = TFRT_OP(MatMul)});
  registry->Implement("tfrt_test.matmul", {.metadata = TFRT_OP_METADATA(TestMatMulOpMetadata),
                                           .function = TFRT_OP(TestMatMul)});
  registry->Implement("tf._FusedMatMul", {.metadata = TFRT_OP_METADATA(FusedMatMulOpMetadata),
                                          .function = TFRT_OP(FusedMatMul)});
  registry->Implement("tfrt.MatMulBias", {.metadata = TFRT_OP_METADATA(MatMulBiasOpMetadata),
                                          .function = TFRT_OP(MatMulBias)});
  registry->Implement("tf.BatchMatMulV2", {.metadata = TFRT_OP_METADATA(BatchMatMulOpMetadata),
                                           .function = TFRT_OP(BatchMatMul)});
}

}  // namespace tfrt
