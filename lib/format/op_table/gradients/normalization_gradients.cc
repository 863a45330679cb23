// Softmax, its losses, and normalisations.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gradient_families.h"

namespace tfrt::gradients {
namespace {

using Value = GradientValue;

Value Reduce(GradientCall& call, std::string_view op, Value value,
             const std::vector<int64_t>& axes) {
  const GradientAttr keep[] = {{"keep_dims", true}};
  return call.Call(op, {value, call.Integers(axes)}, keep);
}

Value EpsilonOf(GradientCall& call) {
  return call.Number(static_cast<double>(call.Attr<float>("epsilon")));
}

// n = (x - mean) * r with r = 1 / sqrt(variance + epsilon), where means are along the axes.
struct Norm {
  Norm(GradientCall& of, Value x, const std::vector<int64_t>& along) : call(of), axes(along) {
    const Value centred = call.Sub(x, Mean(x));
    const Value variance = Mean(call.Mul(centred, centred));
    r = call.Call("rsqrt", {call.Add(variance, EpsilonOf(call))});
    n = call.Mul(centred, r);
  }
  Value Mean(Value value) const { return Reduce(call, "reduce_mean", value, axes); }
  // The gradient of x for one of n; the norm is its own transpose.
  Value Project(Value g) const {
    const Value along = call.Mul(n, Mean(call.Mul(g, n)));
    return call.Mul(r, call.Sub(call.Sub(g, Mean(g)), along));
  }

  GradientCall& call;
  const std::vector<int64_t> axes;
  Value r, n;
};

// Gives the gradients of layer_norm_grad and batch_norm_grad. These ops compute from g, x and
// scale: x', the sum of g * n, and the sum of g. Here x' = r * u with u = a - mean(a) - n * mean(a
// * n) and a = g * scale.
void NormGradient(GradientCall& call, const std::vector<int64_t>& axes) {
  const Value g = call.argument(0), scale = call.argument(2);
  const Norm norm(call, call.argument(1), axes);
  const Value n = norm.n, r = norm.r, a = call.Mul(g, scale);
  const Value h = call.gradient(0), of_scale = call.gradient(1), of_offset = call.gradient(2);
  const Value q = norm.Project(h);
  const Value sums = call.Add(call.Mul(of_scale, n), of_offset);
  call.SetGradient(0, call.Add(call.Mul(q, scale), call.SumTo(sums, g)));
  call.SetGradient(2, call.SumTo(call.Mul(q, g), scale));
  // Through n and through r.
  const Value hr = call.Mul(h, r), c = norm.Mean(call.Mul(a, n));
  const Value in_u = call.Add(call.Mul(hr, c), call.Mul(a, norm.Mean(call.Mul(hr, n))));
  const Value of_n = call.Sub(call.Mul(g, of_scale), in_u);
  const Value u = call.Sub(call.Sub(a, norm.Mean(a)), call.Mul(n, c));
  const Value of_r = call.Mul(call.Mul(norm.Mean(call.Mul(h, u)), call.Mul(r, r)), n);
  call.SetGradient(1, call.Sub(norm.Project(of_n), of_r));
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
  const Norm norm(call, in_groups(x), axes);
  const Value wide_scale = call.Call("reshape", {scale, call.Integers(wide)});
  const Value g = in_groups(call.Mul(call.gradient(0), wide_scale));
  call.SetGradient(0, call.Reshape(norm.Project(g), x));
  const Value all = call.Integers(others);
  const Value scaled = call.Mul(call.gradient(0), call.Reshape(norm.n, x));
  call.SetGradient(1, call.Reshape(call.Call("reduce_sum", {scaled, all}), scale));
  call.SetGradient(
      2, call.Reshape(call.Call("reduce_sum", {call.gradient(0), all}), call.argument(2)));
}

}  // namespace

void Softmax(GradientCall& call) {
  call.SetGradient(0, call.Call("softmax_grad", {call.gradient(0), call.result(0)}));
}
void LogSoftmax(GradientCall& call) {
  call.SetGradient(0, call.Call("log_softmax_grad", {call.gradient(0), call.result(0)}));
}

// The op makes the gradient itself: the softmax less the labels, which have none.
void SoftmaxCrossEntropy(GradientCall& call) {
  const int64_t last[] = {-1};
  Value sum = kNoGradient;
  if (call.has_gradient(0)) {
    const Value g = call.Call("expand_dims", {call.gradient(0), call.Integers(last)});
    sum = call.Mul(g, call.result(1));
  }
  if (call.has_gradient(1)) {
    const Value softmax = call.Call("softmax", {call.argument(0)});
    const Value of_second = call.Call("softmax_grad", {call.gradient(1), softmax});
    sum = sum == kNoGradient ? of_second : call.Add(sum, of_second);
  }
  call.SetGradient(0, sum);
}
void LayerNorm(GradientCall& call) {
  const Value x = call.argument(0), scale = call.argument(1), g = call.gradient(0);
  if (call.TypeOf(x).dtype != DType::kF32) {  // layer_norm_grad is one of f32
    const Norm norm(call, x, {-1});
    call.SetGradient(0, norm.Project(call.Mul(g, scale)));
    call.SetGradient(1, call.SumTo(call.Mul(g, norm.n), scale));
    call.SetGradient(2, call.SumTo(g, call.argument(2)));
    return;
  }
  const std::vector<Value> grads =
      call.CallAll("layer_norm_grad", {g, x, scale}, call.SameAttrs({"epsilon"}));
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
  if (call.Attr<bool>("is_training")) return;
  // (x - mean) * r * scale + offset with r = 1 / sqrt(variance + epsilon).
  const Value variance = call.argument(4), epsilon = EpsilonOf(call);
  const Value r = call.Call("rsqrt", {call.Add(variance, epsilon)});
  const Value slope = call.Mul(r, call.Reshape(call.argument(1), variance));
  const Value of_offset = call.Reshape(grads[2], variance),
              of_scale = call.Reshape(grads[1], variance);
  call.SetGradient(3, call.Neg(call.Mul(of_offset, slope)));
  const Value half = call.Mul(call.Number(-0.5), call.Mul(of_scale, slope));
  call.SetGradient(4, call.Mul(half, r));
}
void LayerNormGrad(GradientCall& call) { NormGradient(call, {-1}); }

// The op is given the mean and the variance of the batch. Their gradient is part of that of x.
void BatchNormGrad(GradientCall& call) {
  if (!call.Attr<bool>("is_training") || call.Attr<std::string>("data_format") != "NHWC" ||
      call.RankOf(call.argument(1)) != 4) {
    return call.Fail("there is a rule for training on [N,H,W,C]");
  }
  NormGradient(call, {0, 1, 2});
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
  const Value squares = Reduce(call, "reduce_mean", call.Mul(x, x), {-1});
  const Value r = call.Call("rsqrt", {call.Add(squares, EpsilonOf(call))}), y = call.Mul(x, r);
  const Value g = call.Mul(call.gradient(0), scale);
  const Value along = Reduce(call, "reduce_mean", call.Mul(g, y), {-1});
  call.SetGradient(0, call.Mul(r, call.Sub(g, call.Mul(y, along))));
  call.SetGradient(1, call.SumTo(call.Mul(call.gradient(0), y), scale));
}
void InstanceNorm(GradientCall& call) { NormOfGroups(call, 0); }
void GroupNorm(GradientCall& call) { NormOfGroups(call, call.Attr<int64_t>("groups")); }

}  // namespace tfrt::gradients
