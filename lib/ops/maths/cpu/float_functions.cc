// Element-wise ops of f32.

#include <bit>
#include <cassert>
#include <cmath>

#include "element_loops.h"
#include "quantize.h"
#include "vector_functions.h"

namespace tfrt::cpu {
namespace {

using Op = ElementwiseOp;

// Squares are what most powers are. One formula for each exponent, so that a run gives the bits of
// its elements.
[[gnu::always_inline]] inline float Pow(float x, float y) {
  if (y == 2.0f) return x * x;
  if (y == 1.0f) return x;
  return std::pow(x, y);
}

[[gnu::always_inline]] inline float FloorMod(float x, float y) {
  float r = std::fmod(x, y);
  if (r == 0.0f) return std::copysign(r, y);
  return (r < 0.0f) != (y < 0.0f) ? r + y : r;
}

template <bool is_cos>
[[gnu::always_inline]] inline void SinCosRun(const ElementRun& run) {
  auto* x = static_cast<const float*>(run.in[0]);
  bool all_small = true;
  const int64_t size = run.repeats[0] ? 1 : run.size;
  for (int64_t i = 0; i < size; ++i) all_small &= IsSmallAngle(x[i]);
  if (all_small) return MapOne<float, float>(run, SinCos<is_cos>);
  MapOne<float, float>(
      run, TFRT_ELEMENT(float v) {
        if (IsSmallAngle(v)) return SinCos<is_cos>(v);
        return is_cos ? std::cos(v) : std::sin(v);
      });
}

template <typename R>
[[gnu::always_inline]] inline void SignbitRun(const ElementRun& run) {
  MapOne<float, R>(run, TFRT_ELEMENT(float x) { return R(std::bit_cast<uint32_t>(x) >> 31); });
}

// Applies the functions of the C library, one element after the other.
void RunOfLibrary(Op op, const ElementRun& run) {
  auto map = [&](float (*fn)(float)) { MapOne<float, float>(run, fn); };
  switch (op) {
    case Op::kPow:
      return MapTwo<float, float, float>(run, Pow);
    case Op::kTan:
      return map([](float x) { return std::tan(x); });
    case Op::kAsin:
      return map([](float x) { return std::asin(x); });
    case Op::kAcos:
      return map([](float x) { return std::acos(x); });
    case Op::kAtan:
      return map([](float x) { return std::atan(x); });
    case Op::kSinh:
      return map([](float x) { return std::sinh(x); });
    case Op::kCosh:
      return map([](float x) { return std::cosh(x); });
    case Op::kAsinh:
      return map([](float x) { return std::asinh(x); });
    case Op::kAcosh:
      return map([](float x) { return std::acosh(x); });
    case Op::kAtanh:
      return map([](float x) { return std::atanh(x); });
    case Op::kLog10:
      return map([](float x) { return std::log10(x); });
    case Op::kAtan2:
      return MapTwo<float, float, float>(run, [](float x, float y) { return std::atan2(x, y); });
    case Op::kHypot:
      return MapTwo<float, float, float>(run, [](float x, float y) { return std::hypot(x, y); });
    case Op::kNextafter:
      return MapTwo<float, float, float>(run,
                                         [](float x, float y) { return std::nextafter(x, y); });
    case Op::kFloorDivide:
      return MapTwo<float, float, float>(run, [](float x, float y) { return FloorQuotient(x, y); });
    case Op::kMod:
      return *static_cast<const float*>(run.in[2]) != 0.0f
                 ? MapTwo<float, float, float>(run,
                                               [](float x, float y) { return std::fmod(x, y); })
                 : MapTwo<float, float, float>(run, FloorMod);
    default:
      assert(false && "an op that floats do not have");
  }
}

TFRT_ISA_CLONES
void RunVectors(Op op, const ElementRun& run) {
  // These operands are attributes in the table.
  const float alpha = run.in[1] ? *static_cast<const float*>(run.in[1]) : 0.0f;
  const float beta = run.in[2] ? *static_cast<const float*>(run.in[2]) : 0.0f;
  switch (op) {
    case Op::kAdd:
      return MapTwo<float, float, float>(run, TFRT_ELEMENT(float x, float y) { return x + y; });
    case Op::kSub:
      return MapTwo<float, float, float>(run, TFRT_ELEMENT(float x, float y) { return x - y; });
    case Op::kMul:
      return MapTwo<float, float, float>(run, TFRT_ELEMENT(float x, float y) { return x * y; });
    case Op::kDiv:
      return MapTwo<float, float, float>(run, TFRT_ELEMENT(float x, float y) { return x / y; });
    case Op::kMaximum:
      return MapTwo<float, float, float>(
          run, TFRT_ELEMENT(float x, float y) { return ((x > y) | (x != x)) ? x : y; });
    case Op::kMinimum:
      return MapTwo<float, float, float>(
          run, TFRT_ELEMENT(float x, float y) { return ((x < y) | (x != x)) ? x : y; });
    case Op::kPow:
      // The same formula as for single elements, by vectors.
      if (run.repeats[1] && alpha == 2.0f) {
        return MapOne<float, float>(run, TFRT_ELEMENT(float x) { return x * x; });
      }
      return RunOfLibrary(op, run);
    case Op::kPRelu:
      return MapTwo<float, float, float>(
          run, TFRT_ELEMENT(float x, float y) { return x < 0.0f ? x * y : x; });
    case Op::kReluGrad:
      return MapTwo<float, float, float>(
          run, TFRT_ELEMENT(float x, float y) { return y > 0.0f ? x : 0.0f; });
    case Op::kSelect:
      return SelectRun<uint8_t, float>(run);
    case Op::kClip:
      return ClipRun<float>(run);
    case Op::kAbs:
      return MapOne<float, float>(run, TFRT_ELEMENT(float x) { return std::fabs(x); });
    case Op::kNeg:
      return MapOne<float, float>(run, TFRT_ELEMENT(float x) { return -x; });
    case Op::kSign:
      return MapOne<float, float>(
          run, TFRT_ELEMENT(float x) { return x > 0.0f   ? 1.0f
                                              : x < 0.0f ? -1.0f
                                                         : std::fabs(x); });
    case Op::kReciprocal:
      return MapOne<float, float>(run, TFRT_ELEMENT(float x) { return 1.0f / x; });
    case Op::kSqrt:
      return MapOne<float, float>(run, TFRT_ELEMENT(float x) { return std::sqrt(x); });
    case Op::kRsqrt:
      return MapOne<float, float>(run, TFRT_ELEMENT(float x) { return 1.0f / std::sqrt(x); });
    case Op::kExp:
      return MapOne<float, float>(run, Exp);
    case Op::kLog:
      return MapOne<float, float>(run, Log);
    case Op::kLog1p:
      return MapOne<float, float>(run, Log1p);
    case Op::kExpm1:
      return MapOne<float, float>(run, TFRT_ELEMENT(float x) { return x == 0.0f ? x : Expm1(x); });
    case Op::kExp2:
      return MapOne<float, float>(run, Exp2);
    case Op::kLog2:
      return MapOne<float, float>(run, Log2);
    case Op::kErf:
      return MapOne<float, float>(run, Erf);
    case Op::kFloor:
      return MapOne<float, float>(run, TFRT_ELEMENT(float x) { return std::floor(x); });
    case Op::kCeil:
      return MapOne<float, float>(run, TFRT_ELEMENT(float x) { return std::ceil(x); });
    case Op::kTrunc:
      return MapOne<float, float>(run, TFRT_ELEMENT(float x) { return std::trunc(x); });
    case Op::kLogAddExp:
      return MapTwo<float, float, float>(run, LogAddExp);
    case Op::kCopysign:
      return MapTwo<float, float, float>(
          run, TFRT_ELEMENT(float x, float y) { return std::copysign(x, y); });
    case Op::kRound:
      return MapOne<float, float>(run, TFRT_ELEMENT(float x) { return std::nearbyint(x); });
    case Op::kSin:
      return SinCosRun<false>(run);
    case Op::kCos:
      return SinCosRun<true>(run);
    case Op::kRelu:
      return MapOne<float, float>(run, TFRT_ELEMENT(float x) { return x < 0.0f ? 0.0f : x; });
    case Op::kLeakyRelu:
      return MapOne<float, float>(run, TFRT_ELEMENT(float x) { return x < 0.0f ? x * alpha : x; });
    case Op::kElu:
      return MapOne<float, float>(
          run, TFRT_ELEMENT(float x) { return x < 0.0f ? alpha * Expm1(x) : x; });
    case Op::kSelu:
      return MapOne<float, float>(
          run, TFRT_ELEMENT(float x) { return beta * (x < 0.0f ? alpha * Expm1(x) : x); });
    case Op::kSwish:
      return MapOne<float, float>(
          run, TFRT_ELEMENT(float x) {
            // 0 * infinity, of which the limit is -0.
            float result = x * Sigmoid(alpha * x);
            return alpha > 0.0f && x < -std::numeric_limits<float>::max() ? -0.0f : result;
          });
    case Op::kHardSigmoid:
      return MapOne<float, float>(
          run, TFRT_ELEMENT(float x) {
            float y = alpha * x + beta;
            y = y < 0.0f ? 0.0f : y;
            return y > 1.0f ? 1.0f : y;
          });
    case Op::kHardSwish:
      return MapOne<float, float>(
          run, TFRT_ELEMENT(float x) {
            float y = x * (1.0f / 6.0f) + 0.5f;
            y = y < 0.0f ? 0.0f : y;
            return x * (y > 1.0f ? 1.0f : y);
          });
    case Op::kSoftplus:
      return MapOne<float, float>(run, Softplus);
    case Op::kMish:
      return MapOne<float, float>(run, Mish);
    case Op::kSigmoid:
      return MapOne<float, float>(run, Sigmoid);
    case Op::kTanh:
      return MapOne<float, float>(run, Tanh);
    case Op::kGelu:
      return MapOne<float, float>(run, Gelu);
    case Op::kGeluTanh:
      return MapOne<float, float>(run, GeluTanh);
    case Op::kIsNan:
      return MapOne<float, uint8_t>(run, TFRT_ELEMENT(float x) { return x != x; });
    case Op::kSignbit:
      return SignbitRun<uint8_t>(run);
    case Op::kIsInf:
      return MapOne<float, uint8_t>(
          run, TFRT_ELEMENT(float x) {
            constexpr float kMost = std::numeric_limits<float>::max();
            return ((x > kMost) & (beta != 0.0f)) | ((x < -kMost) & (alpha != 0.0f));
          });
    default:
      return RunOfLibrary(op, run);
  }
}

TFRT_ISA_CLONES
void RunRelations(Op op, const ElementRun& run) { RunRelation<float, uint8_t>(op, run); }

// The bits of the row `quantize`, as a float.
[[gnu::always_inline]] inline float Quantized(float x, float scale, float zero, float low,
                                              float high) {
  return WholeQuotient(x, scale, low - zero, high - zero) + zero;
}
[[gnu::always_inline]] inline void QuantizeRun(const ElementRun& run, float low, float high) {
  auto *x = static_cast<const float*>(run.in[0]), *scale = static_cast<const float*>(run.in[1]),
       *zero = static_cast<const float*>(run.in[2]);
  auto* out = static_cast<float*>(run.out);
  if (!run.repeats[0] && run.repeats[1] && run.repeats[2]) {
    const float s = *scale, z = *zero;
    TFRT_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < run.size; ++i) out[i] = Quantized(x[i], s, z, low, high);
    return;
  }
  const int64_t steps[] = {!run.repeats[0], !run.repeats[1], !run.repeats[2]};
  for (int64_t i = 0; i < run.size; ++i) {
    out[i] = Quantized(x[i * steps[0]], scale[i * steps[1]], zero[i * steps[2]], low, high);
  }
}

template <typename T>
[[gnu::always_inline]] inline void IntegersToFloats(const void* in, int64_t size, float* out) {
  auto* from = static_cast<const T*>(in);
  for (int64_t i = 0; i < size; ++i) out[i] = static_cast<float>(from[i]);
}

TFRT_ISA_CLONES
void RunTapeOnly(Op op, const ElementRun& run) {
  if (op == Op::kQuantizeU8) return QuantizeRun(run, 0, 255);
  if (op == Op::kQuantizeI8) return QuantizeRun(run, -128, 127);
  if (op == Op::kSelect) return SelectRun<float, float>(run);
  if (op == Op::kSignbit) return SignbitRun<float>(run);
  RunRelation<float, float>(op, run);
}

}  // namespace

void RunFloats(ElementwiseOp op, const ElementRun& run) {
  if (IsRelation(op)) return RunRelations(op, run);
  RunVectors(op, run);
}

void RunTapeFloats(ElementwiseOp op, const ElementRun& run) {
  const bool is_quantization = op == Op::kQuantizeU8 || op == Op::kQuantizeI8;
  const bool is_truth = IsRelation(op) || op == Op::kSignbit;
  if (is_truth || op == Op::kSelect || is_quantization) return RunTapeOnly(op, run);
  RunVectors(op, run);
}

TFRT_ISA_CLONES
void ToTapeFloats(DType from, const void* in, int64_t size, float* out) {
  if (from == DType::kUI8) return IntegersToFloats<uint8_t>(in, size, out);
  if (from == DType::kI8) return IntegersToFloats<int8_t>(in, size, out);
  auto* truths = static_cast<const uint8_t*>(in);
  for (int64_t i = 0; i < size; ++i) out[i] = truths[i] != 0 ? 1.0f : 0.0f;
}

// Both kinds have the same last 8 bits, also in a float that has no fraction.
TFRT_ISA_CLONES
void FromTapeFloats(const float* in, int64_t size, void* out) {
  constexpr float kNoFraction = 12582912.0f;
  auto* to = static_cast<uint8_t*>(out);
  TFRT_INDEPENDENT_ITERATIONS
  for (int64_t i = 0; i < size; ++i)
    to[i] = static_cast<uint8_t>(std::bit_cast<uint32_t>(in[i] + kNoFraction));
}

}  // namespace tfrt::cpu
