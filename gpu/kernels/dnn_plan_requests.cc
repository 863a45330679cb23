#include "dnn_plan_requests.h"

#include <algorithm>
#include <string>
#include <utility>

#include "cuda_value.h"
#include "dnn_values.h"
#include "gpu/libraries/dnn/forms.h"
#include "gpu/libraries/dnn/graphs.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

using namespace cudnn;  // NOLINT: the vendor's names
using dnn::GraphActivation;
using dnn::GraphForm;
using dnn::GraphOperation;

std::vector<int64_t> ListOf(std::span<const int64_t> list) { return {list.begin(), list.end()}; }

StatusOr<dnn::ConvolutionForm> FormOf(const DnnConvolutionAttributes& attributes) {
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

}  // namespace

StatusOr<DnnPlanRequest> RequestOf(const DnnConvolutionAttributes& attributes,
                                   const std::optional<DnnFusedAttributes>& fused) {
  if (attributes.knobs.size() != attributes.knob_values.size()) {
    return InvalidArgumentError("Mismatched number of tuning knob types and choices.");
  }
  DnnPlanRequest request;
  request.choice.engine = attributes.engine_id;
  for (size_t i = 0; i < attributes.knobs.size(); ++i) {
    request.choice.knobs.emplace_back(attributes.knobs[i], attributes.knob_values[i]);
  }
  TFRT_ASSIGN_OR_RETURN(dnn::ConvolutionForm form, FormOf(attributes));
  if (fused) {
    TFRT_ASSIGN_OR_RETURN(auto type,
                          CudaValue<cudnnDataType_t>(GpuEnum::kDnnDataType, fused->bias_type));
    if (fused->activation_mode == CUDNN_ACTIVATION_RELU) {
      form.activation.kind = GraphActivation::kRelu;
    } else if (fused->activation_mode != CUDNN_ACTIVATION_IDENTITY) {
      return UnimplementedError("Unimplemented activation mode");
    }
    form.addend = form.y;
    form.bias = dnn::TensorForm{type, ListOf(fused->bias_dims), ListOf(fused->bias_strides)};
    form.alpha = fused->alpha;
    form.alpha2 = fused->alpha2;
  }
  TFRT_ASSIGN_OR_RETURN(request.graph, dnn::MakeConvolutionGraph(form));
  return request;
}

StatusOr<DnnPlanRequest> RequestOf(const DnnGraphAttributes& attributes) {
  TFRT_ASSIGN_OR_RETURN(auto type,
                        CudaValue<cudnnDataType_t>(GpuEnum::kDnnDataType, attributes.data_type));
  TFRT_ASSIGN_OR_RETURN(const GraphForm found, FormOfName(attributes.form));
  TFRT_ASSIGN_OR_RETURN(GraphReader reader,
                        GraphReader::Create(found, type, attributes.dims, attributes.strides,
                                            attributes.window, attributes.parameter));
  DnnPlanRequest request;
  TFRT_ASSIGN_OR_RETURN(request.graph, reader.MakeGraph());
  request.choice.allow_tf32 = attributes.allow_tf32;
  request.ids = reader.ids();
  request.has_scale = reader.has_scale();
  return request;
}

}  // namespace tfrt::gpu
