// Kernels of plans of operations with steps after them: tfrt_gpu.dnn.graph.build and .run.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dnn_plans.h"
#include "dnn_values.h"
#include "gpu/libraries/dnn/forms.h"
#include "gpu/libraries/dnn/graphs.h"
#include "gpu/tensor/gpu_buffer.h"
#include "kernel_groups.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

using namespace cudnn;  // NOLINT: the vendor's names
using dnn::GraphActivation;
using dnn::GraphForm;
using dnn::GraphOperation;

// `!tfrt_gpu.dnn.plan`
struct GraphPlanValue {
  static constexpr std::string_view kProgramTypeName = "dnn plan";
  DnnPlan plan;
  std::vector<int64_t> ids;  // of the program's buffers, in their order
  bool has_scale = false;
  float scale = 1;
};

// A form by its name, such as "conv+bias+relu": types and layouts follow from the tensors.
StatusOr<GraphForm> FormOfName(std::string_view name) {
  for (GraphForm form : dnn::AllForms()) {
    const std::string text = dnn::FormText(form);
    if (text.substr(0, text.find(' ')) == name) return form;
  }
  return InvalidArgumentError(StrCat("there is no form '", name, "'"));
}

std::vector<int64_t> TensorIds(const GraphForm& form) {
  switch (form.operation) {
    case GraphOperation::kAttention:
      return {dnn::kInputId, dnn::kKeyId, dnn::kValueId, dnn::kOutputId};
    case GraphOperation::kAttentionStatistics:
      return {dnn::kInputId, dnn::kKeyId, dnn::kValueId, dnn::kOutputId, dnn::kStatisticsId};
    case GraphOperation::kMaxPool:
    case GraphOperation::kAveragePool:
    case GraphOperation::kAveragePoolInside:
    case GraphOperation::kAveragePoolGradient:
    case GraphOperation::kAveragePoolInsideGradient:
      return {dnn::kInputId, dnn::kOutputId};
    default:
      break;
  }
  std::vector<int64_t> ids = {dnn::kInputId, dnn::kFilterId};
  if (form.has_addend) ids.push_back(dnn::kAddendId);
  if (form.has_bias) ids.push_back(dnn::kBiasId);
  ids.push_back(dnn::kOutputId);
  return ids;
}

// The attributes of a graph, taken apart.
class GraphReader {
 public:
  static StatusOr<GraphReader> Create(const GraphForm& form, cudnnDataType_t type,
                                      std::span<const int64_t> dims,
                                      std::span<const int64_t> strides,
                                      std::span<const int64_t> window, double parameter) {
    GraphReader reader(form, type, parameter);
    const size_t num_tensors = reader.ids_.size();
    if (dims.size() != strides.size() || dims.empty() || dims.size() % num_tensors != 0) {
      return InvalidArgumentError(StrCat(dims.size(), " dimensions and ", strides.size(),
                                         " strides are not those of ", num_tensors, " tensors"));
    }
    const size_t rank = dims.size() / num_tensors;
    for (size_t i = 0; i < num_tensors; ++i) {
      auto part = [&](std::span<const int64_t> list) {
        const auto of_tensor = list.subspan(i * rank, rank);
        return std::vector<int64_t>(of_tensor.begin(), of_tensor.end());
      };
      reader.tensors_.push_back({type, part(dims), part(strides)});
    }
    const bool has_window = reader.HasWindow();
    const size_t num_spatial = has_window && rank > 2 ? rank - 2 : 0;
    if (window.size() != 4 * num_spatial) {
      return InvalidArgumentError(StrCat("a window of ", window.size(), " numbers; ",
                                         4 * num_spatial, " are four for each of ", num_spatial,
                                         " dimensions"));
    }
    std::vector<int64_t>* lists[] = {
        &reader.window_.padding_before, &reader.window_.padding_after, &reader.window_.strides,
        reader.IsConvolution() ? &reader.window_.dilations : &reader.window_.sizes};
    for (size_t i = 0; i < 4; ++i) {
      const auto list = window.subspan(i * num_spatial, num_spatial);
      lists[i]->assign(list.begin(), list.end());
    }
    return reader;
  }

  const std::vector<int64_t>& ids() const { return ids_; }
  bool has_scale() const {
    return form_.operation == GraphOperation::kAttention ||
           form_.operation == GraphOperation::kAttentionStatistics;
  }

  StatusOr<dnn::Graph> MakeGraph() {
    if (IsConvolution()) return MakeListed(Convolution(), dnn::MakeConvolutionGraph);
    if (HasWindow()) {
      return MakeListed(
          dnn::PoolForm{form_.operation, Tensor(dnn::kInputId), Tensor(dnn::kOutputId), window_},
          dnn::MakePoolGraph);
    }
    if (form_.operation == GraphOperation::kMatmul) {
      dnn::MatmulForm matmul{Tensor(dnn::kInputId), Tensor(dnn::kFilterId), Tensor(dnn::kOutputId)};
      if (form_.has_bias) matmul.bias = Tensor(dnn::kBiasId);
      matmul.activation = Activation();
      return MakeListed(matmul, dnn::MakeMatmulGraph);
    }
    dnn::AttentionForm attention{Tensor(dnn::kInputId), Tensor(dnn::kKeyId), Tensor(dnn::kValueId),
                                 Tensor(dnn::kOutputId)};
    if (form_.operation == GraphOperation::kAttentionStatistics) {
      attention.statistics = Tensor(dnn::kStatisticsId);
      attention.statistics->type = CUDNN_DATA_FLOAT;
    }
    return MakeListed(attention, dnn::MakeAttentionGraph);
  }

 private:
  GraphReader(const GraphForm& form, cudnnDataType_t type, double parameter)
      : form_(form), type_(type), parameter_(parameter), ids_(TensorIds(form)) {}

  bool IsConvolution() const {
    switch (form_.operation) {
      case GraphOperation::kConvolution:
      case GraphOperation::kGroupedConvolution:
      case GraphOperation::kDataGradient:
      case GraphOperation::kFilterGradient:
        return true;
      default:
        return false;
    }
  }
  bool HasWindow() const {
    return IsConvolution() || (form_.operation != GraphOperation::kMatmul && !has_scale());
  }
  dnn::TensorForm& Tensor(int64_t id) {
    return tensors_[static_cast<size_t>(std::ranges::find(ids_, id) - ids_.begin())];
  }
  dnn::ActivationForm Activation() const {
    return {form_.activation, /*bound=*/parameter_, /*alpha=*/parameter_, /*beta=*/parameter_};
  }
  dnn::ConvolutionForm Convolution() {
    dnn::ConvolutionForm convolution;
    convolution.operation = form_.operation == GraphOperation::kGroupedConvolution
                                ? GraphOperation::kConvolution
                                : form_.operation;
    convolution.x = Tensor(dnn::kInputId);
    convolution.w = Tensor(dnn::kFilterId);
    convolution.y = Tensor(dnn::kOutputId);
    convolution.window = window_;
    convolution.compute_type = type_ == CUDNN_DATA_DOUBLE ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;
    if (form_.has_addend) convolution.addend = Tensor(dnn::kAddendId);
    if (form_.has_bias) convolution.bias = Tensor(dnn::kBiasId);
    convolution.activation = Activation();
    return convolution;
  }
  template <typename T>
  static StatusOr<dnn::Graph> MakeListed(const T& form, StatusOr<dnn::Graph> (*make)(const T&)) {
    TFRT_ASSIGN_OR_RETURN(dnn::Graph graph, make(form));
    TFRT_RETURN_IF_ERROR(dnn::CheckListed(dnn::FormOf(form)));
    return graph;
  }

  const GraphForm form_;
  const cudnnDataType_t type_;
  const double parameter_;
  const std::vector<int64_t> ids_;
  std::vector<dnn::TensorForm> tensors_;
  dnn::WindowForm window_;
};

StatusOr<GraphPlanValue> GraphBuild(const DnnHandleValue& handle, Attribute<bool> allow_tf32,
                                    Attribute<int32_t> data_type, ArrayAttribute<int64_t> dims,
                                    StringAttribute form, Attribute<double> parameter,
                                    ArrayAttribute<int64_t> strides,
                                    ArrayAttribute<int64_t> window) {
  TFRT_ASSIGN_OR_RETURN(auto type, CudaValue<cudnnDataType_t>(GpuEnum::kDnnDataType, *data_type));
  TFRT_ASSIGN_OR_RETURN(const GraphForm found, FormOfName(*form));
  TFRT_ASSIGN_OR_RETURN(
      GraphReader reader,
      GraphReader::Create(found, type, dims.span(), strides.span(), window.span(), *parameter));
  TFRT_ASSIGN_OR_RETURN(const dnn::Graph graph, reader.MakeGraph());
  dnn::PlanChoice choice;
  choice.allow_tf32 = *allow_tf32;
  TFRT_ASSIGN_OR_RETURN(DnnPlan plan, BuildDnnPlan(handle, graph, choice));
  return GraphPlanValue{std::move(plan), reader.ids(), reader.has_scale(),
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
