// Products, convolutions, and what networks have between them.

#include <string>
#include <vector>

#include "gradient_families.h"

namespace tfrt {
namespace {

using Value = GradientValue;

Value Product(GradientCall& call, std::string_view op, Value a, Value b, bool transpose_a,
              bool transpose_b) {
  const GradientAttr attrs[] = {{"transpose_a", transpose_a}, {"transpose_b", transpose_b}};
  return call.Call(op, {a, b}, attrs);
}

// Of a * b, where `g` is the product's gradient.
void ProductGradients(GradientCall& call, std::string_view op, Value g) {
  const Value a = call.argument(0), b = call.argument(1);
  const bool ta = call.Attr<bool>("transpose_a"), tb = call.Attr<bool>("transpose_b");
  const Value a_grad = ta ? Product(call, op, b, g, tb, true) : Product(call, op, g, b, false, !tb);
  const Value b_grad = tb ? Product(call, op, g, a, true, ta) : Product(call, op, a, g, !ta, false);
  call.SetGradient(0, call.SumTo(a_grad, a));
  call.SetGradient(1, call.SumTo(b_grad, b));
}
void MatMul(GradientCall& call) { ProductGradients(call, "matmul", call.gradient(0)); }
void BatchMatMul(GradientCall& call) { ProductGradients(call, "batch_matmul", call.gradient(0)); }

// What comes before the activation that makes the result; fails for those whose slope does not
// follow from what they make.
Value BeforeActivation(GradientCall& call) {
  const std::string activation = call.Attr<std::string>("activation");
  const Value g = call.gradient(0), y = call.result(0);
  if (activation == "none") return g;
  if (activation == "relu") return call.Call("relu_grad", {g, y});
  if (activation == "tanh") return call.Mul(g, call.Sub(call.Number(1), call.Mul(y, y)));
  if (activation == "sigmoid") {
    return call.Mul(g, call.Mul(y, call.Sub(call.Number(1), y)));
  }
  call.Fail("there is no rule for the activation " + activation + ": call it by itself");
  return kNoGradient;
}

void MatMulBias(GradientCall& call) {
  const Value g = BeforeActivation(call);
  ProductGradients(call, "matmul", g);
  call.SetGradient(2, call.Call("bias_add_grad", {g}));
}

void BiasAdd(GradientCall& call) {
  call.SetGradient(0, call.gradient(0));
  call.SetGradient(1,
                   call.Call("bias_add_grad", {call.gradient(0)}, call.SameAttrs({"data_format"})));
}

void ConvGradients(GradientCall& call, Value g) {
  const std::vector<GradientAttr> attrs =
      call.SameAttrs({"data_format", "dilations", "explicit_paddings", "padding", "strides"});
  const Value image = call.argument(0), filter = call.argument(1);
  call.SetGradient(0, call.Call("conv2d_input_grad", {call.ShapeOf(image), filter, g}, attrs));
  call.SetGradient(1, call.Call("conv2d_filter_grad", {image, call.ShapeOf(filter), g}, attrs));
}
void Conv2D(GradientCall& call) { ConvGradients(call, call.gradient(0)); }
void Conv2DBias(GradientCall& call) {
  const Value g = BeforeActivation(call);
  ConvGradients(call, g);
  call.SetGradient(2, call.Call("bias_add_grad", {g}));
}

void MaxPool(GradientCall& call) {
  call.SetGradient(
      0, call.Call("max_pool2d_grad", {call.argument(0), call.result(0), call.gradient(0)},
                   call.SameAttrs({"data_format", "dilations", "explicit_paddings", "ksize",
                                   "padding", "strides"})));
}

// Windows side by side: each element has its share of one window's gradient.
void AvgPool(GradientCall& call) {
  const std::vector<int64_t> in = call.SizesOf(call.argument(0)),
                             out = call.SizesOf(call.result(0)),
                             window = call.Attr<std::vector<int64_t>>("ksize");
  if (in.size() != 4 || out.size() != 4 || window.size() != 4) return;
  const bool side_by_side = call.Attr<std::vector<int64_t>>("strides") == window &&
                            in[1] == out[1] * window[1] && in[2] == out[2] * window[2];
  if (!side_by_side || call.Attr<std::string>("data_format") != "NHWC") {
    return call.Fail(
        "there is a rule for windows of [N,H,W,C] that lie side by side and cover all");
  }
  const std::vector<int64_t> one = {out[0], out[1], 1, out[2], 1, out[3]},
                             all = {out[0], out[1], window[1], out[2], window[2], out[3]};
  const Value share =
      call.Div(call.gradient(0), call.Number(static_cast<double>(window[1] * window[2])));
  const Value parts = call.Call("reshape", {share, call.Integers(one)});
  const Value repeated = call.Call("broadcast_to", {parts, call.Integers(all)});
  call.SetGradient(0, call.Reshape(repeated, call.argument(0)));
}

void Softmax(GradientCall& call) {
  call.SetGradient(0, call.Call("softmax_grad", {call.gradient(0), call.result(0)}));
}
void LogSoftmax(GradientCall& call) {
  call.SetGradient(0, call.Call("log_softmax_grad", {call.gradient(0), call.result(0)}));
}

// The op makes the gradient itself. Labels have none.
void SoftmaxCrossEntropy(GradientCall& call) {
  if (call.has_gradient(1)) return call.Fail("there is no rule for its second result");
  const int64_t last[] = {-1};
  const Value g = call.Call("expand_dims", {call.gradient(0), call.Integers(last)});
  call.SetGradient(0, call.Mul(g, call.result(1)));
}

void LayerNorm(GradientCall& call) {
  const std::vector<Value> grads =
      call.CallAll("layer_norm_grad", {call.gradient(0), call.argument(0), call.argument(1)},
                   call.SameAttrs({"epsilon"}));
  for (size_t i = 0; i < 3; ++i) call.SetGradient(i, grads[i]);
}

void BatchNorm(GradientCall& call) {
  for (size_t i = 1; i < 6; ++i) {
    if (call.has_gradient(i)) return call.Fail("there is a rule for its first result only");
  }
  const std::vector<Value> grads =
      call.CallAll("batch_norm_grad",
                   {call.gradient(0), call.argument(0), call.argument(1), call.result(3),
                    call.result(4), call.result(5)},
                   call.SameAttrs({"data_format", "epsilon", "is_training"}));
  for (size_t i = 0; i < 3; ++i) call.SetGradient(i, grads[i]);
}

constexpr NamedGradientRule kRules[] = {
    {"avg_pool2d", AvgPool},
    {"batch_matmul", BatchMatMul},
    {"batch_norm", BatchNorm},
    {"bias_add", BiasAdd},
    {"conv2d", Conv2D},
    {"conv2d_bias", Conv2DBias},
    {"layer_norm", LayerNorm},
    {"log_softmax", LogSoftmax},
    {"matmul", MatMul},
    {"matmul_bias", MatMulBias},
    {"max_pool2d", MaxPool},
    {"softmax", Softmax},
    {"softmax_cross_entropy", SoftmaxCrossEntropy},
};

}  // namespace

std::span<const NamedGradientRule> NetworkGradients() { return kRules; }

}  // namespace tfrt
