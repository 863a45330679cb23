// Activations, and functions of one element that are not in elementwise_gradients.cc.

#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

#include "gradient_families.h"

namespace tfrt::gradients {
namespace {

using Value = GradientValue;

Value Square(GradientCall& call, Value x) { return call.Mul(x, x); }
Value Positive(GradientCall& call, Value x) { return call.Call("greater", {x, call.Number(0)}); }
void Times(GradientCall& call, Value slope) {
  call.SetGradient(0, call.Mul(call.gradient(0), slope));
}

// 1 - x^2
Value OneMinusSquare(GradientCall& call, Value x) {
  return call.Sub(call.Number(1), Square(call, x));
}

Value Attr(GradientCall& call, std::string_view name) {
  return call.Number(static_cast<double>(call.Attr<float>(name)));
}

// 1 where `y` is between 0 and 1.
Value IsInside(GradientCall& call, Value y) {
  const Value above = call.Call("greater", {y, call.Number(0)});
  const Value below = call.Call("less", {y, call.Number(1)});
  return call.Call("logical_and", {above, below});
}

// The second derivative of gelu. With the normal distribution's density d it is d * (2 - x^2); of
// x / 2 * (1 + tanh(u)), with u = c * (x + a * x^3) and t = tanh(u), it is
// (1 - t^2) * (u' + x / 2 * (u'' - 2 * t * u'^2)).
Value GeluCurvature(GradientCall& call, Value x) {
  const Value square = Square(call, x);
  if (!call.Attr<bool>("approximate")) {
    const Value density = call.Mul(call.Call("exp", {call.Mul(square, call.Number(-0.5))}),
                                   call.Number(std::sqrt(0.5) * std::numbers::inv_sqrtpi));
    return call.Mul(density, call.Sub(call.Number(2), square));
  }
  constexpr double kA = 0.044715;
  const double c = std::sqrt(2.0) * std::numbers::inv_sqrtpi;
  const Value cubic = call.Mul(call.Mul(square, call.Number(kA)), x);
  const Value t = call.Call("tanh", {call.Mul(call.Number(c), call.Add(x, cubic))});
  const Value u1 =
      call.Mul(call.Number(c), call.Add(call.Number(1), call.Mul(call.Number(3 * kA), square)));
  const Value u2 = call.Mul(call.Number(6 * kA * c), x);
  const Value bend = call.Sub(u2, call.Mul(call.Number(2), call.Mul(t, Square(call, u1))));
  const Value half = call.Mul(call.Number(0.5), x);
  return call.Mul(OneMinusSquare(call, t), call.Add(u1, call.Mul(half, bend)));
}

}  // namespace

void Tan(GradientCall& call) {
  Times(call, call.Add(call.Number(1), Square(call, call.result(0))));
}
void Asin(GradientCall& call) {
  Times(call, call.Call("rsqrt", {OneMinusSquare(call, call.argument(0))}));
}
void Acos(GradientCall& call) {
  Times(call, call.Neg(call.Call("rsqrt", {OneMinusSquare(call, call.argument(0))})));
}
void Atan(GradientCall& call) {
  const Value square = Square(call, call.argument(0));
  Times(call, call.Call("reciprocal", {call.Add(call.Number(1), square)}));
}
void Sinh(GradientCall& call) { Times(call, call.Call("cosh", {call.argument(0)})); }
void Cosh(GradientCall& call) { Times(call, call.Call("sinh", {call.argument(0)})); }
void Asinh(GradientCall& call) {
  const Value square = Square(call, call.argument(0));
  Times(call, call.Call("rsqrt", {call.Add(square, call.Number(1))}));
}
void Acosh(GradientCall& call) {
  const Value square = Square(call, call.argument(0));
  Times(call, call.Call("rsqrt", {call.Sub(square, call.Number(1))}));
}
void Atanh(GradientCall& call) {
  Times(call, call.Call("reciprocal", {OneMinusSquare(call, call.argument(0))}));
}
void LeakyRelu(GradientCall& call) {
  const Value x = call.argument(0);
  Times(call, call.Select(Positive(call, x), call.Number(1), Attr(call, "alpha")));
}

// alpha * exp(x) is the result plus alpha.
void Elu(GradientCall& call) {
  const Value below = call.Add(call.result(0), Attr(call, "alpha"));
  Times(call, call.Select(Positive(call, call.argument(0)), call.Number(1), below));
}
void Selu(GradientCall& call) {
  const Value gamma = Attr(call, "gamma");
  const Value below = call.Add(call.result(0), call.Mul(gamma, Attr(call, "alpha")));
  Times(call, call.Select(Positive(call, call.argument(0)), gamma, below));
}

// x * t with t = tanh(softplus(x)): the slope of t is (1 - t^2) * sigmoid(x).
void Mish(GradientCall& call) {
  const Value x = call.argument(0);
  const Value t = call.Call("tanh", {call.Call("softplus", {x})});
  const Value t_slope = call.Mul(OneMinusSquare(call, t), call.Call("sigmoid", {x}));
  Times(call, call.Add(t, call.Mul(x, t_slope)));
}

// x * s with s = sigmoid(alpha * x): s + alpha * x * s * (1 - s).
void Swish(GradientCall& call) {
  const Value alpha = Attr(call, "alpha");
  const Value s = call.Call("sigmoid", {call.Mul(call.argument(0), alpha)});
  const Value rest = call.Mul(call.result(0), call.Sub(call.Number(1), s));
  Times(call, call.Add(s, call.Mul(alpha, rest)));
}
void HardSigmoid(GradientCall& call) {
  Times(call, call.Select(IsInside(call, call.result(0)), Attr(call, "alpha"), call.Number(0)));
}

// x * h: h + x / 6 where h is neither 0 nor 1.
void HardSwish(GradientCall& call) {
  const Value x = call.argument(0), sixth = call.Number(1.0 / 6);
  const Value h = call.Call(
      "hard_sigmoid", {x}, std::array{GradientAttr{"alpha", 1.0f / 6}, GradientAttr{"beta", 0.5f}});
  const Value more = call.Select(IsInside(call, h), call.Mul(x, sixth), call.Number(0));
  Times(call, call.Add(h, more));
}
void Prelu(GradientCall& call) {
  const Value g = call.gradient(0), x = call.argument(0), slope = call.argument(1);
  const Value positive = Positive(call, x);
  call.SetGradient(0, call.Select(positive, g, call.Mul(g, slope)));
  const Value below = call.Select(positive, call.Number(0), call.Mul(g, x));
  call.SetGradient(1, call.SumTo(below, slope));
}

// To the element, or to the bound that is the result in its place.
void Clip(GradientCall& call) {
  const Value g = call.gradient(0), x = call.argument(0), zero = call.Number(0);
  const Value lower = call.argument(1);
  Value rest = g;
  // The upper bound is also one of the lower bound.
  for (size_t bound : {size_t{2}, size_t{1}}) {
    const Value limit = call.argument(bound);
    if (limit == kNoGradient) continue;
    const bool after_lower = bound == 2 && lower != kNoGradient;
    const Value beyond = call.Call(bound == 1 ? "less" : "greater",
                                   {after_lower ? call.Call("maximum", {x, lower}) : x, limit});
    call.SetGradient(bound, call.SumTo(call.Select(beyond, rest, zero), limit));
    rest = call.Select(beyond, zero, rest);
  }
  call.SetGradient(0, rest);
}

// x - q * y with a whole q.
void Mod(GradientCall& call) {
  const Value g = call.gradient(0), x = call.argument(0), y = call.argument(1);
  const Value q = call.Call("round", {call.Div(call.Sub(x, call.result(0)), y)});
  call.SetGradient(0, call.SumTo(g, x));
  call.SetGradient(1, call.Neg(call.SumTo(call.Mul(g, q), y)));
}
void GeluGrad(GradientCall& call) {
  const Value h = call.gradient(0), g = call.argument(0), x = call.argument(1);
  call.SetGradient(0, call.Call("gelu_grad", {h, x}, call.SameAttrs({"approximate"})));
  call.SetGradient(1, call.Mul(call.Mul(h, g), GeluCurvature(call, x)));
}

}  // namespace tfrt::gradients
