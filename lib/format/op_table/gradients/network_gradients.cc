// Products, convolutions, and what networks have between them.

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "gradient_families.h"

namespace tfrt::gradients {
namespace {

using Value = GradientValue;

Value Product(GradientCall& call, std::string_view op, Value a, Value b, bool transpose_a,
              bool transpose_b) {
  const GradientAttr attrs[] = {{"transpose_a", transpose_a}, {"transpose_b", transpose_b}};
  return call.Call(op, {a, b}, attrs);
}

// Gives the gradients of a * b, where `g` is the product's gradient.
void ProductGradients(GradientCall& call, std::string_view op, Value g) {
  const Value a = call.argument(0), b = call.argument(1);
  const bool ta = call.Attr<bool>("transpose_a"), tb = call.Attr<bool>("transpose_b");
  const Value a_grad = ta ? Product(call, op, b, g, tb, true) : Product(call, op, g, b, false, !tb);
  const Value b_grad = tb ? Product(call, op, g, a, true, ta) : Product(call, op, a, g, !ta, false);
  call.SetGradient(0, call.SumTo(a_grad, a));
  call.SetGradient(1, call.SumTo(b_grad, b));
}

// The gradient of what the activation that makes the result is of. `op` makes that once more, with
// these arguments, where the slope does not follow from the result.
Value BeforeActivation(GradientCall& call, std::string_view op,
                       std::initializer_list<Value> arguments, std::vector<GradientAttr> attrs) {
  const std::string activation = call.Attr<std::string>("activation");
  const Value g = call.gradient(0), y = call.result(0);
  if (activation == "none") return g;
  if (activation == "relu") return call.Call("relu_grad", {g, y});
  if (activation == "tanh") return call.Mul(g, call.Sub(call.Number(1), call.Mul(y, y)));
  if (activation == "sigmoid") {
    return call.Mul(g, call.Mul(y, call.Sub(call.Number(1), y)));
  }
  if (activation == "gelu" || activation == "gelu_tanh") {
    const GradientAttr approximate[] = {{"approximate", activation == "gelu_tanh"}};
    return call.Call("gelu_grad", {g, call.Call(op, arguments, attrs)}, approximate);
  }
  call.Fail("there is no rule for the activation " + activation + ": call it by itself");
  return kNoGradient;
}

// Whether elements of a window do not lie side by side.
bool HasGaps(GradientCall& call) {
  const auto dilations = call.Attr<std::vector<int64_t>>("dilations");
  return std::ranges::count(dilations, 1) != std::ssize(dilations);
}

void ConvGradients(GradientCall& call, Value g) {
  if (HasGaps(call) || call.Attr<std::string>("padding") == "EXPLICIT") {
    return call.Fail("there is a rule for convolutions without dilations and explicit padding");
  }
  const std::vector<GradientAttr> attrs =
      call.SameAttrs({"data_format", "dilations", "explicit_paddings", "padding", "strides"});
  const Value image = call.argument(0), filter = call.argument(1);
  call.SetGradient(0, call.Call("conv2d_input_grad", {call.ShapeOf(image), filter, g}, attrs));
  call.SetGradient(1, call.Call("conv2d_filter_grad", {image, call.ShapeOf(filter), g}, attrs));
}

Value BeforeConvActivation(GradientCall& call, std::string_view op,
                           std::initializer_list<Value> arguments) {
  return BeforeActivation(
      call, op, arguments,
      call.SameAttrs({"data_format", "dilations", "explicit_paddings", "padding", "strides"}));
}

// Windows side by side that cover all: each element has its share of one window's gradient.
bool ShareSideBySide(GradientCall& call, const std::vector<int64_t>& window) {
  const SymbolicShape &in_shape = call.TypeOf(call.argument(0)).shape,
                      &out_shape = call.TypeOf(call.result(0)).shape;
  if (!in_shape.is_known() || !out_shape.is_known()) return false;
  const std::vector<int64_t> in = call.SizesOf(call.argument(0)),
                             out = call.SizesOf(call.result(0));
  if (call.Attr<std::vector<int64_t>>("strides") != window || in[1] != out[1] * window[1] ||
      in[2] != out[2] * window[2]) {
    return false;
  }
  const std::vector<int64_t> one = {out[0], out[1], 1, out[2], 1, out[3]},
                             all = {out[0], out[1], window[1], out[2], window[2], out[3]};
  const Value share =
      call.Div(call.gradient(0), call.Number(static_cast<double>(window[1] * window[2])));
  const Value parts = call.Call("reshape", {share, call.Integers(one)});
  const Value repeated = call.Call("broadcast_to", {parts, call.Integers(all)});
  call.SetGradient(0, call.Reshape(repeated, call.argument(0)));
  return true;
}

}  // namespace

void MatMul(GradientCall& call) { ProductGradients(call, "matmul", call.gradient(0)); }
void BatchMatMul(GradientCall& call) { ProductGradients(call, "batch_matmul", call.gradient(0)); }
void MatMulBias(GradientCall& call) {
  const Value g =
      BeforeActivation(call, "matmul_bias", {call.argument(0), call.argument(1), call.argument(2)},
                       call.SameAttrs({"transpose_a", "transpose_b"}));
  ProductGradients(call, "matmul", g);
  call.SetGradient(2, call.Call("bias_add_grad", {g}));
}
void BiasAdd(GradientCall& call) {
  call.SetGradient(0, call.gradient(0));
  call.SetGradient(1,
                   call.Call("bias_add_grad", {call.gradient(0)}, call.SameAttrs({"data_format"})));
}
void Conv2D(GradientCall& call) { ConvGradients(call, call.gradient(0)); }
void Conv2DBias(GradientCall& call) {
  const Value g = BeforeConvActivation(call, "conv2d_bias",
                                       {call.argument(0), call.argument(1), call.argument(2)});
  ConvGradients(call, g);
  call.SetGradient(2, call.Call("bias_add_grad", {g}));
}
void Conv2DBiasAdd(GradientCall& call) {
  const Value g = BeforeConvActivation(
      call, "conv2d_bias_add",
      {call.argument(0), call.argument(1), call.argument(2), call.argument(3)});
  ConvGradients(call, g);
  call.SetGradient(2, call.Call("bias_add_grad", {g}));
  call.SetGradient(3, g);
}
void MaxPool(GradientCall& call) {
  call.SetGradient(
      0, call.Call("max_pool2d_grad", {call.argument(0), call.result(0), call.gradient(0)},
                   call.SameAttrs({"data_format", "dilations", "explicit_paddings", "ksize",
                                   "padding", "strides"})));
}

// Handles windows that do not overlap: each gives the sum of the gradients at its largest element.
void MaxPoolGrad(GradientCall& call) {
  const std::vector<int64_t> window = call.Attr<std::vector<int64_t>>("ksize");
  if (window.size() != 4 || call.Attr<std::vector<int64_t>>("strides") != window || HasGaps(call) ||
      call.Attr<std::string>("padding") != "VALID") {
    return call.Fail("there is a rule for windows side by side, without padding");
  }
  const Value x = call.argument(0), y = call.argument(1), g = call.argument(2);
  const std::vector<GradientAttr> attrs = call.SameAttrs(
      {"data_format", "dilations", "explicit_paddings", "ksize", "padding", "strides"});
  const Value ones = call.BroadcastTo(call.Number(1), g);
  const Value is_largest = call.Call("max_pool2d_grad", {x, y, ones}, attrs);
  const Value means = call.Call("avg_pool2d", {call.Mul(call.gradient(0), is_largest)}, attrs);
  double count = 1;
  for (int64_t size : window) count *= static_cast<double>(size);
  call.SetGradient(2, call.Mul(means, call.Number(count)));
}

// The sum over windows is the convolution with ones of each channel by itself, so that its gradient
// is that of a convolution; how many elements a window has is the convolution of ones.
void AvgPool(GradientCall& call) {
  const Value image = call.argument(0);
  const std::vector<int64_t> window = call.Attr<std::vector<int64_t>>("ksize");
  if (call.RankOf(image) != 4 || call.RankOf(call.result(0)) != 4 || window.size() != 4 ||
      call.Attr<std::string>("data_format") != "NHWC") {
    return call.Fail("there is a rule for images [N,H,W,C]");
  }
  if (HasGaps(call) || call.Attr<std::string>("padding") == "EXPLICIT") {
    return call.Fail("there is a rule for windows without dilations and explicit padding");
  }
  if (ShareSideBySide(call, window)) return;
  std::vector<int64_t> sizes;
  for (size_t i = 1; i < 4; ++i) {
    const Dim in = call.TypeOf(image).shape.dim(i), out = call.TypeOf(call.result(0)).shape.dim(i);
    if (!in.is_known() || !out.is_known()) return call.Fail("all sizes but N must be known");
    sizes.insert(sizes.end(), {in.value(), out.value()});
  }
  const std::vector<GradientAttr> attrs =
      call.SameAttrs({"data_format", "dilations", "explicit_paddings", "padding", "strides"});
  auto ones = [&](const std::vector<int64_t>& dims) {
    return call.Call("broadcast_to", {call.Number(1), call.Integers(dims)});
  };
  auto integers = [&](const std::vector<int64_t>& numbers) { return call.Integers(numbers); };
  const Value filter = ones({window[1], window[2], 1, 1});
  const Value counts = call.Call("conv2d", {ones({1, sizes[0], sizes[2], 1}), filter}, attrs);
  const Value channels_first = integers({0, 3, 1, 2}), channels_last = integers({0, 2, 3, 1});
  auto by_channel = [&](Value value, int64_t height, int64_t width) {
    const Value moved = call.Call("transpose", {value, channels_first});
    return call.Call("reshape", {moved, integers({-1, height, width, 1})});
  };
  const Value g = by_channel(call.Div(call.gradient(0), counts), sizes[1], sizes[3]);
  const Value images = by_channel(image, sizes[0], sizes[2]);  // of which the shape is wanted
  const Value sums = call.Call("conv2d_input_grad", {call.ShapeOf(images), filter, g}, attrs);
  const Value back = call.Call("reshape", {sums, integers({-1, sizes[4], sizes[0], sizes[2]})});
  call.SetGradient(0, call.Call("transpose", {back, channels_last}));
}
void GlobalAveragePool(GradientCall& call) {
  const Value image = call.argument(0);
  const std::vector<int64_t> spatial = {1, 2};
  Value g = call.gradient(0);
  for (int64_t axis : spatial) {
    const int64_t one[] = {axis};
    g = call.Call("expand_dims", {g, call.Integers(one)});
  }
  const Value all = call.BroadcastTo(g, image);
  const Value sums =
      call.Call("reduce_sum", {call.BroadcastTo(call.Number(1), image), call.Integers(spatial)},
                std::vector<GradientAttr>{{"keep_dims", true}});
  call.SetGradient(0, call.Div(all, sums));
}

// Those of convolutions are linear in both the image, or filter, and the gradient.
void ConvInputGrad(GradientCall& call) {
  const Value h = call.gradient(0), filter = call.argument(1), g = call.argument(2);
  const std::vector<GradientAttr> attrs =
      call.SameAttrs({"data_format", "dilations", "explicit_paddings", "padding", "strides"});
  call.SetGradient(1, call.Call("conv2d_filter_grad", {h, call.ShapeOf(filter), g}, attrs));
  call.SetGradient(2, call.Call("conv2d", {h, filter}, attrs));
}
void ConvFilterGrad(GradientCall& call) {
  const Value h = call.gradient(0), image = call.argument(0), g = call.argument(2);
  const std::vector<GradientAttr> attrs =
      call.SameAttrs({"data_format", "dilations", "explicit_paddings", "padding", "strides"});
  call.SetGradient(0, call.Call("conv2d_input_grad", {call.ShapeOf(image), h, g}, attrs));
  call.SetGradient(2, call.Call("conv2d", {image, h}, attrs));
}
void BiasAddGrad(GradientCall& call) {
  if (call.Attr<std::string>("data_format") != "NHWC") {
    return call.Fail("there is a rule for channels that come last");
  }
  call.SetGradient(0, call.BroadcastTo(call.gradient(0), call.argument(0)));
}

// The variable goes down the gradient.
void SgdUpdate(GradientCall& call) {
  const Value h = call.gradient(0), gradient = call.argument(1), rate = call.argument(2);
  call.SetGradient(0, h);
  call.SetGradient(1, call.Neg(call.Mul(h, rate)));
  call.SetGradient(2, call.Neg(call.SumTo(call.Mul(h, gradient), rate)));
}

}  // namespace tfrt::gradients
