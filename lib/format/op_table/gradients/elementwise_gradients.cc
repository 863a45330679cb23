#include <numbers>

#include "gradient_families.h"

namespace tfrt::gradients {
namespace {

using Value = GradientValue;

// To the larger one; of equal ones to the first.
template <bool larger>
void Extreme(GradientCall& call) {
  const Value g = call.gradient(0), x = call.argument(0), y = call.argument(1);
  const Value first = call.Call(larger ? "greater_equal" : "less_equal", {x, y});
  const Value zero = call.Number(0);
  call.SetGradient(0, call.SumTo(call.Select(first, g, zero), x));
  call.SetGradient(1, call.SumTo(call.Select(first, zero, g), y));
}

// The value, with 1 for 0: a divisor of what is 0 there.
Value NotZero(GradientCall& call, Value value) {
  return call.Select(call.Call("equal", {value, call.Number(0)}), call.Number(1), value);
}

}  // namespace

void Add(GradientCall& call) {
  for (size_t i = 0; i < 2; ++i)
    call.SetGradient(i, call.SumTo(call.gradient(0), call.argument(i)));
}
void Sub(GradientCall& call) {
  const Value g = call.gradient(0);
  call.SetGradient(0, call.SumTo(g, call.argument(0)));
  call.SetGradient(1, call.Neg(call.SumTo(g, call.argument(1))));
}
void Mul(GradientCall& call) {
  const Value g = call.gradient(0), x = call.argument(0), y = call.argument(1);
  call.SetGradient(0, call.SumTo(call.Mul(g, y), x));
  call.SetGradient(1, call.SumTo(call.Mul(g, x), y));
}
void Div(GradientCall& call) {
  const Value x = call.argument(0), y = call.argument(1);
  const Value by_y = call.Div(call.gradient(0), y);
  call.SetGradient(0, call.SumTo(by_y, x));
  call.SetGradient(1, call.SumTo(call.Neg(call.Mul(by_y, call.result(0))), y));
}
void Neg(GradientCall& call) { call.SetGradient(0, call.Neg(call.gradient(0))); }
void Exp(GradientCall& call) { call.SetGradient(0, call.Mul(call.gradient(0), call.result(0))); }
void Log(GradientCall& call) { call.SetGradient(0, call.Div(call.gradient(0), call.argument(0))); }
void Log1p(GradientCall& call) {
  call.SetGradient(0, call.Div(call.gradient(0), call.Add(call.argument(0), call.Number(1))));
}
void Sqrt(GradientCall& call) {
  const Value half = call.Mul(call.gradient(0), call.Number(0.5));
  call.SetGradient(0, call.Div(half, call.result(0)));
}
void Rsqrt(GradientCall& call) {
  const Value y = call.result(0), cube = call.Mul(call.Mul(y, y), y);
  call.SetGradient(0, call.Mul(call.Mul(call.gradient(0), call.Number(-0.5)), cube));
}
void Reciprocal(GradientCall& call) {
  const Value y = call.result(0);
  call.SetGradient(0, call.Neg(call.Mul(call.gradient(0), call.Mul(y, y))));
}
void Tanh(GradientCall& call) {
  const Value y = call.result(0);
  call.SetGradient(0, call.Mul(call.gradient(0), call.Sub(call.Number(1), call.Mul(y, y))));
}
void Sigmoid(GradientCall& call) {
  const Value y = call.result(0), slope = call.Mul(y, call.Sub(call.Number(1), y));
  call.SetGradient(0, call.Mul(call.gradient(0), slope));
}
void Softplus(GradientCall& call) {
  call.SetGradient(0, call.Mul(call.gradient(0), call.Call("sigmoid", {call.argument(0)})));
}
void Relu(GradientCall& call) {
  call.SetGradient(0, call.Call("relu_grad", {call.gradient(0), call.argument(0)}));
}

// Linear in the gradients; the features only say where.
void ReluGrad(GradientCall& call) {
  call.SetGradient(0, call.Call("relu_grad", {call.gradient(0), call.argument(1)}));
}
void Gelu(GradientCall& call) {
  call.SetGradient(0, call.Call("gelu_grad", {call.gradient(0), call.argument(0)},
                                call.SameAttrs({"approximate"})));
}
void Abs(GradientCall& call) {
  call.SetGradient(0, call.Mul(call.gradient(0), call.Call("sign", {call.argument(0)})));
}
void Sin(GradientCall& call) {
  call.SetGradient(0, call.Mul(call.gradient(0), call.Call("cos", {call.argument(0)})));
}
void Cos(GradientCall& call) {
  call.SetGradient(0, call.Neg(call.Mul(call.gradient(0), call.Call("sin", {call.argument(0)}))));
}

// 2 / sqrt(pi) * exp(-x^2)
void Erf(GradientCall& call) {
  const Value x = call.argument(0);
  const Value bell = call.Call("exp", {call.Neg(call.Mul(x, x))});
  const Value scale = call.Number(2 * std::numbers::inv_sqrtpi);
  call.SetGradient(0, call.Mul(call.gradient(0), call.Mul(bell, scale)));
}

// x^(y-1) * y and x^y * log(x), which is 0 where x is not positive.
void Pow(GradientCall& call) {
  const Value g = call.gradient(0), x = call.argument(0), y = call.argument(1);
  if (call.TypeOf(y).dtype != call.TypeOf(x).dtype) {
    return call.Fail("the exponent must be of the dtype of the base");
  }
  const Value one = call.Number(1), zero = call.Number(0);
  const Value slope = call.Mul(y, call.Call("pow", {x, call.Sub(y, one)}));
  call.SetGradient(0, call.SumTo(call.Mul(g, slope), x));
  const Value positive = call.Call("greater", {x, zero});
  const Value logarithm = call.Call("log", {call.Select(positive, x, one)});
  call.SetGradient(1, call.SumTo(call.Mul(g, call.Mul(call.result(0), logarithm)), y));
}
void Select(GradientCall& call) {
  const Value g = call.gradient(0), zero = call.Number(0), condition = call.argument(0);
  call.SetGradient(1, call.SumTo(call.Select(condition, g, zero), call.argument(1)));
  call.SetGradient(2, call.SumTo(call.Select(condition, zero, g), call.argument(2)));
}
void Cast(GradientCall& call) {
  const GradientAttr attrs[] = {{"dtype", call.TypeOf(call.argument(0)).dtype}};
  call.SetGradient(0, call.Call("cast", {call.gradient(0)}, attrs));
}
void PassOn(GradientCall& call) { call.SetGradient(0, call.gradient(0)); }

void Expm1(GradientCall& call) {
  call.SetGradient(0, call.Mul(call.gradient(0), call.Add(call.result(0), call.Number(1))));
}
void Exp2(GradientCall& call) {
  const Value scaled = call.Mul(call.gradient(0), call.Number(std::numbers::ln2));
  call.SetGradient(0, call.Mul(scaled, call.result(0)));
}
void Log2(GradientCall& call) {
  const Value scaled = call.Mul(call.gradient(0), call.Number(std::numbers::log2e));
  call.SetGradient(0, call.Div(scaled, call.argument(0)));
}
void Log10(GradientCall& call) {
  const Value scaled = call.Mul(call.gradient(0), call.Number(std::numbers::log10e));
  call.SetGradient(0, call.Div(scaled, call.argument(0)));
}

// The angle of (x, y) has the derivatives x / r^2 and -y / r^2, with r = hypot(x, y), whose square
// may overflow; 0 where both are 0.
void Atan2(GradientCall& call) {
  const Value y = call.argument(0), x = call.argument(1);
  const Value length = NotZero(call, call.Call("hypot", {x, y}));
  const Value scaled = call.Div(call.gradient(0), length);
  call.SetGradient(0, call.SumTo(call.Mul(scaled, call.Div(x, length)), y));
  call.SetGradient(1, call.SumTo(call.Neg(call.Mul(scaled, call.Div(y, length))), x));
}
// 0 where both arguments are.
void Hypot(GradientCall& call) {
  const Value scaled = call.Div(call.gradient(0), NotZero(call, call.result(0)));
  for (size_t i = 0; i < 2; ++i) {
    call.SetGradient(i, call.SumTo(call.Mul(scaled, call.argument(i)), call.argument(i)));
  }
}
// exp(x) / (exp(x) + exp(y)) = sigmoid(x - y), and the rest. Equal ones have halves: infinite ones,
// too, whose difference is no number.
void LogAddExp(GradientCall& call) {
  const Value g = call.gradient(0), x = call.argument(0), y = call.argument(1);
  const Value equal = call.Call("equal", {x, y});
  const Value more = call.Select(equal, call.Number(0), call.Sub(x, y));
  call.SetGradient(0, call.SumTo(call.Mul(g, call.Call("sigmoid", {more})), x));
  call.SetGradient(1, call.SumTo(call.Mul(g, call.Call("sigmoid", {call.Neg(more)})), y));
}
// Only the sign of the second argument counts, which jumps.
void Copysign(GradientCall& call) {
  const Value x = call.argument(0), y = call.argument(1);
  const Value slope = call.Mul(call.Call("sign", {x}), call.Call("copysign", {call.Number(1), y}));
  call.SetGradient(0, call.SumTo(call.Mul(call.gradient(0), slope), x));
}
void Nextafter(GradientCall& call) {
  call.SetGradient(0, call.SumTo(call.gradient(0), call.argument(0)));
}

// Where it changes at all it jumps.
void Flat(GradientCall&) {}
void Maximum(GradientCall& call) { Extreme<true>(call); }
void Minimum(GradientCall& call) { Extreme<false>(call); }

}  // namespace tfrt::gradients
