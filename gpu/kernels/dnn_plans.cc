#include "dnn_plans.h"

#include <utility>

#include "dnn_call.h"
#include "gpu/libraries/dnn/context_plans.h"
#include "gpu/libraries/saturated.h"
#include "gpu/runtime/launch_scope.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

using namespace cudnn;  // NOLINT: the vendor's names

uint64_t BytesOf(const dnn::GraphTensor& tensor) {
  return SaturatedTimes(SpanOf(tensor.dims, tensor.strides), DnnUnitBytes(tensor.type));
}

}  // namespace

StatusOr<DnnPlan> BuildDnnPlan(const DnnHandleValue& handle, const dnn::Graph& graph,
                               const dnn::PlanChoice& choice) {
  TFRT_RETURN_IF_ERROR(DnnLibrary().status());
  TFRT_ASSIGN_OR_RETURN(std::shared_ptr<const dnn::Plan> found,
                        dnn::GetPlan(*handle.context, graph, choice));
  DnnPlan plan{handle.context, std::move(found), {}};
  for (const dnn::GraphTensor& tensor : graph.tensors) {
    if (!tensor.is_virtual && !tensor.is_by_value) {
      plan.tensors.push_back({tensor.id, BytesOf(tensor)});
    }
  }
  return plan;
}

StatusOr<Chain> RunDnnPlan(std::string_view op, const DnnHandleValue& handle, Stream& stream,
                           const DnnPlan& plan, std::span<const DnnPlanBuffer> buffers,
                           const MemoryRange& workspace, const ExecutionContext& exec_ctx,
                           std::span<const dnn::BoundNumber> numbers) {
  if (&stream.context() != plan.context.get()) {
    return InvalidArgumentError("stream and plan are of different contexts");
  }
  if (plan.context.get() != handle.context.get()) {
    return InvalidArgumentError("handle and plan are of different contexts");
  }
  if (plan.tensors.size() != buffers.size()) {
    return InvalidArgumentError(
        StrCat("a plan of ", plan.tensors.size(), " tensors gets ", buffers.size(), " buffers"));
  }
  std::vector<dnn::BoundTensor> tensors;
  for (const DnnPlanBuffer& buffer : buffers) {
    uint64_t size_bytes = 0;
    for (const DnnPlan::Tensor& tensor : plan.tensors) {
      if (tensor.id == buffer.id) size_bytes = tensor.size_bytes;
    }
    if (buffer.range.size_bytes < size_bytes) {
      return InvalidArgumentError(StrCat("buffer size (", buffer.range.size_bytes, ") of ",
                                         buffer.name, " is smaller than its tensor (", size_bytes,
                                         ")"));
    }
    tensors.push_back({buffer.id, buffer.range});
  }
  LaunchScope scope(op, exec_ctx.location());
  TFRT_RETURN_IF_ERROR(
      dnn::RunPlan(stream, plan.plan->built, tensors, numbers, workspace).status());
  return Chain();
}

}  // namespace tfrt::gpu
