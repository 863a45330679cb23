// Element-wise ops of f32.

#include <cassert>
#include <cmath>

#include "element_loops.h"
#include "elementwise.h"
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

// True if the op has a loop in elementwise.h.
bool RunSimple(Op op, const ElementRun& run) {
  auto binary = [&](BinaryOp simple) {
    Binary(simple, BinaryRows<float>{1, run.size, static_cast<const float*>(run.in[0]), 0,
                                     run.repeats[0], static_cast<const float*>(run.in[1]), 0,
                                     run.repeats[1], static_cast<float*>(run.out)});
    return true;
  };
  auto unary = [&](UnaryOp simple) {
    auto* out = static_cast<float*>(run.out);
    Unary(simple, static_cast<const float*>(run.in[0]), out, run.repeats[0] ? 1 : run.size);
    if (run.repeats[0]) std::fill(out + 1, out + run.size, *out);
    return true;
  };
  switch (op) {
    case Op::kAdd:
      return binary(BinaryOp::kAdd);
    case Op::kSub:
      return binary(BinaryOp::kSub);
    case Op::kMul:
      return binary(BinaryOp::kMul);
    case Op::kDiv:
      return binary(BinaryOp::kDiv);
    case Op::kMaximum:
      return binary(BinaryOp::kMaximum);
    case Op::kMinimum:
      return binary(BinaryOp::kMinimum);
    case Op::kRelu:
      return unary(UnaryOp::kRelu);
    case Op::kGelu:
      return unary(UnaryOp::kGelu);
    case Op::kGeluTanh:
      return unary(UnaryOp::kGeluTanh);
    case Op::kTanh:
      return unary(UnaryOp::kTanh);
    case Op::kSigmoid:
      return unary(UnaryOp::kSigmoid);
    case Op::kExp:
      return unary(UnaryOp::kExp);
    case Op::kSqrt:
      return unary(UnaryOp::kSqrt);
    case Op::kRsqrt:
      return unary(UnaryOp::kRsqrt);
    case Op::kLog:
      return unary(UnaryOp::kLog);
    case Op::kLog1p:
      return unary(UnaryOp::kLog1p);
    default:
      return false;
  }
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
                                                         : x; });
    case Op::kReciprocal:
      return MapOne<float, float>(run, TFRT_ELEMENT(float x) { return 1.0f / x; });
    case Op::kErf:
      return MapOne<float, float>(run, Erf);
    case Op::kFloor:
      return MapOne<float, float>(run, TFRT_ELEMENT(float x) { return std::floor(x); });
    case Op::kCeil:
      return MapOne<float, float>(run, TFRT_ELEMENT(float x) { return std::ceil(x); });
    case Op::kRound:
      return MapOne<float, float>(run, TFRT_ELEMENT(float x) { return std::nearbyint(x); });
    case Op::kSin:
      return SinCosRun<false>(run);
    case Op::kCos:
      return SinCosRun<true>(run);
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
    case Op::kIsNan:
      return MapOne<float, uint8_t>(run, TFRT_ELEMENT(float x) { return x != x; });
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

template <typename R>
[[gnu::always_inline]] inline void RunRelation(Op op, const ElementRun& run) {
  switch (op) {
    case Op::kLess:
      return MapTwo<float, float, R>(run, TFRT_ELEMENT(float x, float y) { return R(x < y); });
    case Op::kLessEqual:
      return MapTwo<float, float, R>(run, TFRT_ELEMENT(float x, float y) { return R(x <= y); });
    case Op::kGreater:
      return MapTwo<float, float, R>(run, TFRT_ELEMENT(float x, float y) { return R(x > y); });
    case Op::kGreaterEqual:
      return MapTwo<float, float, R>(run, TFRT_ELEMENT(float x, float y) { return R(x >= y); });
    case Op::kEqual:
      return MapTwo<float, float, R>(run, TFRT_ELEMENT(float x, float y) { return R(x == y); });
    default:
      return MapTwo<float, float, R>(run, TFRT_ELEMENT(float x, float y) { return R(x != y); });
  }
}

TFRT_ISA_CLONES
void RunRelations(Op op, const ElementRun& run) { RunRelation<uint8_t>(op, run); }

TFRT_ISA_CLONES
void RunTapeOnly(Op op, const ElementRun& run) {
  if (op == Op::kSelect) return SelectRun<float, float>(run);
  RunRelation<float>(op, run);
}

bool IsRelation(Op op) { return op >= Op::kLess && op <= Op::kNotEqual; }

}  // namespace

void RunFloats(ElementwiseOp op, const ElementRun& run) {
  if (IsRelation(op)) return RunRelations(op, run);
  if (!RunSimple(op, run)) RunVectors(op, run);
}

void RunTapeFloats(ElementwiseOp op, const ElementRun& run) {
  if (IsRelation(op) || op == Op::kSelect) return RunTapeOnly(op, run);
  if (!RunSimple(op, run)) RunVectors(op, run);
}

}  // namespace tfrt::cpu
