// Elementary functions of floats that a compiler can turn into vector code: no branches, no tables,
// no calls. The coefficients are minimax fits. The largest errors against the exact value, over all
// floats, are checked by vector_math_test.cc. They are 1 ulp or little more for exp and log, below
// 3 for tanh, sigmoid and log1p, and below 5 for GELU.
#ifndef TFRT_LIB_OPS_MATHS_CPU_VECTOR_MATH_H_
#define TFRT_LIB_OPS_MATHS_CPU_VECTOR_MATH_H_

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#define TFRT_VECTOR_FUNCTION [[gnu::always_inline]] static inline

namespace tfrt::cpu {

// exp(r) * 2^n for |r| < 0.45.
TFRT_VECTOR_FUNCTION float ExpOfRest(float r, uint32_t n) {
  float p = 1.997110300e-04f;
  p = p * r + 1.398533153e-03f;
  p = p * r + 8.333138041e-03f;
  p = p * r + 4.166553968e-02f;
  p = p * r + 1.666666759e-01f;
  p = p * r + 5.000000372e-01f;
  p = p * (r * r) + r + 1.0f;
  // Times 2^n in two steps, because 2^n itself may be no normal number.
  uint32_t half = static_cast<uint32_t>(static_cast<int32_t>(n) >> 1);
  return p * std::bit_cast<float>((half + 127) << 23) *
         std::bit_cast<float>((n - half + 127) << 23);
}

// exp(a + b) for small b, |b| < 0.1, which spares b the rounding of the sum. Underflows to
// subnormal numbers and 0, overflows to infinity, NaN stays NaN.
TFRT_VECTOR_FUNCTION float ExpOfSum(float a, float b) {
  a = a < -104.0f ? -104.0f : a;
  a = a > 89.0f ? 89.0f : a;
  // n = a / ln 2, rounded: adding 1.5 * 2^23 leaves it in the low bits of the mantissa.
  constexpr float kRound = 12582912.0f;
  float shifted = a * 1.44269504f + kRound;
  uint32_t n = std::bit_cast<uint32_t>(shifted) - std::bit_cast<uint32_t>(kRound);
  float n_float = shifted - kRound;
  // r = a + b - n * ln 2; the first part of ln 2 has so few bits that its product is exact.
  float r = (a - n_float * 0.693359375f) - n_float * -2.12194440e-4f + b;
  return ExpOfRest(r, n);
}

TFRT_VECTOR_FUNCTION float Exp(float x) { return ExpOfSum(x, 0.0f); }

// x = 2^exponent * (1 + f), log(1 + f) = f - square / 2 + square * cubic.
struct LogParts {
  float exponent;
  float f;
  float square;
  float cubic;
};
TFRT_VECTOR_FUNCTION LogParts PartsOfLog(float x) {
  bool subnormal = x < std::numeric_limits<float>::min();
  float normal = subnormal ? x * 8388608.0f : x;
  // normal = m * 2^e with m in [sqrt(1/2), sqrt(2)).
  uint32_t bits = std::bit_cast<uint32_t>(normal) - 0x3f3504f3u;  // sqrt(1/2)
  int32_t exponent = static_cast<int32_t>(bits) >> 23;
  float m = std::bit_cast<float>((bits & 0x007fffffu) + 0x3f3504f3u);
  float e = static_cast<float>(exponent) - (subnormal ? 23.0f : 0.0f);
  // log(m) = f - f^2 / 2 + f^3 * p(f)
  float f = m - 1.0f;
  float p = 6.918836232e-02f;
  p = p * f + -1.179257970e-01f;
  p = p * f + 1.187297844e-01f;
  p = p * f + -1.238391581e-01f;
  p = p * f + 1.421860159e-01f;
  p = p * f + -1.666927169e-01f;
  p = p * f + 2.000222997e-01f;
  p = p * f + -2.499998630e-01f;
  p = p * f + 3.333331039e-01f;
  return {.exponent = e, .f = f, .square = f * f, .cubic = f * p};
}
// The result, or the logarithm of what is no positive number.
TFRT_VECTOR_FUNCTION float OrOfNoNumber(float x, float result) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  result = x < kInfinity ? result : x;  // infinity and NaN
  result = x == 0.0f ? -kInfinity : result;
  return x < 0.0f ? std::numeric_limits<float>::quiet_NaN() : result;
}

// log(0) = -infinity, log of negative numbers NaN.
TFRT_VECTOR_FUNCTION float Log(float x) {
  LogParts log = PartsOfLog(x);
  float result = log.square * log.cubic + log.exponent * -2.12194440e-4f - 0.5f * log.square +
                 log.f + log.exponent * 0.693359375f;
  return OrOfNoNumber(x, result);
}

// Computes log(1 + x): -infinity for -1, NaN below. A factor restores what the rounding of the sum
// takes from x, because log(u) / (u - 1) varies slowly. The source is theorem 4 of Goldberg, "What
// Every Computer Scientist Should Know About Floating-Point Arithmetic".
TFRT_VECTOR_FUNCTION float Log1p(float x) {
  float u = 1.0f + x;
  float rounded = u - 1.0f;
  float result = rounded == 0.0f ? x : Log(u) * (x / rounded);
  return x < std::numeric_limits<float>::infinity() ? result : x;  // infinity and NaN
}

// 1 / (1 + exp(-x)), with exp of negative numbers only: it cannot overflow.
TFRT_VECTOR_FUNCTION float Sigmoid(float x) {
  float e = Exp(-std::fabs(x));
  return (x < 0.0f ? e : 1.0f) / (1.0f + e);
}

TFRT_VECTOR_FUNCTION float Tanh(float x) {
  float magnitude = std::fabs(x);
  float square = x * x;
  float p = -5.717036548e-03f;
  p = p * square + 2.065057899e-02f;
  p = p * square + -5.374349526e-02f;
  p = p * square + 1.333149125e-01f;
  p = p * square + -3.333328392e-01f;
  float small = magnitude + magnitude * (square * p);
  float large = 1.0f - 2.0f / (Exp(2.0f * magnitude) + 1.0f);
  return std::copysign(magnitude < 0.625f ? small : large, x);
}

// The probability that a standard normal variable is below -|x|: exp(-x^2 / 2) * g(|x|), where g is
// smooth.
TFRT_VECTOR_FUNCTION float NormalTail(float x) {
  x = std::fabs(x);
  x = x > 15.0f ? 15.0f : x;  // far below the smallest number
  float t = (x - 3.0f) / (x + 3.0f);
  float g = 5.267678323e-05f;
  g = g * t + 1.145047419e-04f;
  g = g * t + -3.385464283e-04f;
  g = g * t + -9.828225209e-04f;
  g = g * t + 2.904213928e-03f;
  g = g * t + 6.131811288e-03f;
  g = g * t + -4.621323451e-02f;
  g = g * t + 1.232250523e-01f;
  g = g * t + -2.064026219e-01f;
  g = g * t + 1.215139474e-01f;
  // x^2 = high^2 + (x - high) * (x + high), high^2 without rounding.
  float high = std::bit_cast<float>(std::bit_cast<uint32_t>(x) & 0xfffff000u);
  return ExpOfSum(-0.5f * high * high, -0.5f * (x - high) * (x + high)) * g;
}

// The density of a standard normal variable: exp(-x^2 / 2) / sqrt(2 * pi).
TFRT_VECTOR_FUNCTION float NormalDensity(float x) {
  x = std::fabs(x);
  x = x > 15.0f ? 15.0f : x;  // below the smallest number
  float high = std::bit_cast<float>(std::bit_cast<uint32_t>(x) & 0xfffff000u);  // as above
  return ExpOfSum(-0.5f * high * high, -0.5f * (x - high) * (x + high)) * 0.39894228040f;
}

// x times the probability that a standard normal variable is below x. GELU(-infinity) is its limit,
// -0.
TFRT_VECTOR_FUNCTION float Gelu(float x) {
  float tail = NormalTail(x);
  float result = x * (x < 0.0f ? tail : 1.0f - tail);
  return x < -20.0f ? -0.0f : result;
}

// The usual approximation of it: x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) / 2.
TFRT_VECTOR_FUNCTION float GeluTanh(float x) {
  float result = x * Sigmoid(1.5957691216f * (x + 0.044715f * (x * x) * x));
  return x < -20.0f ? -0.0f : result;
}

// The derivatives of both, which are 0 or 1 to the last bit beyond 15. NaN stays NaN.
TFRT_VECTOR_FUNCTION float GeluSlope(float x) {
  x = x > 15.0f ? 15.0f : x;
  x = x < -15.0f ? -15.0f : x;
  float tail = NormalTail(x);
  return (x < 0.0f ? tail : 1.0f - tail) + x * NormalDensity(x);
}
TFRT_VECTOR_FUNCTION float GeluTanhSlope(float x) {
  x = x > 15.0f ? 15.0f : x;
  x = x < -15.0f ? -15.0f : x;
  float square = x * x;
  float v = 1.5957691216f * (x + 0.044715f * square * x);
  // s = sigmoid(v) and its derivative, e / (1 + e)^2, which must not become 0 where s is almost 1.
  float e = Exp(-std::fabs(v));
  float r = 1.0f / (1.0f + e);
  float s = v < 0.0f ? e * r : r;
  return s + x * (e * r * r) * (1.5957691216f * (1.0f + 0.134145f * square));
}

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_VECTOR_MATH_H_
