// Kernels of plans of convolutions, which programs describe with an engine and its settings.

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "dnn_plans.h"
#include "dnn_values.h"
#include "gpu/libraries/dnn/graphs.h"
#include "gpu/libraries/dnn/planner.h"
#include "gpu/tensor/gpu_buffer.h"
#include "kernel_groups.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

using namespace cudnn;  // NOLINT: the vendor's names

// `!tfrt_gpu.dnn.convolution.plan`
struct ConvolutionPlanValue {
  static constexpr std::string_view kProgramTypeName = "dnn convolution plan";
  DnnPlan plan;
};

std::vector<int64_t> ListOf(ArrayAttribute<int64_t> list) { return {list.begin(), list.end()}; }

StatusOr<ConvolutionPlanValue> Build(const DnnHandleValue& handle, const dnn::ConvolutionForm& form,
                                     const dnn::PlanChoice& choice) {
  TFRT_ASSIGN_OR_RETURN(const dnn::Graph graph, dnn::MakeConvolutionGraph(form));
  TFRT_ASSIGN_OR_RETURN(DnnPlan plan, BuildDnnPlan(handle, graph, choice));
  return ConvolutionPlanValue{std::move(plan)};
}

StatusOr<dnn::PlanChoice> ChoiceOf(int32_t engine_id, ArrayAttribute<int64_t> knobs,
                                   ArrayAttribute<int64_t> values) {
  if (knobs.size() != values.size()) {
    return InvalidArgumentError("Mismatched number of tuning knob types and choices.");
  }
  dnn::PlanChoice choice;
  choice.engine = engine_id;
  for (size_t i = 0; i < knobs.size(); ++i) choice.knobs.emplace_back(knobs[i], values[i]);
  return choice;
}

// Holds the attributes that all plans of convolutions have.
struct ConvolutionAttributes {
  int32_t backend_type;
  ArrayAttribute<int64_t> dilations;
  int32_t num_spatial;
  int32_t mode;
  ArrayAttribute<int64_t> padding, strides;
  ArrayAttribute<int64_t> filter_dims, filter_strides, input_dims, input_strides;
  int32_t input_type;
  ArrayAttribute<int64_t> output_dims, output_strides;
  int32_t output_type;
};

StatusOr<dnn::ConvolutionForm> FormOf(const ConvolutionAttributes& attributes) {
  TFRT_ASSIGN_OR_RETURN(auto input_type,
                        CudaValue<cudnnDataType_t>(GpuEnum::kDnnDataType, attributes.input_type));
  TFRT_ASSIGN_OR_RETURN(auto output_type,
                        CudaValue<cudnnDataType_t>(GpuEnum::kDnnDataType, attributes.output_type));
  if (input_type == CUDNN_DATA_INT8x32 || output_type == CUDNN_DATA_INT8x32) {
    return UnimplementedError("cuDNN frontend doesn't support int8x32 at the moment.");
  }
  dnn::ConvolutionForm form;
  switch (attributes.backend_type) {
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR:
      form.operation = GraphOperation::kConvolution;
      break;
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR:
      form.operation = GraphOperation::kFilterGradient;
      break;
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR:
      form.operation = GraphOperation::kDataGradient;
      break;
    default:
      return InvalidArgumentError(
          StrCat("backend type ", attributes.backend_type, " is not 10, 11 or 12"));
  }
  if (attributes.num_spatial != static_cast<int64_t>(attributes.strides.size())) {
    return InvalidArgumentError(StrCat("conv_dim is ", attributes.num_spatial, ", but there are ",
                                       attributes.strides.size(), " strides"));
  }
  form.x = {input_type, ListOf(attributes.input_dims), ListOf(attributes.input_strides)};
  form.w = {input_type, ListOf(attributes.filter_dims), ListOf(attributes.filter_strides)};
  form.y = {output_type, ListOf(attributes.output_dims), ListOf(attributes.output_strides)};
  // The same before and after.
  form.window.padding_before = form.window.padding_after = ListOf(attributes.padding);
  form.window.strides = ListOf(attributes.strides);
  form.window.dilations = ListOf(attributes.dilations);
  TFRT_ASSIGN_OR_RETURN(
      form.mode, CudaValue<cudnnConvolutionMode_t>(GpuEnum::kDnnConvolutionMode, attributes.mode));
  TFRT_ASSIGN_OR_RETURN(form.compute_type, DnnSumType(input_type));
  form.alignment_bytes = 32;
  return form;
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
  TFRT_ASSIGN_OR_RETURN(const dnn::PlanChoice choice,
                        ChoiceOf(*engine_id, tuning_knob_ids, tuning_knob_values));
  TFRT_ASSIGN_OR_RETURN(
      const dnn::ConvolutionForm form,
      FormOf({*backend_type, conv_dilations, *conv_dim, *conv_mode, conv_padding, conv_strides,
              filter_dims, filter_strides, input_dims, input_strides, *input_type, output_dims,
              output_strides, *output_type}));
  return Build(handle, form, choice);
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
  TFRT_ASSIGN_OR_RETURN(const dnn::PlanChoice choice,
                        ChoiceOf(*engine_id, tuning_knob_ids, tuning_knob_values));
  TFRT_ASSIGN_OR_RETURN(
      dnn::ConvolutionForm form,
      FormOf({*backend_type, conv_dilations, *conv_dim, *conv_mode, conv_padding, conv_strides,
              filter_dims, filter_strides, input_dims, input_strides, *input_type, output_dims,
              output_strides, *output_type}));
  TFRT_ASSIGN_OR_RETURN(auto type, CudaValue<cudnnDataType_t>(GpuEnum::kDnnDataType, *bias_type));
  if (*activation_mode == CUDNN_ACTIVATION_RELU) {
    form.activation.kind = GraphActivation::kRelu;
  } else if (*activation_mode != CUDNN_ACTIVATION_IDENTITY) {
    return UnimplementedError("Unimplemented activation mode");
  }
  form.addend = form.y;
  form.bias = dnn::TensorForm{type, ListOf(bias_dims), ListOf(bias_strides)};
  form.alpha = alpha;
  form.alpha2 = alpha2;
  return Build(handle, form, choice);
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
