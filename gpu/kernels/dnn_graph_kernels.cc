// Kernels of plans of operations with steps after them: tfrt_gpu.dnn.graph.build and .run.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dnn_plan_requests.h"
#include "dnn_plans.h"
#include "dnn_values.h"
#include "gpu/libraries/dnn/graphs.h"
#include "gpu/tensor/gpu_buffer.h"
#include "kernel_groups.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

using namespace cudnn;  // NOLINT: the vendor's names

// `!tfrt_gpu.dnn.plan`
struct GraphPlanValue {
  static constexpr std::string_view kProgramTypeName = "dnn plan";
  DnnPlan plan;
  std::vector<int64_t> ids;  // of the program's buffers, in their order
  bool has_scale = false;
  float scale = 1;
};

StatusOr<GraphPlanValue> GraphBuild(const DnnHandleValue& handle, Attribute<bool> allow_tf32,
                                    Attribute<int32_t> data_type, ArrayAttribute<int64_t> dims,
                                    StringAttribute form, Attribute<double> parameter,
                                    ArrayAttribute<int64_t> strides,
                                    ArrayAttribute<int64_t> window) {
  TFRT_ASSIGN_OR_RETURN(DnnPlanRequest request,
                        RequestOf({*allow_tf32, *data_type, dims.span(), *form, *parameter,
                                   strides.span(), window.span()}));
  TFRT_ASSIGN_OR_RETURN(DnnPlan plan, BuildDnnPlan(handle, request.graph, request.choice));
  return GraphPlanValue{std::move(plan), std::move(request.ids), request.has_scale,
                        static_cast<float>(*parameter)};
}

StatusOr<Chain> GraphRun(const DnnHandleValue& handle, const RCReference<Stream>& stream,
                         const GraphPlanValue& plan, Argument<Chain>,
                         RepeatedArguments<GpuBuffer> buffers, const ExecutionContext& exec_ctx) {
  if (buffers.size() != plan.ids.size()) {
    return InvalidArgumentError(
        StrCat("a plan of ", plan.ids.size(), " tensors gets ", buffers.size(), " buffers"));
  }
  std::vector<GpuBuffer::Use> uses;
  std::vector<DnnPlanBuffer> ranges;
  uses.reserve(buffers.size());
  std::vector<std::string> names;
  names.reserve(buffers.size());
  for (size_t i = 0; i < buffers.size(); ++i) {
    names.push_back(StrCat("tensor ", i));
    ranges.push_back({names[i], plan.ids[i], *uses.emplace_back(buffers[i])});
  }
  if (&stream->context() != plan.plan.context.get()) {
    return InvalidArgumentError("stream and plan are of different contexts");
  }
  // The block is used again only behind the run.
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> workspace,
                        plan.plan.context->Allocate(
                            *stream, static_cast<size_t>(plan.plan.plan->built.workspace_bytes)));
  const dnn::BoundNumber scale[] = {{dnn::kScaleId, &plan.scale}};
  return RunDnnPlan("tfrt_gpu.dnn.graph.run", handle, *stream, plan.plan, ranges,
                    workspace->bytes(), exec_ctx,
                    std::span<const dnn::BoundNumber>(scale, plan.has_scale ? 1 : 0));
}

}  // namespace

void RegisterDnnGraphKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_gpu.dnn.graph.build", TFRT_KERNEL(GraphBuild));
  registry->AddKernel("tfrt_gpu.dnn.graph.run", TFRT_KERNEL(GraphRun));
}

}  // namespace tfrt::gpu
