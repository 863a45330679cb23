#include "activate.h"

#include "isa_clones.h"
#include "vector_math.h"

namespace tfrt::cpu {
namespace {

using maths::Activation;

template <typename F>
[[gnu::always_inline]] inline void Each(float* data, int64_t count, F f) {
  TFRT_INDEPENDENT_ITERATIONS
  for (int64_t i = 0; i < count; ++i) data[i] = f(data[i]);
}

TFRT_VECTOR_FUNCTION float Between(float x, float low, float high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}

// exp(x) - 1 for x <= 0 without losing the small ones: exp(x) - 1 = t (exp(x) + 1) with
// t = tanh(x / 2).
TFRT_VECTOR_FUNCTION float Expm1(float x) { return Tanh(0.5f * x) * (Exp(x) + 1.0f); }

// log(1 + exp(x)) = max(x, 0) + log(1 + exp(-|x|))
TFRT_VECTOR_FUNCTION float Softplus(float x) {
  return (x < 0.0f ? 0.0f : x) + Log1p(Exp(-std::fabs(x)));
}

// tanh(log(1 + e)) = (e^2 + 2 e) / (e^2 + 2 e + 2); of -x with both divided by e^2.
TFRT_VECTOR_FUNCTION float Mish(float x) {
  const float e = Exp(-std::fabs(x));
  const float below = e * e + 2.0f * e, above = 1.0f + 2.0f * e;
  const float numerator = x < 0.0f ? below : above;
  const float denominator = x < 0.0f ? below + 2.0f : above + 2.0f * e * e;
  return x * (numerator / denominator);
}

}  // namespace

TFRT_ISA_CLONES
void Activate(const maths::ActivationWithParameters& activation, float* data, int64_t count) {
  const float alpha = activation.alpha, beta = activation.beta;
  switch (activation.kind) {
    case Activation::kNone:
      return;
    case Activation::kRelu:
      return Each(data, count, [](float x) { return x < 0 ? 0 : x; });
    case Activation::kGelu:
      return Each(data, count, [](float x) { return Gelu(x); });
    case Activation::kGeluTanh:
      return Each(data, count, [](float x) { return GeluTanh(x); });
    case Activation::kTanh:
      return Each(data, count, [](float x) { return Tanh(x); });
    case Activation::kSigmoid:
      return Each(data, count, [](float x) { return Sigmoid(x); });
    case Activation::kLeakyRelu:
      return Each(data, count, [=](float x) { return x < 0 ? alpha * x : x; });
    case Activation::kClip:
      return Each(data, count, [=](float x) { return Between(x, alpha, beta); });
    case Activation::kHardSigmoid:
      return Each(data, count, [=](float x) { return Between(alpha * x + beta, 0.0f, 1.0f); });
    case Activation::kHardSwish:
      return Each(data, count,
                  [](float x) { return x * Between(x * (1.0f / 6.0f) + 0.5f, 0.0f, 1.0f); });
    case Activation::kSwish:
      return Each(data, count, [=](float x) { return x * Sigmoid(alpha * x); });
    case Activation::kElu:
      return Each(data, count, [=](float x) { return x < 0 ? alpha * Expm1(x) : x; });
    case Activation::kSoftplus:
      return Each(data, count, [](float x) { return Softplus(x); });
    case Activation::kMish:
      return Each(data, count, [](float x) { return Mish(x); });
  }
}

void ActivateRows(const maths::ActivationWithParameters& activation, float* data, int64_t rows,
                  int64_t columns, int64_t stride) {
  if (activation.kind == Activation::kNone) return;
  if (stride == columns) return Activate(activation, data, rows * columns);
  for (int64_t i = 0; i < rows; ++i) Activate(activation, data + i * stride, columns);
}

}  // namespace tfrt::cpu
