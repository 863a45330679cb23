#include "forms.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::dnn {
namespace {

// NOLINTNEXTLINE: the constants of the list
using namespace tfrt::gpu::cudnn;

std::string_view NameOf(GraphOperation operation) {
  switch (operation) {
    case GraphOperation::kConvolution:
      return "conv";
    case GraphOperation::kGroupedConvolution:
      return "grouped_conv";
    case GraphOperation::kDataGradient:
      return "data_gradient";
    case GraphOperation::kFilterGradient:
      return "filter_gradient";
    case GraphOperation::kMaxPool:
      return "max_pool";
    case GraphOperation::kAveragePool:
      return "average_pool";
    case GraphOperation::kAveragePoolInside:
      return "average_pool_inside";
    case GraphOperation::kAveragePoolGradient:
      return "average_pool_gradient";
    case GraphOperation::kAveragePoolInsideGradient:
      return "average_pool_inside_gradient";
    case GraphOperation::kMatmul:
      return "matmul";
    case GraphOperation::kAttention:
      return "attention";
    case GraphOperation::kAttentionStatistics:
      return "attention_statistics";
  }
  return "";
}

std::string_view NameOf(GraphActivation activation) {
  constexpr std::string_view kNames[] = {"",      "+relu",    "+clipped_relu", "+sigmoid",
                                         "+tanh", "+swish",   "+gelu",         "+gelu_tanh",
                                         "+elu",  "+softplus"};
  return kNames[static_cast<int>(activation)];
}

uint8_t TypeBit(cudnnDataType_t type) {
  switch (type) {
    case CUDNN_DATA_HALF:
      return kGraphF16;
    case CUDNN_DATA_BFLOAT16:
      return kGraphBf16;
    case CUDNN_DATA_FLOAT:
      return kGraphF32;
    case CUDNN_DATA_DOUBLE:
      return kGraphF64;
    default:
      return 0;
  }
}

// Returns the type of all tensors, or 0 if they have several.
uint8_t TypeOf(std::initializer_list<const TensorForm*> tensors) {
  const uint8_t bit = TypeBit((*tensors.begin())->type);
  for (const TensorForm* tensor : tensors) {
    if (TypeBit(tensor->type) != bit) return 0;
  }
  return bit;
}

// Returns whether the tensor lies in memory as `strides` say. The stride of a dimension with one
// element has no meaning.
bool HasStrides(const TensorForm& tensor, const std::vector<int64_t>& strides) {
  if (tensor.strides.size() != strides.size()) return false;
  for (size_t i = 0; i < strides.size(); ++i) {
    if (tensor.dims[i] != 1 && tensor.strides[i] != strides[i]) return false;
  }
  return true;
}

uint8_t ImageLayouts(std::initializer_list<const TensorForm*> tensors) {
  uint8_t layouts = kGraphAnyImage;
  for (const TensorForm* tensor : tensors) {
    if (!HasStrides(*tensor, ChannelsLastStrides(tensor->dims))) layouts &= ~kGraphNhwc;
    if (!HasStrides(*tensor, RowStrides(tensor->dims))) layouts &= ~kGraphNchw;
  }
  return layouts;
}

uint8_t RowLayout(std::initializer_list<const TensorForm*> tensors) {
  for (const TensorForm* tensor : tensors) {
    if (!HasStrides(*tensor, RowStrides(tensor->dims))) return 0;
  }
  return kGraphRows;
}

}  // namespace

const std::vector<GraphForm>& AllForms() {
  static const auto& forms = *new std::vector<GraphForm>{
#define TFRT_CUDNN_FORM(operation, addend, bias, activation, types, layouts) \
  {GraphOperation::k##operation,   addend,        bias,                      \
   GraphActivation::k##activation, kGraph##types, kGraph##layouts},
      TFRT_CUDNN_GRAPH_FORMS(TFRT_CUDNN_FORM)
#undef TFRT_CUDNN_FORM
  };
  return forms;
}

GraphForm FormOf(const ConvolutionForm& form) {
  GraphForm result;
  result.operation = form.operation;
  if (form.operation == GraphOperation::kConvolution && form.x.dims.size() > 1 &&
      form.w.dims.size() > 1 && form.x.dims[1] != form.w.dims[1]) {
    result.operation = GraphOperation::kGroupedConvolution;
  }
  result.has_addend = form.addend.has_value();
  result.has_bias = form.bias.has_value();
  result.activation = form.activation.kind;
  const TensorForm* addend = form.addend ? &*form.addend : &form.y;
  const TensorForm* bias = form.bias ? &*form.bias : &form.y;
  result.types = TypeOf({&form.x, &form.w, &form.y, addend, bias});
  result.layouts = ImageLayouts({&form.x, &form.w, &form.y, addend, bias});
  return result;
}

GraphForm FormOf(const PoolForm& form) {
  GraphForm result;
  result.operation = form.operation;
  result.types = TypeOf({&form.x, &form.y});
  result.layouts = ImageLayouts({&form.x, &form.y});
  return result;
}

GraphForm FormOf(const MatmulForm& form) {
  GraphForm result;
  result.operation = GraphOperation::kMatmul;
  result.has_bias = form.bias.has_value();
  result.activation = form.activation.kind;
  const TensorForm* bias = form.bias ? &*form.bias : &form.y;
  result.types = TypeOf({&form.a, &form.b, &form.y, bias});
  result.layouts = RowLayout({&form.a, &form.b, &form.y, bias});
  return result;
}

GraphForm FormOf(const AttentionForm& form) {
  GraphForm result;
  result.operation =
      form.statistics ? GraphOperation::kAttentionStatistics : GraphOperation::kAttention;
  result.types = TypeOf({&form.q, &form.k, &form.v, &form.o});
  result.layouts = RowLayout({&form.q, &form.k, &form.v, &form.o});
  return result;
}

Status CheckListed(const GraphForm& form) {
  const bool is_listed = std::ranges::any_of(AllForms(), [&](const GraphForm& row) {
    return row.operation == form.operation && row.has_addend == form.has_addend &&
           row.has_bias == form.has_bias && row.activation == form.activation &&
           (row.types & form.types) != 0 && (row.layouts & form.layouts) != 0;
  });
  if (is_listed) return OkStatus();
  return UnimplementedError(
      StrCat(FormText(form), " is not among the graphs that cuDNN is known to accept"));
}

std::string FormText(const GraphForm& form) {
  std::string text = StrCat(NameOf(form.operation), form.has_addend ? "+addend" : "",
                            form.has_bias ? "+bias" : "", NameOf(form.activation));
  constexpr std::string_view kTypes[] = {" f16", " bf16", " f32", " f64"};
  constexpr std::string_view kLayouts[] = {" nhwc", " nchw", ""};
  for (int i = 0; i < 4; ++i) {
    if (form.types & (1 << i)) text += kTypes[i];
  }
  if (form.types == 0) text += " of other types";
  for (int i = 0; i < 3; ++i) {
    if (form.layouts & (1 << i)) text += kLayouts[i];
  }
  if (form.layouts == 0) text += " in other layouts";
  return text;
}

}  // namespace tfrt::gpu::dnn
