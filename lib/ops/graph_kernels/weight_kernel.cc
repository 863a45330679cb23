// graph.weight: a tensor over the bytes of the program's file.

#include <algorithm>
#include <utility>

#include "graph_kernel_groups.h"
#include "lib/ops/op_call/run_resources.h"
#include "tfrt/bef/weights.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt {
namespace {

StatusOr<DenseHostTensor> Weight(Attribute<int64_t> number, const ExecutionContext& exec_ctx) {
  const auto* resources = exec_ctx.request_ctx()->GetDataIfExists<RunResources>();
  if (!resources) return FailedPreconditionError("weights are there only when a model runs");
  if (*number < 0 || static_cast<uint64_t>(*number) >= resources->weights.size()) {
    return InvalidArgumentError(
        StrCat("weight ", *number, " of a file with ", resources->weights.size()));
  }
  const bef::Weight& weight = resources->weights[static_cast<size_t>(*number)];
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(weight.dims));
  // A bool that is neither 0 nor 1 is undefined behaviour.
  if (weight.dtype == DType::kI1 &&
      std::ranges::any_of(weight.bytes, [](uint8_t byte) { return byte > 1; })) {
    return InvalidArgumentError(
        StrCat("the weight '", weight.name, "' of i1 has an element that is neither 0 nor 1"));
  }
  return DenseHostTensor::CreateFromBuffer(
      {weight.dtype, std::move(shape)},
      HostBuffer::CreateFromConstant(weight.bytes.data(), weight.bytes.size()));
}

}  // namespace

void RegisterWeightKernel(KernelRegistry* registry) {
  registry->AddKernel("graph.weight", TFRT_KERNEL(Weight));
}

}  // namespace tfrt
