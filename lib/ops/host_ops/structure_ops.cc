// Ops that compute nothing.

#include <algorithm>
#include <cstdint>

#include "op_groups.h"
#include "op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

RCReference<AsyncValue> Identity(OpArgument<Tensor> in) { return in.ValueRef(); }

Status ShapeOf(const Tensor& in, const TensorMetadata& result, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  for (size_t i = 0; i < in.shape().rank(); ++i) {
    const int64_t dim = in.shape().dim(i);
    if (result.dtype == DType::kI64) {
      WritableData<int64_t>(out)[i] = dim;
    } else if (dim <= std::numeric_limits<int32_t>::max()) {
      WritableData<int32_t>(out)[i] = static_cast<int32_t>(dim);
    } else {
      return InvalidArgumentError(StrCat(call.op_name(), ": dimension ", i, " of the shape ",
                                         in.shape().ToString(), " does not fit i32"));
    }
  }
  SetResult(call, 0, std::move(out));
  return OkStatus();
}

}  // namespace

void RegisterStructureOps(OpRegistry* registry) {
  registry->Implement("graph.identity", {.function = TFRT_OP(Identity)});
  registry->Implement("graph.shape_of", {.function = TFRT_OP(ShapeOf)});
}

}  // namespace tfrt
