// Ops that convert elements to another dtype.

#include <utility>

#include "graph_op_groups.h"
#include "tfrt/core_runtime/op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/cast.h"

namespace tfrt {
namespace {

Status Cast(OpArgument<DenseHostTensor> in, const TensorMetadata& result, OpCall& call) {
  if (in->dtype() == result.dtype) {
    call.SetResult(0, in.ValueRef());
    return OkStatus();
  }
  const CastFunction cast = FindCast(in->dtype(), result.dtype);
  if (!cast) {
    return InvalidArgumentError(StrCat("cannot cast a tensor of ", DTypeName(in->dtype()), " to ",
                                       DTypeName(result.dtype)));
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  const size_t from_size = DTypeSize(in->dtype()), to_size = DTypeSize(result.dtype);
  const auto* from = static_cast<const char*>(in->data());
  char* to = WritableData<char>(out);
  const auto size = static_cast<size_t>(out.num_elements());
  ComputeResult(call, size, from_size + to_size, {&*in}, std::move(out),
                [=](size_t begin, size_t end) {
                  cast(from + begin * from_size, to + begin * to_size, end - begin);
                });
  return OkStatus();
}

}  // namespace

void RegisterConversionGraphOps(OpRegistry* registry) {
  registry->Implement("graph.cast", {.function = TFRT_OP(Cast)});
}

}  // namespace tfrt
