// Layers as passes put them together, and weights packed for them.

#include "fused_attrs.h"
#include "lib/format/op_table/product_rules.h"
#include "lib/ops/maths/contraction/convolution.h"
#include "lib/ops/maths/contraction/in_floats.h"
#include "lib/ops/maths/contraction/packed_weights.h"
#include "lib/ops/maths/contraction/quantized_products.h"
#include "op_groups.h"
#include "op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "window_attrs.h"

namespace tfrt {
namespace {

using DenseArgument = OptionalOpArgument<DenseHostTensor>;

// The result's memory, which holds the addend.
StatusOr<DenseHostTensor> AllocateWith(OpCall& call, const DenseHostTensor& addend,
                                       const TensorMetadata& result) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result));
  if (out.data() != addend.data()) TFRT_RETURN_IF_ERROR(addend.CopyTo(out));
  return out;
}

Status FusedConv(const DenseHostTensor& in, const Tensor& filter_tensor, DenseArgument bias,
                 DenseArgument addend, const TensorMetadata& result, OpCall& call) {
  const OpAttrsRef& attrs = call.attrs();
  TFRT_ASSIGN_OR_RETURN(maths::FilterOperand filter, maths::FilterOperandOf(filter_tensor));
  maths::ConvTail tail{.bias = bias.get(), .add_to_output = addend.get() != nullptr};
  TFRT_ASSIGN_OR_RETURN(tail.activation, FusedActivationOf(call));
  auto allocated = addend ? AllocateWith(call, *addend, result) : call.Allocate(result);
  if (!allocated.ok()) return allocated.status();
  DenseHostTensor out = *std::move(allocated);
  maths::Completion done = maths::Conv(in, filter, attrs.Get<int64_t>("groups").value_or(1),
                                       WindowAttributesOf(attrs), tail, out, call.exec_ctx());
  return SetResultAfter(call, 0, std::move(out), std::move(done));
}

Status FusedBatchMatMul(const DenseHostTensor& a, const Tensor& b_tensor, DenseArgument bias,
                        DenseArgument addend, const TensorMetadata& result, OpCall& call) {
  const OpAttrsRef& attrs = call.attrs();
  TFRT_ASSIGN_OR_RETURN(maths::MatrixOperand b, maths::MatrixOperandOf(b_tensor));
  maths::FusedProduct fused{.transpose_a = attrs.Get<bool>("transpose_a").value_or(false),
                            .transpose_b = attrs.Get<bool>("transpose_b").value_or(false),
                            .scale = attrs.Get<float>("scale").value_or(1),
                            .bias = bias.get()};
  TFRT_ASSIGN_OR_RETURN(fused.activation, FusedActivationOf(call));
  if (maths::IsHalf(result.dtype) && b.plain) {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
    maths::Completion done = maths::ComputeInFloats(
        {&a, b.plain, bias.get(), addend.get()}, out, false, call.exec_ctx(),
        [&](std::span<const DenseHostTensor* const> inputs, DenseHostTensor& floats) {
          fused.bias = inputs[2];
          fused.addend = inputs[3];
          return maths::FusedBatchMatMul(*inputs[0], *inputs[1], fused, floats, call.exec_ctx());
        });
    return SetResultAfter(call, 0, std::move(out), std::move(done));
  }
  fused.add_to_output = addend && addend->shape() == result.shape;
  auto allocated =
      fused.add_to_output ? AllocateWith(call, *addend, result) : call.Allocate(result);
  if (!allocated.ok()) return allocated.status();
  DenseHostTensor out = *std::move(allocated);
  if (!fused.add_to_output) fused.addend = addend.get();
  maths::Completion done = maths::FusedBatchMatMul(a, b, fused, out, call.exec_ctx());
  return SetResultAfter(call, 0, std::move(out), std::move(done));
}

// Weights that are computed with neither as f32 nor as bytes stay as they are.
bool StaysPlain(const DenseHostTensor& weights, const TensorMetadata& result) {
  return result.dtype != DType::kF32 || weights.num_elements() == 0;
}
Status SetPlain(OpArgument<DenseHostTensor> weights, const TensorMetadata& result, OpCall& call) {
  if (weights->dtype() == result.dtype) {
    call.SetResult(0, weights.ValueRef());
    return OkStatus();
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor empty, call.Allocate(result));
  SetResult(call, 0, std::move(empty));
  return OkStatus();
}

Status PackFilter(OpArgument<DenseHostTensor> filter, const TensorMetadata& result, OpCall& call) {
  const OpAttrsRef& attrs = call.attrs();
  const int64_t groups = attrs.Get<int64_t>("groups").value_or(1);
  if (IsByte(filter->dtype())) {
    TFRT_ASSIGN_OR_RETURN(
        RCReference<AsyncValue> packed,
        maths::PackByteFilter(*filter, groups, attrs.Get<bool>("channels_last").value_or(false)));
    call.SetResult(0, packed ? std::move(packed) : filter.ValueRef());
    return OkStatus();
  }
  if (StaysPlain(*filter, result)) return SetPlain(filter, result, call);
  const auto input_shape =
      attrs.GetArray<int64_t>("input_shape").value_or(std::span<const int64_t>());
  TFRT_ASSIGN_OR_RETURN(maths::PackedFilter packed,
                        maths::PackConvFilter(*filter, groups, input_shape,
                                              WindowAttributesOf(attrs), call.exec_ctx()));
  call.SetResult(0, MakeAvailableAsyncValueRef<maths::PackedFilterTensor>(result, std::move(packed))
                        .ReleaseRCRef());
  return OkStatus();
}

Status PackMatrix(OpArgument<DenseHostTensor> matrix, const TensorMetadata& result, OpCall& call) {
  const bool transpose_b = call.attrs().Get<bool>("transpose_b").value_or(false);
  if (IsByte(matrix->dtype())) {
    TFRT_ASSIGN_OR_RETURN(RCReference<AsyncValue> packed,
                          maths::PackByteMatrix(*matrix, transpose_b));
    call.SetResult(0, packed ? std::move(packed) : matrix.ValueRef());
    return OkStatus();
  }
  if (StaysPlain(*matrix, result)) return SetPlain(matrix, result, call);
  // Enough for a product to be no vector's.
  constexpr int64_t kManyRows = 128;
  const int64_t rows = call.attrs().Get<int64_t>("rows").value_or(0);
  TFRT_ASSIGN_OR_RETURN(
      maths::PackedMatrix packed,
      maths::PackMatrix(*matrix, rows == 0 ? kManyRows : rows, transpose_b, call.exec_ctx()));
  call.SetResult(0, MakeAvailableAsyncValueRef<maths::PackedMatrixTensor>(result, std::move(packed))
                        .ReleaseRCRef());
  return OkStatus();
}

}  // namespace

StatusOr<maths::ActivationWithParameters> FusedActivationOf(const OpCall& call) {
  const OpAttrsRef& attrs = call.attrs();
  return maths::ParseActivation(attrs.GetString("activation").value_or("none"),
                                attrs.Get<float>("alpha").value_or(0),
                                attrs.Get<float>("beta").value_or(0));
}

void RegisterFusedOps(OpRegistry* registry) {
  registry->Implement("graph.fused_conv", {.function = TFRT_OP(FusedConv)});
  registry->Implement("graph.fused_batch_matmul", {.function = TFRT_OP(FusedBatchMatMul)});
  registry->Implement("graph.pack_filter", {.function = TFRT_OP(PackFilter)});
  registry->Implement("graph.pack_matrix", {.function = TFRT_OP(PackMatrix)});
}

}  // namespace tfrt
