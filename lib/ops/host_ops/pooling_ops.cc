// Pools of images with any order of channels.

#include "lib/ops/maths/pooling.h"
#include "lib/ops/maths/tensor/nd_pooling.h"
#include "op_groups.h"
#include "op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/str_cat.h"
#include "window_attrs.h"

namespace tfrt {
namespace {

StatusOr<NdWindows> WindowsOf(const DenseHostTensor& in, const TensorMetadata& result,
                              const OpCall& call) {
  const auto kernel = call.attrs().GetArray<int64_t>("kernel");
  if (!kernel) return InvalidArgumentError(StrCat(call.op_name(), " needs the attribute 'kernel'"));
  return NdWindows::Create(in.shape(), result.shape, *kernel, WindowAttributesOf(call.attrs()));
}

Status MaxPool(const DenseHostTensor& in, const TensorMetadata& result, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(NdWindows windows, WindowsOf(in, result, call));
  return SetComputed(call, result, [&](DenseHostTensor& out) {
    return maths::MaxPool(windows, in, out, nullptr, call.exec_ctx());
  });
}

Status MaxPoolWithPlaces(const DenseHostTensor& in, const TensorMetadata& result,
                         const TensorMetadata& places_result, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(NdWindows windows, WindowsOf(in, result, call));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor places, call.Allocate(places_result));
  TFRT_ASSIGN_OR_RETURN(AsyncValueRef<Chain> done,
                        maths::MaxPool(windows, in, out, &places, call.exec_ctx()));
  SetResultAfter(call, 1, std::move(places), done.CopyRef());
  SetResultAfter(call, 0, std::move(out), std::move(done));
  return OkStatus();
}

Status AveragePool(const DenseHostTensor& in, const TensorMetadata& result, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(NdWindows windows, WindowsOf(in, result, call));
  const bool count_padding = call.attrs().Get<bool>("count_padding").value_or(false);
  return SetComputed(call, result, [&](DenseHostTensor& out) {
    return maths::AveragePool(windows, count_padding, in, out, call.exec_ctx());
  });
}

Status LpPool(const DenseHostTensor& in, const TensorMetadata& result, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(NdWindows windows, WindowsOf(in, result, call));
  const int64_t p = call.attrs().Get<int64_t>("p").value_or(2);
  return SetComputed(call, result, [&](DenseHostTensor& out) {
    return maths::LpPool(windows, p, in, out, call.exec_ctx());
  });
}

Status GlobalAveragePool(const DenseHostTensor& in, const TensorMetadata& result, OpCall& call) {
  return SetComputed(call, result, [&](DenseHostTensor& out) {
    return maths::GlobalAveragePool(in, out, call.exec_ctx());
  });
}

}  // namespace

void RegisterPoolingOps(OpRegistry* registry) {
  registry->Implement("graph.max_pool", {.function = TFRT_OP(MaxPool)});
  registry->Implement("graph.max_pool_with_places", {.function = TFRT_OP(MaxPoolWithPlaces)});
  registry->Implement("graph.average_pool", {.function = TFRT_OP(AveragePool)});
  registry->Implement("graph.lp_pool", {.function = TFRT_OP(LpPool)});
  registry->Implement("graph.global_average_pool", {.function = TFRT_OP(GlobalAveragePool)});
}

}  // namespace tfrt
