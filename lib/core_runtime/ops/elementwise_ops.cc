// Ops that compute each element of the result from elements of the same position.

#include "kernel_op.h"
#include "op_groups.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

TensorMetadata SameMetadata(const TensorMetadata& in) { return in; }

Status Relu(OpArgument<DenseHostTensor> in, const TensorMetadata& result, OpCall& call) {
  static const AsyncKernel f32 = FindCpuKernel("tfrt_cpu.relu.f32");
  if (result.dtype != DType::kF32) return InvalidArgumentError("unsupported dtype for relu");
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result, {0}));
  RunKernel(call, f32, {in.value()}, {}, std::move(out));
  return OkStatus();
}

}  // namespace

void RegisterElementwiseOps(OpRegistry* registry) {
  registry->Add({.name = "tf.Relu",
                 .summary = "max(x, 0) of each element; NaN stays NaN.",
                 .arguments = {{"x"}},
                 .results = {"y"},
                 .metadata = TFRT_OP_METADATA(SameMetadata),
                 .function = TFRT_OP(Relu)});
}

}  // namespace tfrt
