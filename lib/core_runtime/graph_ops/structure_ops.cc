// Ops that compute nothing.

#include <algorithm>
#include <cstdint>

#include "graph_op_groups.h"
#include "tfrt/core_runtime/op_output.h"
#include "tfrt/core_runtime/op_registry.h"

namespace tfrt {
namespace {

RCReference<AsyncValue> Identity(OpArgument<Tensor> in) { return in.ValueRef(); }

Status ShapeOf(const DenseHostTensor& in, const TensorMetadata& result, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  auto write = [&]<typename T>(T* to) {
    for (size_t i = 0; i < in.shape().rank(); ++i) to[i] = static_cast<T>(in.shape().dim(i));
  };
  if (result.dtype == DType::kI32) {
    write(WritableData<int32_t>(out));
  } else {
    write(WritableData<int64_t>(out));
  }
  SetResult(call, 0, std::move(out));
  return OkStatus();
}

}  // namespace

void RegisterStructureGraphOps(OpRegistry* registry) {
  registry->Implement("graph.identity", {.function = TFRT_OP(Identity)});
  registry->Implement("graph.shape_of", {.function = TFRT_OP(ShapeOf)});
}

}  // namespace tfrt
