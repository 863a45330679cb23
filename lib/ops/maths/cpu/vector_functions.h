// Further functions of floats that a compiler can turn into vector code, made of those in
// vector_math.h. Largest errors over all floats, checked by vector_functions_test.cc: below 4 units
// in the last place; of sin and cos 1e-7 near their zeros.
#ifndef TFRT_LIB_OPS_MATHS_CPU_VECTOR_FUNCTIONS_H_
#define TFRT_LIB_OPS_MATHS_CPU_VECTOR_FUNCTIONS_H_

#include "vector_math.h"

namespace tfrt::cpu {

// The error function: its Taylor series near 0, the tail of the normal distribution elsewhere.
TFRT_VECTOR_FUNCTION float Erf(float x) {
  float square = x * x;
  float p = 1.20553329e-4f;  // 2 / sqrt(pi) / ((2 k + 1) k!) for k = 6, with its sign
  p = p * square + -8.54832713e-4f;
  p = p * square + 5.22397762e-3f;
  p = p * square + -2.68661710e-2f;
  p = p * square + 1.12837918e-1f;
  p = p * square + -3.76126379e-1f;
  p = p * square + 1.12837923f;
  float large = 1.0f - 2.0f * NormalTail(1.41421356f * x);
  return std::fabs(x) < 0.5f ? x * p : std::copysign(large, x);
}

// exp(x) - 1.
TFRT_VECTOR_FUNCTION float Expm1(float x) {
  float p = 1.0f / 40320.0f;
  p = p * x + 1.0f / 5040.0f;
  p = p * x + 1.0f / 720.0f;
  p = p * x + 1.0f / 120.0f;
  p = p * x + 1.0f / 24.0f;
  p = p * x + 1.0f / 6.0f;
  p = p * x + 0.5f;
  float small = x + x * x * p;
  return std::fabs(x) < 0.4f ? small : Exp(x) - 1.0f;
}

// 2^x, without an error for whole x. The steps are those of ExpOfSum.
TFRT_VECTOR_FUNCTION float Exp2(float x) {
  x = x < -151.0f ? -151.0f : x;
  x = x > 129.0f ? 129.0f : x;
  constexpr float kRound = 12582912.0f;
  float shifted = x + kRound;
  uint32_t n = std::bit_cast<uint32_t>(shifted) - std::bit_cast<uint32_t>(kRound);
  return ExpOfRest((x - (shifted - kRound)) * 0.693147182f, n);
}

// log(x) / log(2), without an error for powers of 2. Both first parts of f / log(2) have so few
// bits that their product is exact.
TFRT_VECTOR_FUNCTION float Log2(float x) {
  LogParts log = PartsOfLog(x);
  float high = std::bit_cast<float>(std::bit_cast<uint32_t>(log.f) & 0xfffff000u);
  float rest = (log.square * log.cubic - 0.5f * log.square) * 1.44269504f;
  rest = rest + ((log.f - high) * 1.44269504f + high * 3.12228389e-4f);
  return OrOfNoNumber(x, rest + high * 1.4423828125f + log.exponent);
}

// log(exp(x) + exp(y)); equal infinities have no difference.
TFRT_VECTOR_FUNCTION float LogAddExp(float x, float y) {
  float larger = x > y ? x : y;
  float result = larger + Log1p(Exp(-std::fabs(x - y)));
  return x == y ? x + 0.693147182f : result;
}

// log(1 + exp(x)).
TFRT_VECTOR_FUNCTION float Softplus(float x) {
  float e = Exp(-std::fabs(x));
  return (x < 0.0f ? 0.0f : x) + Log1p(e);
}

// Computes tanh(log(1 + e^x)) = n / (n + 2) with n = e^x (e^x + 2). It uses exp of negative numbers
// only, which cannot overflow. Its limit at -infinity is -0.
TFRT_VECTOR_FUNCTION float Mish(float x) {
  float e = Exp(-std::fabs(x));
  float n = x < 0.0f ? e * (e + 2.0f) : 1.0f + 2.0f * e;
  float d = x < 0.0f ? n + 2.0f : n + 2.0f * e * e;
  float result = x * (n / d);
  return x < -120.0f ? -0.0f : result;
}

// Whether SinCos knows the sine of x: beyond, pi has too few digits here.
TFRT_VECTOR_FUNCTION bool IsSmallAngle(float x) { return std::fabs(x) <= 8192.0f; }

// Computes sin(x), or cos(x), for x with IsSmallAngle(x). First it subtracts a multiple of pi / 2.
// The first two parts of that have so few bits that their products are exact. Then it evaluates the
// polynomial of the quadrant.
template <bool is_cos>
TFRT_VECTOR_FUNCTION float SinCos(float x) {
  constexpr float kRound = 12582912.0f;  // as in ExpOfSum
  float shifted = x * 0.636619772f + kRound;
  uint32_t quadrant = std::bit_cast<uint32_t>(shifted) + (is_cos ? 1 : 0);
  float n = shifted - kRound;
  float r = ((x - n * 1.5703125f) - n * 4.837512969970703125e-4f) - n * 7.54978995489188216e-8f;
  float square = r * r;
  float s = -1.9515295891e-4f;
  s = s * square + 8.3321608736e-3f;
  s = s * square + -1.6666654611e-1f;
  s = r + r * (square * s);
  float c = 2.443315711809948e-5f;
  c = c * square + -1.388731625493765e-3f;
  c = c * square + 4.166664568298827e-2f;
  c = 1.0f - 0.5f * square + square * square * c;
  float result = (quadrant & 1) != 0 ? c : s;
  result = (quadrant & 2) != 0 ? -result : result;
  return !is_cos && x == 0.0f ? x : result;  // -0 stays -0
}

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_VECTOR_FUNCTIONS_H_
