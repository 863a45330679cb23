// Reads the descriptors of an operation graph.
#include <algorithm>
#include <utility>
#include <vector>

#include "backend.h"
#include "graph_program.h"

namespace tfrt::gpu::cudnn_double {
namespace {

// Reads one graph into a program.
class Matcher {
 public:
  // Whether the graph is an operation with steps in their order.
  bool Match(const Backend& graph) {
    const BackendAttribute* operations = graph.Find(CUDNN_ATTR_OPERATIONGRAPH_OPS);
    if (!operations || operations->descriptors.empty()) return false;
    const std::vector<std::shared_ptr<Backend>>& all = operations->descriptors;
    if (!MatchOperation(*all[0])) return false;
    for (size_t i = 1; i < all.size(); ++i) {
      if (!MatchStep(*all[i])) return false;
    }
    return FinishOutput();
  }
  GraphProgram Take() { return std::move(program_); }

 private:
  struct Tensor {
    GraphTensor tensor;
    bool is_virtual = false;
  };

  static std::optional<Tensor> Read(const std::shared_ptr<Backend>& descriptor) {
    if (!descriptor || descriptor->type != CUDNN_BACKEND_TENSOR_DESCRIPTOR) return std::nullopt;
    Tensor read;
    read.tensor.id = descriptor->Value<int64_t>(CUDNN_ATTR_TENSOR_UNIQUE_ID, 0);
    read.tensor.layout = {
        descriptor->Value<cudnnDataType_t>(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_DATA_FLOAT),
        descriptor->Values<int64_t>(CUDNN_ATTR_TENSOR_DIMENSIONS),
        descriptor->Values<int64_t>(CUDNN_ATTR_TENSOR_STRIDES), 1};
    read.tensor.alignment_bytes = descriptor->Value<int64_t>(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, 1);
    read.tensor.is_by_value = descriptor->Value<uint8_t>(CUDNN_ATTR_TENSOR_IS_BY_VALUE, 0) != 0;
    read.is_virtual = descriptor->Value<uint8_t>(CUDNN_ATTR_TENSOR_IS_VIRTUAL, 0) != 0;
    return read;
  }

  // A tensor of the program's own memory.
  bool Take(const Backend& operation, cudnnBackendAttributeName_t name, Role role) {
    const std::optional<Tensor> read = Read(operation.Descriptor(name));
    if (!read || read->is_virtual) return false;
    program_.Of(role) = read->tensor;
    return true;
  }
  // The tensor that the next step reads, or the result without one.
  bool TakeOutput(const Backend& operation, cudnnBackendAttributeName_t name) {
    last_ = Read(operation.Descriptor(name));
    return last_.has_value();
  }
  bool FinishOutput() {
    if (program_.Of(Role::kY)) return true;  // of a gradient
    if (!last_ || last_->is_virtual) return false;
    program_.Of(Role::kY) = last_->tensor;
    return true;
  }

  bool ReadConvolution(const std::shared_ptr<Backend>& convolution) {
    if (!convolution) return false;
    program_.window = {convolution->Values<int64_t>(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS),
                       convolution->Values<int64_t>(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS),
                       convolution->Values<int64_t>(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES),
                       convolution->Values<int64_t>(CUDNN_ATTR_CONVOLUTION_DILATIONS),
                       {}};
    program_.is_flipped =
        convolution->Value<uint32_t>(CUDNN_ATTR_CONVOLUTION_CONV_MODE, 1) == CUDNN_CONVOLUTION;
    program_.compute_type =
        convolution->Value<cudnnDataType_t>(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_DATA_FLOAT);
    return true;
  }
  static bool HasUnitFactors(const Backend& operation, cudnnBackendAttributeName_t alpha,
                             cudnnBackendAttributeName_t beta) {
    return operation.Number(alpha, 1) == 1 && operation.Number(beta, 0) == 0;
  }

  bool MatchOperation(const Backend& operation) {
    switch (operation.type) {
      case CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR:
        return MatchForward(operation);
      case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR:
        program_.operation = GraphOperation::kDataGradient;
        return HasUnitFactors(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
                              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA) &&
               Take(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, Role::kX) &&
               Take(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W, Role::kW) &&
               Take(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY, Role::kY) &&
               ReadConvolution(
                   operation.Descriptor(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC)) &&
               IsConvolution();
      case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR:
        program_.operation = GraphOperation::kFilterGradient;
        return HasUnitFactors(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
                              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA) &&
               Take(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X, Role::kX) &&
               Take(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW, Role::kW) &&
               Take(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY, Role::kY) &&
               ReadConvolution(
                   operation.Descriptor(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC)) &&
               IsConvolution();
      case CUDNN_BACKEND_OPERATION_RESAMPLE_FWD_DESCRIPTOR:
        return Take(operation, CUDNN_ATTR_OPERATION_RESAMPLE_FWD_XDESC, Role::kX) &&
               Take(operation, CUDNN_ATTR_OPERATION_RESAMPLE_FWD_YDESC, Role::kY) &&
               MatchPool(operation.Descriptor(CUDNN_ATTR_OPERATION_RESAMPLE_FWD_DESC),
                         /*is_gradient=*/false);
      case CUDNN_BACKEND_OPERATION_RESAMPLE_BWD_DESCRIPTOR:
        return Take(operation, CUDNN_ATTR_OPERATION_RESAMPLE_BWD_DXDESC, Role::kX) &&
               Take(operation, CUDNN_ATTR_OPERATION_RESAMPLE_BWD_DYDESC, Role::kY) &&
               MatchPool(operation.Descriptor(CUDNN_ATTR_OPERATION_RESAMPLE_BWD_DESC),
                         /*is_gradient=*/true);
      case CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR:
        return MatchMatmul(operation);
      case CUDNN_BACKEND_OPERATION_SDPA_FWD_DESCRIPTOR:
        return MatchAttention(operation);
      default:
        return false;
    }
  }

  bool MatchForward(const Backend& operation) {
    if (!HasUnitFactors(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
                        CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA) ||
        !Take(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, Role::kX) ||
        !Take(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, Role::kW) ||
        !TakeOutput(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y) ||
        !ReadConvolution(
            operation.Descriptor(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC)) ||
        !IsConvolution()) {
      return false;
    }
    const bool is_grouped =
        program_.Of(Role::kX)->layout.dims[1] != program_.Of(Role::kW)->layout.dims[1];
    program_.operation =
        is_grouped ? GraphOperation::kGroupedConvolution : GraphOperation::kConvolution;
    has_steps_ = true;
    return true;
  }
  // Whether the shapes fit together.
  bool IsConvolution() {
    const GraphTensor& y = program_.Of(Role::kY) ? *program_.Of(Role::kY) : last_->tensor;
    Convolution convolution{program_.Of(Role::kX)->layout, program_.Of(Role::kW)->layout, y.layout,
                            program_.window};
    return convolution.IsConsistent();
  }

  bool MatchPool(const std::shared_ptr<Backend>& resample, bool is_gradient) {
    if (!resample) return false;
    program_.window = {resample->Values<int64_t>(CUDNN_ATTR_RESAMPLE_PRE_PADDINGS),
                       resample->Values<int64_t>(CUDNN_ATTR_RESAMPLE_POST_PADDINGS),
                       resample->Values<int64_t>(CUDNN_ATTR_RESAMPLE_STRIDES),
                       {},
                       resample->Values<int64_t>(CUDNN_ATTR_RESAMPLE_WINDOW_DIMS)};
    switch (resample->Value<uint32_t>(CUDNN_ATTR_RESAMPLE_MODE, 0)) {
      case CUDNN_RESAMPLE_MAXPOOL:
        if (resample->Value<uint32_t>(CUDNN_ATTR_RESAMPLE_PADDING_MODE, 0) != CUDNN_NEG_INF_PAD) {
          return false;
        }
        // The library has no gradient of it without indices.
        if (is_gradient) return false;
        program_.operation = GraphOperation::kMaxPool;
        break;
      case CUDNN_RESAMPLE_AVGPOOL_INCLUDE_PADDING:
        program_.operation =
            is_gradient ? GraphOperation::kAveragePoolGradient : GraphOperation::kAveragePool;
        break;
      case CUDNN_RESAMPLE_AVGPOOL_EXCLUDE_PADDING:
        program_.operation = is_gradient ? GraphOperation::kAveragePoolInsideGradient
                                         : GraphOperation::kAveragePoolInside;
        break;
      default:
        return false;
    }
    Pooling pooling{program_.Of(Role::kX)->layout, program_.Of(Role::kY)->layout, program_.window};
    return pooling.IsConsistent();
  }
  bool MatchMatmul(const Backend& operation) {
    program_.operation = GraphOperation::kMatmul;
    has_steps_ = true;
    const std::shared_ptr<Backend> matmul = operation.Descriptor(CUDNN_ATTR_OPERATION_MATMUL_DESC);
    if (!matmul || !Take(operation, CUDNN_ATTR_OPERATION_MATMUL_ADESC, Role::kX) ||
        !Take(operation, CUDNN_ATTR_OPERATION_MATMUL_BDESC, Role::kW) ||
        !TakeOutput(operation, CUDNN_ATTR_OPERATION_MATMUL_CDESC)) {
      return false;
    }
    program_.compute_type =
        matmul->Value<cudnnDataType_t>(CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_DATA_FLOAT);
    const std::vector<int64_t>&a = program_.Of(Role::kX)->layout.dims,
          &b = program_.Of(Role::kW)->layout.dims, &c = last_->tensor.layout.dims;
    return a.size() == 3 && b.size() == 3 && c.size() == 3 && a[2] == b[1] &&
           (b[0] == a[0] || b[0] == 1) && c == std::vector<int64_t>{a[0], a[1], b[2]};
  }

  bool MatchAttention(const Backend& operation) {
    program_.operation = GraphOperation::kAttention;
    if (!Take(operation, CUDNN_ATTR_OPERATION_SDPA_FWD_QDESC, Role::kX) ||
        !Take(operation, CUDNN_ATTR_OPERATION_SDPA_FWD_KDESC, Role::kKey) ||
        !Take(operation, CUDNN_ATTR_OPERATION_SDPA_FWD_VDESC, Role::kValue) ||
        !Take(operation, CUDNN_ATTR_OPERATION_SDPA_FWD_ODESC, Role::kY) ||
        !Take(operation, CUDNN_ATTR_OPERATION_SDPA_FWD_SCALEDESC, Role::kScale) ||
        !program_.Of(Role::kScale)->is_by_value ||
        program_.Of(Role::kScale)->layout.type != CUDNN_DATA_FLOAT) {
      return false;
    }
    if (operation.Has(CUDNN_ATTR_OPERATION_SDPA_FWD_STATSDESC)) {
      program_.operation = GraphOperation::kAttentionStatistics;
      if (!Take(operation, CUDNN_ATTR_OPERATION_SDPA_FWD_STATSDESC, Role::kStatistics)) {
        return false;
      }
    }
    const std::vector<int64_t>&q = program_.Of(Role::kX)->layout.dims,
          &k = program_.Of(Role::kKey)->layout.dims, &v = program_.Of(Role::kValue)->layout.dims,
          &o = program_.Of(Role::kY)->layout.dims;
    return q.size() == 4 && k.size() == 4 && v.size() == 4 && q[0] == k[0] && k[0] == v[0] &&
           k[1] == v[1] && q[1] % k[1] == 0 && q[3] == k[3] && k[2] == v[2] &&
           o == std::vector<int64_t>{q[0], q[1], q[2], v[3]};
  }

  // A step reads what the one before has written, and nothing else does.
  bool MatchStep(const Backend& operation) {
    if (!has_steps_ || operation.type != CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR) {
      return false;
    }
    const std::shared_ptr<Backend> step =
        operation.Descriptor(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR);
    const std::optional<Tensor> x =
        Read(operation.Descriptor(CUDNN_ATTR_OPERATION_POINTWISE_XDESC));
    if (!step || !x || !last_->is_virtual || x->tensor.id != last_->tensor.id) return false;
    const std::vector<int64_t> dims = last_->tensor.layout.dims;
    if (!TakeOutput(operation, CUDNN_ATTR_OPERATION_POINTWISE_YDESC) ||
        last_->tensor.layout.dims != dims) {
      return false;
    }
    const auto mode = step->Value<uint32_t>(CUDNN_ATTR_POINTWISE_MODE, 0);
    if (mode != CUDNN_POINTWISE_ADD) return MatchActivation(*step, mode);
    const std::optional<Tensor> operand =
        Read(operation.Descriptor(CUDNN_ATTR_OPERATION_POINTWISE_BDESC));
    if (!operand || operand->is_virtual || program_.activation != GraphActivation::kNone) {
      return false;
    }
    const double alpha = operation.Number(CUDNN_ATTR_OPERATION_POINTWISE_ALPHA1, 1);
    const double alpha2 = operation.Number(CUDNN_ATTR_OPERATION_POINTWISE_ALPHA2, 1);
    const bool is_convolution = program_.operation != GraphOperation::kMatmul;
    if (is_convolution && operand->tensor.layout.dims == dims && !program_.Of(Role::kAddend) &&
        !program_.Of(Role::kBias)) {
      program_.Of(Role::kAddend) = operand->tensor;
      program_.alpha = alpha;
      program_.alpha2 = alpha2;
      return true;
    }
    std::vector<int64_t> of_bias(dims.size(), 1);
    const size_t channel = is_convolution ? 1 : 2;
    of_bias[channel] = dims[channel];
    if (operand->tensor.layout.dims != of_bias || program_.Of(Role::kBias) || alpha != 1 ||
        alpha2 != 1) {
      return false;
    }
    program_.Of(Role::kBias) = operand->tensor;
    return true;
  }

  bool MatchActivation(const Backend& step, uint32_t mode) {
    if (program_.activation != GraphActivation::kNone) return false;
    switch (mode) {
      case CUDNN_POINTWISE_RELU_FWD:
        program_.activation = GraphActivation::kRelu;
        if (step.Has(CUDNN_ATTR_POINTWISE_RELU_LOWER_CLIP) ||
            step.Has(CUDNN_ATTR_POINTWISE_RELU_LOWER_CLIP_SLOPE)) {
          return false;
        }
        if (step.Has(CUDNN_ATTR_POINTWISE_RELU_UPPER_CLIP)) {
          program_.activation = GraphActivation::kClippedRelu;
          program_.bound = step.Number(CUDNN_ATTR_POINTWISE_RELU_UPPER_CLIP, 0);
        }
        return true;
      case CUDNN_POINTWISE_SIGMOID_FWD:
        program_.activation = GraphActivation::kSigmoid;
        return true;
      case CUDNN_POINTWISE_TANH_FWD:
        program_.activation = GraphActivation::kTanh;
        return true;
      case CUDNN_POINTWISE_SWISH_FWD:
        program_.activation = GraphActivation::kSwish;
        program_.activation_beta = step.Number(CUDNN_ATTR_POINTWISE_SWISH_BETA, 1);
        return true;
      case CUDNN_POINTWISE_GELU_FWD:
        program_.activation = GraphActivation::kGelu;
        return true;
      case CUDNN_POINTWISE_GELU_APPROX_TANH_FWD:
        program_.activation = GraphActivation::kGeluTanh;
        return true;
      case CUDNN_POINTWISE_ELU_FWD:
        program_.activation = GraphActivation::kElu;
        program_.activation_alpha = step.Number(CUDNN_ATTR_POINTWISE_ELU_ALPHA, 1);
        return true;
      case CUDNN_POINTWISE_SOFTPLUS_FWD:
        program_.activation = GraphActivation::kSoftplus;
        program_.activation_beta = step.Number(CUDNN_ATTR_POINTWISE_SOFTPLUS_BETA, 1);
        return true;
      default:
        return false;
    }
  }

  GraphProgram program_;
  std::optional<Tensor> last_;
  bool has_steps_ = false;
};

}  // namespace

std::shared_ptr<const GraphProgram> MatchGraph(const Backend& graph) {
  Matcher matcher;
  if (!matcher.Match(graph)) return nullptr;
  auto program = std::make_shared<GraphProgram>(matcher.Take());
  return program->IsListed() ? program : nullptr;
}

}  // namespace tfrt::gpu::cudnn_double
