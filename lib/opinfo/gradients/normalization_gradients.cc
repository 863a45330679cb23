// Softmax, its losses, and normalisations.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "gradient_families.h"

namespace tfrt {
namespace {

using Value = GradientValue;

Value Reduce(GradientCall& call, std::string_view op, Value value,
             const std::vector<int64_t>& axes) {
  const GradientAttr keep[] = {{"keep_dims", true}};
  return call.Call(op, {value, call.Integers(axes)}, keep);
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

// (g - sum(g * y)) * y, where the sums are of rows.
void SoftmaxGrad(GradientCall& call) {
  const Value h = call.gradient(0), g = call.argument(0), y = call.argument(1);
  call.SetGradient(0, call.Call("softmax_grad", {h, y}));
  const Value centred = call.Sub(g, Reduce(call, "reduce_sum", call.Mul(g, y), {-1}));
  const Value others = call.Mul(g, Reduce(call, "reduce_sum", call.Mul(h, y), {-1}));
  call.SetGradient(1, call.Sub(call.Mul(h, centred), others));
}
// g - exp(y) * sum(g)
void LogSoftmaxGrad(GradientCall& call) {
  const Value h = call.gradient(0), g = call.argument(0);
  const Value share = call.Mul(h, call.Call("exp", {call.argument(1)}));
  call.SetGradient(0, call.Sub(h, Reduce(call, "reduce_sum", share, {-1})));
  call.SetGradient(1, call.Neg(call.Mul(share, Reduce(call, "reduce_sum", g, {-1}))));
}

// x * r * scale with r = 1 / sqrt(mean(x^2) + epsilon).
void RmsNorm(GradientCall& call) {
  const Value x = call.argument(0), scale = call.argument(1);
  const Value epsilon = call.Number(static_cast<double>(call.Attr<float>("epsilon")));
  const Value squares = Reduce(call, "reduce_mean", call.Mul(x, x), {-1});
  const Value r = call.Call("rsqrt", {call.Add(squares, epsilon)}), y = call.Mul(x, r);
  const Value g = call.Mul(call.gradient(0), scale);
  const Value along = Reduce(call, "reduce_mean", call.Mul(g, y), {-1});
  call.SetGradient(0, call.Mul(r, call.Sub(g, call.Mul(y, along))));
  call.SetGradient(1, call.SumTo(call.Mul(call.gradient(0), y), scale));
}

// With the mean and variance of so many groups of channels; 0: of each channel.
void NormOfGroups(GradientCall& call, int64_t groups) {
  const Value x = call.argument(0), scale = call.argument(1);
  std::vector<int64_t> sizes = call.SizesOf(x);
  if (sizes.size() < 2) return;
  const bool last = call.Attr<bool>("channels_last");
  const size_t channel = last ? sizes.size() - 1 : 1;
  if (groups == 0) groups = sizes[channel];
  if (groups == 0) return call.SetGradient(0, call.gradient(0));
  std::vector<int64_t> grouped = sizes, axes, others, wide(sizes.size(), 1);
  grouped[channel] = groups;
  grouped.insert(grouped.begin() + static_cast<std::ptrdiff_t>(channel) + 1,
                 sizes[channel] / groups);
  for (size_t i = 1; i < grouped.size(); ++i) {
    if (i != channel) axes.push_back(static_cast<int64_t>(i));
  }
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (i != channel) others.push_back(static_cast<int64_t>(i));
  }
  wide[channel] = sizes[channel];
  auto in_groups = [&](Value value) {
    return call.Call("reshape", {value, call.Integers(grouped)});
  };
  const Value epsilon = call.Number(static_cast<double>(call.Attr<float>("epsilon")));
  const Value parts = in_groups(x);
  const Value centred = call.Sub(parts, Reduce(call, "reduce_mean", parts, axes));
  const Value variance = Reduce(call, "reduce_mean", call.Mul(centred, centred), axes);
  const Value r = call.Call("rsqrt", {call.Add(variance, epsilon)}), y = call.Mul(centred, r);
  const Value wide_scale = call.Call("reshape", {scale, call.Integers(wide)});
  const Value g = in_groups(call.Mul(call.gradient(0), wide_scale));
  const Value along = call.Mul(y, Reduce(call, "reduce_mean", call.Mul(g, y), axes));
  const Value across = call.Sub(call.Sub(g, Reduce(call, "reduce_mean", g, axes)), along);
  call.SetGradient(0, call.Reshape(call.Mul(r, across), x));
  const Value all = call.Integers(others);
  const Value scaled = call.Mul(call.gradient(0), call.Reshape(y, x));
  call.SetGradient(1, call.Reshape(call.Call("reduce_sum", {scaled, all}), scale));
  call.SetGradient(
      2, call.Reshape(call.Call("reduce_sum", {call.gradient(0), all}), call.argument(2)));
}
void InstanceNorm(GradientCall& call) { NormOfGroups(call, 0); }
void GroupNorm(GradientCall& call) { NormOfGroups(call, call.Attr<int64_t>("groups")); }

constexpr NamedGradientRule kRules[] = {
    {"batch_norm", BatchNorm},
    {"group_norm", GroupNorm},
    {"instance_norm", InstanceNorm},
    {"layer_norm", LayerNorm},
    {"log_softmax", LogSoftmax},
    {"log_softmax_grad", LogSoftmaxGrad},
    {"rms_norm", RmsNorm},
    {"softmax", Softmax},
    {"softmax_cross_entropy", SoftmaxCrossEntropy},
    {"softmax_grad", SoftmaxGrad},
};

}  // namespace

std::span<const NamedGradientRule> NormalizationGradients() { return kRules; }

}  // namespace tfrt
