// Ops on the windows of images, without weights.

#include "op_families.h"
#include "tfrt/opinfo/layout_rules.h"
#include "window_shapes.h"

namespace tfrt {
namespace {

using AttrKind = OpAttrSpec::Kind;

Status Pool2dShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType& in = call.argument(0);
  TFRT_ASSIGN_OR_RETURN(WindowAttributes windows, ReadWindowAttributes(call));
  int64_t ksize[2];
  TFRT_RETURN_IF_ERROR(ReadSpatial(call, "ksize", windows.channels_last, ksize));
  TFRT_ASSIGN_OR_RETURN(SymbolicShape image, OfRank(call, in.shape, 4, "the input"));
  std::vector<Dim> dims(image.dims().begin(), image.dims().end());
  for (size_t i = 0; i < 2; ++i) {
    Dim& dim = dims[windows.spatial(i)];
    TFRT_ASSIGN_OR_RETURN(dim, NumWindows(call, windows, i, dim, ksize[i]));
  }
  results[0] = {in.dtype, SymbolicShape(std::move(dims))};
  return OkStatus();
}

// Arguments: the pooling's input, its output, the output's gradient.
Status Pool2dGradShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_RETURN_IF_ERROR(Pool2dShape(call, results));
  ValueType in = call.argument(0);
  for (size_t i : {1, 2}) {
    TFRT_ASSIGN_OR_RETURN(in.dtype, UnifyDTypes(call, in.dtype, call.argument(i).dtype));
    TFRT_RETURN_IF_ERROR(UnifyShapes(call, results[0].shape, call.argument(i).shape).status());
  }
  TFRT_ASSIGN_OR_RETURN(in.shape, OfRank(call, in.shape, 4, "the input"));
  results[0] = {in.dtype, in.shape};
  return OkStatus();
}

constexpr OpArgumentSpec kValue[] = {{"value"}};
constexpr OpArgumentSpec kMaxPoolGrad[] = {{"orig_input"}, {"orig_output"}, {"grad"}};
constexpr OpAttrSpec kPool2dAttrs[] = {{"data_format", AttrKind::kString, "\"NHWC\""},
                                       {"dilations", AttrKind::kI64Array, "{1, 1, 1, 1}"},
                                       {"explicit_paddings", AttrKind::kI64Array, "{}"},
                                       {"ksize", AttrKind::kI64Array},
                                       {"padding", AttrKind::kString},
                                       {"strides", AttrKind::kI64Array, "{1, 1, 1, 1}"}};

constexpr OpDescription kPoolingOps[] = {
    {.name = "max_pool2d",
     .summary = "The largest element of each window of images [N,H,W,C].",
     .arguments = kInput,
     .attrs = kPool2dAttrs,
     .results = kOutput,
     .cost = PerArgumentElement(1),
     .shape = Pool2dShape},
    {.name = "avg_pool2d",
     .summary = "The mean of each window of images [N,H,W,C]; padding does not count.",
     .arguments = kValue,
     .attrs = kPool2dAttrs,
     .results = kOutput,
     .cost = PerArgumentElement(1),
     .shape = Pool2dShape},
    {.name = "max_pool2d_grad",
     .summary = "The gradient of max pooling: each output's goes to the first element of its "
                "window that is as large as the output.",
     .arguments = kMaxPoolGrad,
     .attrs = kPool2dAttrs,
     .results = kOutput,
     .cost = PerResultElement(1),
     .shape = Pool2dGradShape},
    {.name = "global_average_pool",
     .summary = "The mean of each channel of images [N,H,W,C]: [N,C].",
     .arguments = kInput,
     .results = kOutput,
     .cost = PerArgumentElement(1),
     .shape = ShapeOf<GlobalAveragePoolRule>},
};

constexpr OpSpelling kPoolingSpellings[] = {
    {"tf.MaxPool", "max_pool2d"},
    {"tf.AvgPool", "avg_pool2d"},
    {"tf.MaxPoolGrad", "max_pool2d_grad"},
    {"tfrt.GlobalAveragePool", "global_average_pool"},
};

}  // namespace

OpFamily PoolingOps() { return {kPoolingOps, kPoolingSpellings}; }

}  // namespace tfrt
