#include "graphs.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "gpu/libraries/saturated.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::dnn {
namespace {

// NOLINTNEXTLINE: all names are the vendor's
using namespace tfrt::gpu::cudnn;

std::string DimsText(const std::vector<int64_t>& dims) {
  std::string text = "[";
  for (size_t i = 0; i < dims.size(); ++i) text += StrCat(i == 0 ? "" : ",", dims[i]);
  return text + "]";
}

// Sums and products of two such numbers can be counted.
constexpr int64_t kMaxNumber = (int64_t{1} << 31) - 1;
// More elements than any memory has.
constexpr uint64_t kMaxElements = uint64_t{1} << 56;

Status CheckTensor(std::string_view name, const TensorForm& form, size_t min_rank) {
  if (form.dims.size() < min_rank || form.dims.size() > kMaxDims) {
    return InvalidArgumentError(StrCat(name, " has ", form.dims.size(), " dimensions; ", min_rank,
                                       " to ", kMaxDims, " are possible"));
  }
  if (form.strides.size() != form.dims.size()) {
    return InvalidArgumentError(StrCat(name, " has ", form.dims.size(), " dimensions and ",
                                       form.strides.size(), " strides"));
  }
  for (size_t i = 0; i < form.dims.size(); ++i) {
    if (form.dims[i] < 1 || form.strides[i] < 1) {
      return InvalidArgumentError(StrCat(name, " has dimension ", form.dims[i], " and stride ",
                                         form.strides[i], "; both must be at least 1"));
    }
    if (form.dims[i] > kMaxNumber) {
      return InvalidArgumentError(
          StrCat(name, " has dimension ", form.dims[i], ", more than ", kMaxNumber));
    }
  }
  if (SpanOf(form.dims, form.strides) > kMaxElements) {
    return InvalidArgumentError(StrCat(name, " ", DimsText(form.dims), " with the strides ",
                                       DimsText(form.strides), " is too large"));
  }
  return OkStatus();
}

Status CheckDims(std::string_view name, const std::vector<int64_t>& dims,
                 const std::vector<int64_t>& expected) {
  if (dims == expected) return OkStatus();
  return InvalidArgumentError(
      StrCat(name, " has the shape ", DimsText(dims), " instead of ", DimsText(expected)));
}

Status CheckCount(std::string_view name, const std::vector<int64_t>& list, size_t count,
                  int64_t least) {
  if (list.size() != count) {
    return InvalidArgumentError(
        StrCat(name, " has ", list.size(), " entries for ", count, " spatial dimensions"));
  }
  for (int64_t entry : list) {
    if (entry < least) {
      return InvalidArgumentError(StrCat(name, " is ", entry, ", less than ", least));
    }
    if (entry > kMaxNumber) {
      return InvalidArgumentError(StrCat(name, " is ", entry, ", more than ", kMaxNumber));
    }
  }
  return OkStatus();
}

// Sums of f64 are f64, others f32.
cudnnDataType_t SumType(cudnnDataType_t type) {
  return type == CUDNN_DATA_DOUBLE ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;
}

GraphAttribute Integers(cudnnBackendAttributeName_t name, std::vector<int64_t> values) {
  return {name, CUDNN_TYPE_INT64, std::move(values), {}};
}

GraphAttribute Choice(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                      uint32_t value) {
  return {name, type, {static_cast<int64_t>(value)}, {}};
}

GraphAttribute Type(cudnnBackendAttributeName_t name, cudnnDataType_t type) {
  return Choice(name, CUDNN_TYPE_DATA_TYPE, type);
}

// A factor of an operation, in the type of its sums.
GraphAttribute Factor(cudnnBackendAttributeName_t name, cudnnDataType_t sum_type, double value) {
  return {name, sum_type == CUDNN_DATA_DOUBLE ? CUDNN_TYPE_DOUBLE : CUDNN_TYPE_FLOAT, {}, {value}};
}

// Builds a graph: adds tensors, and the steps after its operation.
class Builder {
 public:
  Builder(int64_t alignment_bytes, cudnnDataType_t sum_type)
      : alignment_bytes_(alignment_bytes), sum_type_(sum_type) {}

  void Add(int64_t id, const TensorForm& form) {
    graph_.tensors.push_back({id, form.type, form.dims, form.strides, alignment_bytes_});
  }
  void AddValue(int64_t id, std::vector<int64_t> dims) {
    std::vector<int64_t> strides = RowStrides(dims);
    graph_.tensors.push_back(
        {id, CUDNN_DATA_FLOAT, std::move(dims), std::move(strides), alignment_bytes_, false, true});
  }
  void Add(GraphNode node) { graph_.nodes.push_back(std::move(node)); }

  // Says how many steps follow, the last of which writes `output`. Returns the id that the
  // operation before them writes.
  int64_t BeginSteps(int num_steps, const TensorForm& output) {
    steps_left_ = num_steps;
    output_ = output;
    return last_ = NextId();
  }
  // Adds the step last + operand (0: none), or that of one operand.
  void AddStep(cudnnPointwiseMode_t mode, int64_t operand, std::vector<GraphAttribute> parameters,
               std::vector<GraphAttribute> attributes) {
    --steps_left_;
    GraphNode node;
    node.operation = CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR;
    node.tensors.push_back({CUDNN_ATTR_OPERATION_POINTWISE_XDESC, last_});
    if (operand != 0) node.tensors.push_back({CUDNN_ATTR_OPERATION_POINTWISE_BDESC, operand});
    last_ = NextId();
    node.tensors.push_back({CUDNN_ATTR_OPERATION_POINTWISE_YDESC, last_});
    node.attributes = std::move(attributes);
    node.has_parameters = true;
    node.parameters_type = CUDNN_BACKEND_POINTWISE_DESCRIPTOR;
    node.parameters_name = CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR;
    node.parameters = {Choice(CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, mode),
                       Type(CUDNN_ATTR_POINTWISE_MATH_PREC, sum_type_)};
    for (GraphAttribute& parameter : parameters) node.parameters.push_back(std::move(parameter));
    graph_.nodes.push_back(std::move(node));
  }
  void AddActivation(const ActivationForm& activation) {
    auto number = [](cudnnBackendAttributeName_t name, double value) {
      return GraphAttribute{name, CUDNN_TYPE_DOUBLE, {}, {value}};
    };
    switch (activation.kind) {
      case GraphActivation::kNone:
        return;
      case GraphActivation::kRelu:
        return AddStep(CUDNN_POINTWISE_RELU_FWD, 0, {}, {});
      case GraphActivation::kClippedRelu:
        return AddStep(CUDNN_POINTWISE_RELU_FWD, 0,
                       {number(CUDNN_ATTR_POINTWISE_RELU_UPPER_CLIP, activation.bound)}, {});
      case GraphActivation::kSigmoid:
        return AddStep(CUDNN_POINTWISE_SIGMOID_FWD, 0, {}, {});
      case GraphActivation::kTanh:
        return AddStep(CUDNN_POINTWISE_TANH_FWD, 0, {}, {});
      case GraphActivation::kSwish:
        return AddStep(CUDNN_POINTWISE_SWISH_FWD, 0,
                       {number(CUDNN_ATTR_POINTWISE_SWISH_BETA, activation.beta)}, {});
      case GraphActivation::kGelu:
        return AddStep(CUDNN_POINTWISE_GELU_FWD, 0, {}, {});
      case GraphActivation::kGeluTanh:
        return AddStep(CUDNN_POINTWISE_GELU_APPROX_TANH_FWD, 0, {}, {});
      case GraphActivation::kElu:
        return AddStep(CUDNN_POINTWISE_ELU_FWD, 0,
                       {number(CUDNN_ATTR_POINTWISE_ELU_ALPHA, activation.alpha)}, {});
      case GraphActivation::kSoftplus:
        return AddStep(CUDNN_POINTWISE_SOFTPLUS_FWD, 0,
                       {number(CUDNN_ATTR_POINTWISE_SOFTPLUS_BETA, activation.beta)}, {});
    }
  }
  Graph Take() { return std::move(graph_); }

 private:
  // Adds the tensor that the next node writes: the output after the last step, else a virtual one.
  int64_t NextId() {
    if (steps_left_ == 0) {
      Add(kOutputId, output_);
      return kOutputId;
    }
    GraphTensor tensor{next_virtual_id_++, sum_type_, output_.dims, output_.strides,
                       alignment_bytes_};
    tensor.is_virtual = true;
    graph_.tensors.push_back(tensor);
    return tensor.id;
  }

  const int64_t alignment_bytes_;
  const cudnnDataType_t sum_type_;
  Graph graph_;
  TensorForm output_;
  int steps_left_ = 0;
  int64_t last_ = 0;
  int64_t next_virtual_id_ = 200;
};

Status CheckConvolution(const ConvolutionForm& form) {
  TFRT_RETURN_IF_ERROR(CheckTensor("the input", form.x, 4));
  TFRT_RETURN_IF_ERROR(CheckTensor("the filter", form.w, 4));
  TFRT_RETURN_IF_ERROR(CheckTensor("the output", form.y, 4));
  const size_t rank = form.x.dims.size();
  if (form.w.dims.size() != rank || form.y.dims.size() != rank) {
    return InvalidArgumentError(StrCat("input, filter and output have ", rank, ", ",
                                       form.w.dims.size(), " and ", form.y.dims.size(),
                                       " dimensions"));
  }
  const size_t spatial = rank - 2;
  TFRT_RETURN_IF_ERROR(CheckCount("the padding before", form.window.padding_before, spatial, 0));
  TFRT_RETURN_IF_ERROR(CheckCount("the padding after", form.window.padding_after, spatial, 0));
  TFRT_RETURN_IF_ERROR(CheckCount("the stride", form.window.strides, spatial, 1));
  TFRT_RETURN_IF_ERROR(CheckCount("the dilation", form.window.dilations, spatial, 1));
  if (form.x.dims[1] % form.w.dims[1] != 0 ||
      form.w.dims[0] % (form.x.dims[1] / form.w.dims[1]) != 0) {
    return InvalidArgumentError(StrCat("a filter ", DimsText(form.w.dims), " has no groups of ",
                                       form.x.dims[1], " channels"));
  }
  std::vector<int64_t> expected = {form.x.dims[0], form.w.dims[0]};
  for (size_t i = 0; i < spatial; ++i) {
    const int64_t window = (form.w.dims[i + 2] - 1) * form.window.dilations[i] + 1;
    const int64_t room =
        form.x.dims[i + 2] + form.window.padding_before[i] + form.window.padding_after[i] - window;
    if (room < 0) {
      return InvalidArgumentError(StrCat("a window of ", window, " does not fit into ",
                                         room + window, " of the padded input"));
    }
    expected.push_back(room / form.window.strides[i] + 1);
  }
  return CheckDims("the output", form.y.dims, expected);
}

Status CheckSteps(const ConvolutionForm& form) {
  if (form.addend) {
    TFRT_RETURN_IF_ERROR(CheckTensor("the addend", *form.addend, 4));
    TFRT_RETURN_IF_ERROR(CheckDims("the addend", form.addend->dims, form.y.dims));
  } else if (form.alpha != 1 || form.alpha2 != 1) {
    return UnimplementedError("factors of a convolution without an addend");
  }
  if (form.bias) {
    TFRT_RETURN_IF_ERROR(CheckTensor("the bias", *form.bias, 4));
    std::vector<int64_t> expected(form.y.dims.size(), 1);
    expected[1] = form.y.dims[1];
    TFRT_RETURN_IF_ERROR(CheckDims("the bias", form.bias->dims, expected));
  }
  return OkStatus();
}

GraphNode ConvolutionParameters(const ConvolutionForm& form) {
  const WindowForm& window = form.window;
  GraphNode node;
  node.has_parameters = true;
  node.parameters_type = CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR;
  node.parameters = {
      Integers(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, {static_cast<int64_t>(window.strides.size())}),
      Type(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, form.compute_type),
      Choice(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, form.mode),
      Integers(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, window.padding_before),
      Integers(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, window.padding_after),
      Integers(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, window.strides),
      Integers(CUDNN_ATTR_CONVOLUTION_DILATIONS, window.dilations)};
  return node;
}

Graph GradientGraph(const ConvolutionForm& form) {
  Builder builder(form.alignment_bytes, form.compute_type);
  builder.Add(kInputId, form.x);
  builder.Add(kFilterId, form.w);
  builder.Add(kOutputId, form.y);
  GraphNode node = ConvolutionParameters(form);
  if (form.operation == GraphOperation::kDataGradient) {
    node.operation = CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR;
    node.parameters_name = CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC;
    node.tensors = {{CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, kInputId},
                    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W, kFilterId},
                    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY, kOutputId}};
    node.attributes = {
        Factor(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA, form.compute_type, 1),
        Factor(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA, form.compute_type, 0)};
  } else {
    node.operation = CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR;
    node.parameters_name = CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC;
    node.tensors = {{CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X, kInputId},
                    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW, kFilterId},
                    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY, kOutputId}};
    node.attributes = {
        Factor(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA, form.compute_type, 1),
        Factor(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA, form.compute_type, 0)};
  }
  builder.Add(std::move(node));
  return builder.Take();
}

// Returns a stride that no tensor can have where it cannot be counted.
int64_t Times(int64_t stride, int64_t dim) {
  int64_t result = 0;
  return __builtin_mul_overflow(stride, dim, &result) ? INT64_MAX : result;
}

}  // namespace

std::vector<int64_t> RowStrides(const std::vector<int64_t>& dims) {
  std::vector<int64_t> strides(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;) strides[i - 1] = Times(strides[i], dims[i]);
  return strides;
}

std::vector<int64_t> ChannelsLastStrides(const std::vector<int64_t>& dims) {
  std::vector<int64_t> strides(dims.size(), 1);
  if (dims.size() < 2) return strides;
  int64_t stride = dims[1];
  for (size_t i = dims.size(); i-- > 2;) {
    strides[i] = stride;
    stride = Times(stride, dims[i]);
  }
  strides[0] = stride;
  return strides;
}

StatusOr<Graph> MakeConvolutionGraph(const ConvolutionForm& form) {
  TFRT_RETURN_IF_ERROR(CheckConvolution(form));
  const bool is_gradient = form.operation == GraphOperation::kDataGradient ||
                           form.operation == GraphOperation::kFilterGradient;
  if (is_gradient) {
    if (form.addend || form.bias || form.activation.kind != GraphActivation::kNone) {
      return UnimplementedError("steps after the gradient of a convolution");
    }
    return GradientGraph(form);
  }
  TFRT_RETURN_IF_ERROR(CheckSteps(form));
  Builder builder(form.alignment_bytes, form.compute_type);
  builder.Add(kInputId, form.x);
  builder.Add(kFilterId, form.w);
  if (form.addend) builder.Add(kAddendId, *form.addend);
  if (form.bias) builder.Add(kBiasId, *form.bias);
  const int num_steps = (form.addend ? 1 : 0) + (form.bias ? 1 : 0) +
                        (form.activation.kind != GraphActivation::kNone ? 1 : 0);
  GraphNode node = ConvolutionParameters(form);
  node.operation = CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR;
  node.parameters_name = CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC;
  node.tensors = {
      {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, kInputId},
      {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, kFilterId},
      {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, builder.BeginSteps(num_steps, form.y)}};
  node.attributes = {Factor(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, form.compute_type, 1),
                     Factor(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, form.compute_type, 0)};
  builder.Add(std::move(node));
  if (form.addend) {
    std::vector<GraphAttribute> factors;
    if (form.alpha != 1 || form.alpha2 != 1) {
      factors = {Factor(CUDNN_ATTR_OPERATION_POINTWISE_ALPHA1, form.compute_type, form.alpha),
                 Factor(CUDNN_ATTR_OPERATION_POINTWISE_ALPHA2, form.compute_type, form.alpha2)};
    }
    builder.AddStep(CUDNN_POINTWISE_ADD, kAddendId, {}, std::move(factors));
  }
  if (form.bias) builder.AddStep(CUDNN_POINTWISE_ADD, kBiasId, {}, {});
  builder.AddActivation(form.activation);
  return builder.Take();
}

StatusOr<Graph> MakePoolGraph(const PoolForm& form) {
  TFRT_RETURN_IF_ERROR(CheckTensor("the input", form.x, 4));
  TFRT_RETURN_IF_ERROR(CheckTensor("the output", form.y, 4));
  const size_t spatial = form.x.dims.size() - 2;
  const WindowForm& window = form.window;
  TFRT_RETURN_IF_ERROR(CheckCount("the window", window.sizes, spatial, 1));
  TFRT_RETURN_IF_ERROR(CheckCount("the padding before", window.padding_before, spatial, 0));
  TFRT_RETURN_IF_ERROR(CheckCount("the padding after", window.padding_after, spatial, 0));
  TFRT_RETURN_IF_ERROR(CheckCount("the stride", window.strides, spatial, 1));
  std::vector<int64_t> expected = {form.x.dims[0], form.x.dims[1]};
  for (size_t i = 0; i < spatial; ++i) {
    const int64_t room =
        form.x.dims[i + 2] + window.padding_before[i] + window.padding_after[i] - window.sizes[i];
    if (room < 0) {
      return InvalidArgumentError(StrCat("a window of ", window.sizes[i], " does not fit into ",
                                         room + window.sizes[i], " of the padded input"));
    }
    expected.push_back(room / window.strides[i] + 1);
  }
  TFRT_RETURN_IF_ERROR(CheckDims("the output", form.y.dims, expected));

  const GraphOperation operation = form.operation;
  const bool is_max = operation == GraphOperation::kMaxPool;
  const bool counts_padding = operation == GraphOperation::kAveragePool ||
                              operation == GraphOperation::kAveragePoolGradient;
  const bool is_gradient = operation == GraphOperation::kAveragePoolGradient ||
                           operation == GraphOperation::kAveragePoolInsideGradient;
  Builder builder(form.alignment_bytes, SumType(form.x.type));
  builder.Add(kInputId, form.x);
  builder.Add(kOutputId, form.y);
  GraphNode node;
  node.has_parameters = true;
  node.parameters_type = CUDNN_BACKEND_RESAMPLE_DESCRIPTOR;
  node.parameters = {Choice(CUDNN_ATTR_RESAMPLE_MODE, CUDNN_TYPE_RESAMPLE_MODE,
                            is_max           ? CUDNN_RESAMPLE_MAXPOOL
                            : counts_padding ? CUDNN_RESAMPLE_AVGPOOL_INCLUDE_PADDING
                                             : CUDNN_RESAMPLE_AVGPOOL_EXCLUDE_PADDING),
                     Type(CUDNN_ATTR_RESAMPLE_COMP_TYPE, SumType(form.x.type)),
                     Choice(CUDNN_ATTR_RESAMPLE_PADDING_MODE, CUDNN_TYPE_PADDING_MODE,
                            is_max ? CUDNN_NEG_INF_PAD : CUDNN_ZERO_PAD),
                     Integers(CUDNN_ATTR_RESAMPLE_SPATIAL_DIMS, {static_cast<int64_t>(spatial)}),
                     Integers(CUDNN_ATTR_RESAMPLE_WINDOW_DIMS, window.sizes),
                     Integers(CUDNN_ATTR_RESAMPLE_STRIDES, window.strides),
                     Integers(CUDNN_ATTR_RESAMPLE_PRE_PADDINGS, window.padding_before),
                     Integers(CUDNN_ATTR_RESAMPLE_POST_PADDINGS, window.padding_after)};
  if (is_gradient) {
    node.operation = CUDNN_BACKEND_OPERATION_RESAMPLE_BWD_DESCRIPTOR;
    node.parameters_name = CUDNN_ATTR_OPERATION_RESAMPLE_BWD_DESC;
    node.tensors = {{CUDNN_ATTR_OPERATION_RESAMPLE_BWD_DXDESC, kInputId},
                    {CUDNN_ATTR_OPERATION_RESAMPLE_BWD_DYDESC, kOutputId}};
  } else {
    node.operation = CUDNN_BACKEND_OPERATION_RESAMPLE_FWD_DESCRIPTOR;
    node.parameters_name = CUDNN_ATTR_OPERATION_RESAMPLE_FWD_DESC;
    node.tensors = {{CUDNN_ATTR_OPERATION_RESAMPLE_FWD_XDESC, kInputId},
                    {CUDNN_ATTR_OPERATION_RESAMPLE_FWD_YDESC, kOutputId}};
  }
  builder.Add(std::move(node));
  return builder.Take();
}

StatusOr<Graph> MakeMatmulGraph(const MatmulForm& form) {
  TFRT_RETURN_IF_ERROR(CheckTensor("the left factor", form.a, 3));
  TFRT_RETURN_IF_ERROR(CheckTensor("the right factor", form.b, 3));
  TFRT_RETURN_IF_ERROR(CheckTensor("the product", form.y, 3));
  if (form.a.dims.size() != 3 || form.b.dims.size() != 3) {
    return UnimplementedError("products of more than three dimensions");
  }
  const std::vector<int64_t>& a = form.a.dims;
  const std::vector<int64_t>& b = form.b.dims;
  if (a[2] != b[1] || (b[0] != a[0] && b[0] != 1)) {
    return InvalidArgumentError(
        StrCat("factors ", DimsText(a), " and ", DimsText(b), " do not fit together"));
  }
  TFRT_RETURN_IF_ERROR(CheckDims("the product", form.y.dims, {a[0], a[1], b[2]}));
  Builder builder(form.alignment_bytes, form.compute_type);
  builder.Add(kInputId, form.a);
  builder.Add(kFilterId, form.b);
  if (form.bias) {
    TFRT_RETURN_IF_ERROR(CheckTensor("the bias", *form.bias, 3));
    TFRT_RETURN_IF_ERROR(CheckDims("the bias", form.bias->dims, {1, 1, b[2]}));
    builder.Add(kBiasId, *form.bias);
  }
  const int num_steps =
      (form.bias ? 1 : 0) + (form.activation.kind != GraphActivation::kNone ? 1 : 0);
  GraphNode node;
  node.operation = CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR;
  node.has_parameters = true;
  node.parameters_type = CUDNN_BACKEND_MATMUL_DESCRIPTOR;
  node.parameters_name = CUDNN_ATTR_OPERATION_MATMUL_DESC;
  node.parameters = {Type(CUDNN_ATTR_MATMUL_COMP_TYPE, form.compute_type)};
  node.tensors = {{CUDNN_ATTR_OPERATION_MATMUL_ADESC, kInputId},
                  {CUDNN_ATTR_OPERATION_MATMUL_BDESC, kFilterId},
                  {CUDNN_ATTR_OPERATION_MATMUL_CDESC, builder.BeginSteps(num_steps, form.y)}};
  builder.Add(std::move(node));
  if (form.bias) builder.AddStep(CUDNN_POINTWISE_ADD, kBiasId, {}, {});
  builder.AddActivation(form.activation);
  return builder.Take();
}

StatusOr<Graph> MakeAttentionGraph(const AttentionForm& form) {
  TFRT_RETURN_IF_ERROR(CheckTensor("q", form.q, 4));
  TFRT_RETURN_IF_ERROR(CheckTensor("k", form.k, 4));
  TFRT_RETURN_IF_ERROR(CheckTensor("v", form.v, 4));
  TFRT_RETURN_IF_ERROR(CheckTensor("o", form.o, 4));
  const std::vector<int64_t>& q = form.q.dims;
  const std::vector<int64_t>& k = form.k.dims;
  const std::vector<int64_t>& v = form.v.dims;
  if (q.size() != 4 || k.size() != 4 || v.size() != 4 || k[0] != q[0] || v[0] != q[0] ||
      k[1] != v[1] || q[1] % k[1] != 0 || k[2] != v[2] || q[3] != k[3]) {
    return InvalidArgumentError(StrCat("q ", DimsText(q), ", k ", DimsText(k), " and v ",
                                       DimsText(v), " do not fit together"));
  }
  TFRT_RETURN_IF_ERROR(CheckDims("o", form.o.dims, {q[0], q[1], q[2], v[3]}));
  Builder builder(form.alignment_bytes, CUDNN_DATA_FLOAT);
  builder.Add(kInputId, form.q);
  builder.Add(kKeyId, form.k);
  builder.Add(kValueId, form.v);
  builder.Add(kOutputId, form.o);
  builder.AddValue(kScaleId, {1, 1, 1, 1});
  GraphNode node;
  node.operation = CUDNN_BACKEND_OPERATION_SDPA_FWD_DESCRIPTOR;
  node.tensors = {{CUDNN_ATTR_OPERATION_SDPA_FWD_QDESC, kInputId},
                  {CUDNN_ATTR_OPERATION_SDPA_FWD_KDESC, kKeyId},
                  {CUDNN_ATTR_OPERATION_SDPA_FWD_VDESC, kValueId},
                  {CUDNN_ATTR_OPERATION_SDPA_FWD_ODESC, kOutputId},
                  {CUDNN_ATTR_OPERATION_SDPA_FWD_SCALEDESC, kScaleId}};
  if (form.statistics) {
    TFRT_RETURN_IF_ERROR(CheckTensor("the statistics", *form.statistics, 4));
    TFRT_RETURN_IF_ERROR(CheckDims("the statistics", form.statistics->dims, {q[0], q[1], q[2], 1}));
    builder.Add(kStatisticsId, *form.statistics);
    node.tensors.push_back({CUDNN_ATTR_OPERATION_SDPA_FWD_STATSDESC, kStatisticsId});
  }
  builder.Add(std::move(node));
  return builder.Take();
}

}  // namespace tfrt::gpu::dnn
