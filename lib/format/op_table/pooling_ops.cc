// Ops on the windows of images, without weights.

#include "image_window_rules.h"
#include "layout_rules.h"
#include "op_families.h"
#include "shape_rules.h"

namespace tfrt {
namespace {

using AttrKind = OpAttrSpec::Kind;

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
     .shape = ShapeOf<Pool2DRule>,
     .gradient = gradients::MaxPool},
    {.name = "avg_pool2d",
     .summary = "The mean of each window of images [N,H,W,C]; padding does not count.",
     .arguments = kValue,
     .attrs = kPool2dAttrs,
     .results = kOutput,
     .cost = PerArgumentElement(1),
     .shape = ShapeOf<Pool2DRule>,
     .gradient = gradients::AvgPool},
    {.name = "max_pool2d_grad",
     .summary = "The gradient of max pooling: each output's goes to the first element of its "
                "window that is as large as the output.",
     .arguments = kMaxPoolGrad,
     .attrs = kPool2dAttrs,
     .results = kOutput,
     .cost = PerResultElement(1),
     .shape = ShapeOf<Pool2DGradRule>,
     .gradient = gradients::MaxPoolGrad},
    {.name = "global_average_pool",
     .summary = "The mean of each channel of images [N,H,W,C]: [N,C].",
     .arguments = kInput,
     .results = kOutput,
     .cost = PerArgumentElement(1),
     .shape = ShapeOf<GlobalAveragePoolRule>,
     .gradient = gradients::GlobalAveragePool},
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
