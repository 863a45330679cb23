// Kernels of plans of convolutions, which programs describe with an engine and its settings.

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "dnn_plan_requests.h"
#include "dnn_plans.h"
#include "dnn_values.h"
#include "gpu/libraries/dnn/graphs.h"
#include "gpu/tensor/gpu_buffer.h"
#include "kernel_groups.h"
#include "tfrt/host_context/kernel.h"

namespace tfrt::gpu {
namespace {

using namespace cudnn;  // NOLINT: the vendor's names

// `!tfrt_gpu.dnn.convolution.plan`
struct ConvolutionPlanValue {
  static constexpr std::string_view kProgramTypeName = "dnn convolution plan";
  DnnPlan plan;
};

StatusOr<ConvolutionPlanValue> Build(const DnnHandleValue& handle,
                                     const DnnConvolutionAttributes& attributes,
                                     const std::optional<DnnFusedAttributes>& fused) {
  TFRT_ASSIGN_OR_RETURN(const DnnPlanRequest request, RequestOf(attributes, fused));
  TFRT_ASSIGN_OR_RETURN(DnnPlan plan, BuildDnnPlan(handle, request.graph, request.choice));
  return ConvolutionPlanValue{std::move(plan)};
}

StatusOr<ConvolutionPlanValue> BuildConvolution(
    const DnnHandleValue& handle, Attribute<int32_t> backend_type,
    ArrayAttribute<int64_t> conv_dilations, Attribute<int32_t> conv_dim,
    Attribute<int32_t> conv_mode, ArrayAttribute<int64_t> conv_padding,
    ArrayAttribute<int64_t> conv_strides, Attribute<int32_t> engine_id,
    ArrayAttribute<int64_t> filter_dims, ArrayAttribute<int64_t> filter_strides,
    ArrayAttribute<int64_t> input_dims, ArrayAttribute<int64_t> input_strides,
    Attribute<int32_t> input_type, ArrayAttribute<int64_t> output_dims,
    ArrayAttribute<int64_t> output_strides, Attribute<int32_t> output_type,
    ArrayAttribute<int64_t> tuning_knob_ids, ArrayAttribute<int64_t> tuning_knob_values) {
  return Build(
      handle,
      {*backend_type, conv_dilations.span(), *conv_dim, *conv_mode, conv_padding.span(),
       conv_strides.span(), *engine_id, filter_dims.span(), filter_strides.span(),
       input_dims.span(), input_strides.span(), *input_type, output_dims.span(),
       output_strides.span(), *output_type, tuning_knob_ids.span(), tuning_knob_values.span()},
      std::nullopt);
}

StatusOr<ConvolutionPlanValue> BuildFusedConvolution(
    const DnnHandleValue& handle, double alpha, double alpha2, Attribute<int32_t> activation_mode,
    Attribute<int32_t> backend_type, ArrayAttribute<int64_t> bias_dims,
    ArrayAttribute<int64_t> bias_strides, Attribute<int32_t> bias_type,
    ArrayAttribute<int64_t> conv_dilations, Attribute<int32_t> conv_dim,
    Attribute<int32_t> conv_mode, ArrayAttribute<int64_t> conv_padding,
    ArrayAttribute<int64_t> conv_strides, Attribute<int32_t> engine_id,
    ArrayAttribute<int64_t> filter_dims, ArrayAttribute<int64_t> filter_strides,
    ArrayAttribute<int64_t> input_dims, ArrayAttribute<int64_t> input_strides,
    Attribute<int32_t> input_type, ArrayAttribute<int64_t> output_dims,
    ArrayAttribute<int64_t> output_strides, Attribute<int32_t> output_type,
    ArrayAttribute<int64_t> tuning_knob_ids, ArrayAttribute<int64_t> tuning_knob_values) {
  return Build(
      handle,
      {*backend_type, conv_dilations.span(), *conv_dim, *conv_mode, conv_padding.span(),
       conv_strides.span(), *engine_id, filter_dims.span(), filter_strides.span(),
       input_dims.span(), input_strides.span(), *input_type, output_dims.span(),
       output_strides.span(), *output_type, tuning_knob_ids.span(), tuning_knob_values.span()},
      DnnFusedAttributes{alpha, alpha2, *activation_mode, bias_dims.span(), bias_strides.span(),
                         *bias_type});
}

StatusOr<Chain> RunConvolution(const DnnHandleValue& handle, const RCReference<Stream>& stream,
                               const ConvolutionPlanValue& plan, const GpuBuffer& input,
                               const GpuBuffer& output, const GpuBuffer& filter,
                               const GpuBuffer& workspace, Argument<Chain>,
                               const ExecutionContext& exec_ctx) {
  const GpuBuffer::Use input_use(input), output_use(output), filter_use(filter),
      workspace_use(workspace);
  const DnnPlanBuffer buffers[] = {{"input", dnn::kInputId, *input_use},
                                   {"output", dnn::kOutputId, *output_use},
                                   {"filter", dnn::kFilterId, *filter_use}};
  return RunDnnPlan("tfrt_gpu.dnn.run_convolution", handle, *stream, plan.plan, buffers,
                    *workspace_use, exec_ctx);
}

StatusOr<Chain> RunFusedConvolution(const DnnHandleValue& handle, const RCReference<Stream>& stream,
                                    const ConvolutionPlanValue& plan, const GpuBuffer& input,
                                    const GpuBuffer& output, const GpuBuffer& filter,
                                    const GpuBuffer& side_input, const GpuBuffer& bias,
                                    const GpuBuffer& workspace, Argument<Chain>,
                                    const ExecutionContext& exec_ctx) {
  const GpuBuffer::Use input_use(input), output_use(output), filter_use(filter),
      side_use(side_input), bias_use(bias), workspace_use(workspace);
  const DnnPlanBuffer buffers[] = {{"input", dnn::kInputId, *input_use},
                                   {"output", dnn::kOutputId, *output_use},
                                   {"filter", dnn::kFilterId, *filter_use},
                                   {"sideinput", dnn::kAddendId, *side_use},
                                   {"bias", dnn::kBiasId, *bias_use}};
  return RunDnnPlan("tfrt_gpu.dnn.run_fused_convolution", handle, *stream, plan.plan, buffers,
                    *workspace_use, exec_ctx);
}

}  // namespace

void RegisterDnnPlanKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_gpu.dnn.build_convolution", TFRT_KERNEL(BuildConvolution));
  registry->AddKernel("tfrt_gpu.dnn.build_fused_convolution", TFRT_KERNEL(BuildFusedConvolution));
  registry->AddKernel("tfrt_gpu.dnn.run_convolution", TFRT_KERNEL(RunConvolution));
  registry->AddKernel("tfrt_gpu.dnn.run_fused_convolution", TFRT_KERNEL(RunFusedConvolution));
}

}  // namespace tfrt::gpu
