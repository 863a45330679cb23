// Element-wise ops of f64.

#include <cassert>
#include <cmath>
#include <limits>

#include "element_loops.h"
#include "wide_functions.h"

namespace tfrt::cpu {
namespace {

using Op = ElementwiseOp;

double FloorMod(double x, double y) {
  double r = std::fmod(x, y);
  if (r == 0) return std::copysign(r, y);
  return (r < 0) != (y < 0) ? r + y : r;
}

// Equal infinities have no difference.
double LogAddExp(double x, double y) {
  if (x == y) return x + M_LN2;
  return (x > y ? x : y) + std::log1p(std::exp(-std::fabs(x - y)));
}
double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double Softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x))); }
// Returns `result`, or -0.0 if x < -1000: for functions whose limit at -infinity is -0.
double OrNothing(double x, double result) { return x < -1000 ? -0.0 : result; }
double Gelu(bool approximate, double x) {
  return OrNothing(
      x, approximate ? 0.5 * x * (1 + std::tanh(std::sqrt(M_2_PI) * (x + 0.044715 * x * x * x)))
                     : 0.5 * x * std::erfc(-x * M_SQRT1_2));
}

void RunPairs(Op op, const ElementRun& run) {
  auto map = [&](auto fn) { MapTwo<double, double, double>(run, fn); };
  switch (op) {
    case Op::kAdd:
      return map([](double x, double y) { return x + y; });
    case Op::kSub:
      return map([](double x, double y) { return x - y; });
    case Op::kMul:
      return map([](double x, double y) { return x * y; });
    case Op::kDiv:
      return map([](double x, double y) { return x / y; });
    case Op::kMaximum:
      return map([](double x, double y) { return x > y || x != x ? x : y; });
    case Op::kMinimum:
      return map([](double x, double y) { return x < y || x != x ? x : y; });
    case Op::kPow:
      return map([](double x, double y) { return std::pow(x, y); });
    case Op::kPRelu:
      return map([](double x, double y) { return x < 0 ? x * y : x; });
    case Op::kReluGrad:
      return map([](double x, double y) { return y > 0 ? x : 0.0; });
    case Op::kMod:
      if (*static_cast<const float*>(run.in[2]) == 0) return map(FloorMod);
      return map([](double x, double y) { return std::fmod(x, y); });
    case Op::kAtan2:
      return map([](double x, double y) { return std::atan2(x, y); });
    case Op::kHypot:
      return map([](double x, double y) { return std::hypot(x, y); });
    case Op::kLogAddExp:
      return map(LogAddExp);
    case Op::kCopysign:
      return map([](double x, double y) { return std::copysign(x, y); });
    case Op::kNextafter:
      return map([](double x, double y) { return std::nextafter(x, y); });
    case Op::kFloorDivide:
      return map(FloorQuotient<double>);
    default:
      assert(false && "an op that floats do not have");
  }
}

double Apply(Op op, double x, double alpha, double beta) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  switch (op) {
    case Op::kAbs:
      return std::fabs(x);
    case Op::kNeg:
      return -x;
    case Op::kSign:
      return x > 0 ? 1 : x < 0 ? -1 : std::fabs(x);
    case Op::kReciprocal:
      return 1 / x;
    case Op::kSqrt:
      return std::sqrt(x);
    case Op::kRsqrt:
      return 1 / std::sqrt(x);
    case Op::kExp:
      return std::exp(x);
    case Op::kLog:
      return std::log(x);
    case Op::kLog1p:
      return std::log1p(x);
    case Op::kExpm1:
      return std::expm1(x);
    case Op::kExp2:
      return std::exp2(x);
    case Op::kLog2:
      return std::log2(x);
    case Op::kLog10:
      return std::log10(x);
    case Op::kErf:
      return std::erf(x);
    case Op::kFloor:
      return std::floor(x);
    case Op::kCeil:
      return std::ceil(x);
    case Op::kTrunc:
      return std::trunc(x);
    case Op::kRound:
      return std::nearbyint(x);
    case Op::kSin:
      return std::sin(x);
    case Op::kCos:
      return std::cos(x);
    case Op::kTan:
      return std::tan(x);
    case Op::kAsin:
      return std::asin(x);
    case Op::kAcos:
      return std::acos(x);
    case Op::kAtan:
      return std::atan(x);
    case Op::kSinh:
      return std::sinh(x);
    case Op::kCosh:
      return std::cosh(x);
    case Op::kAsinh:
      return std::asinh(x);
    case Op::kAcosh:
      return std::acosh(x);
    case Op::kAtanh:
      return std::atanh(x);
    case Op::kRelu:
      return x < 0 ? 0 : x;
    case Op::kLeakyRelu:
      return x < 0 ? x * alpha : x;
    case Op::kElu:
      return x < 0 ? alpha * std::expm1(x) : x;
    case Op::kSelu:
      return beta * (x < 0 ? alpha * std::expm1(x) : x);
    case Op::kSwish:
      return alpha > 0 && x == -kInfinity ? -0.0 : x * Sigmoid(alpha * x);
    case Op::kHardSigmoid:
      return x != x ? x : std::min(std::max(alpha * x + beta, 0.0), 1.0);
    case Op::kHardSwish:
      return x != x ? x : x * std::min(std::max(x / 6 + 0.5, 0.0), 1.0);
    case Op::kSoftplus:
      return x != x ? x : Softplus(x);
    case Op::kMish:
      return OrNothing(x, x * std::tanh(Softplus(x)));
    case Op::kSigmoid:
      return Sigmoid(x);
    case Op::kTanh:
      return std::tanh(x);
    case Op::kGelu:
      return Gelu(false, x);
    case Op::kGeluTanh:
      return Gelu(true, x);
    default:
      assert(false && "an op that floats do not have");
      return x;
  }
}

}  // namespace

void RunDoubles(ElementwiseOp op, const ElementRun& run) {
  if (op == Op::kClip) return ClipRun<double>(run);
  if (IsRelation(op)) return RunRelation<double, uint8_t>(op, run);
  if (OperandsOf(op) - ParametersOf(op) == 2) return RunPairs(op, run);
  const float alpha = run.in[1] ? *static_cast<const float*>(run.in[1]) : 0;
  const float beta = run.in[2] ? *static_cast<const float*>(run.in[2]) : 0;
  if (op == Op::kIsNan) {
    return MapOne<double, uint8_t>(run, [](double x) { return x != x; });
  }
  if (op == Op::kSignbit) {
    return MapOne<double, uint8_t>(run, [](double x) { return std::signbit(x); });
  }
  if (op == Op::kIsInf) {
    return MapOne<double, uint8_t>(
        run, [=](double x) { return std::isinf(x) && (x > 0 ? beta : alpha) != 0; });
  }
  MapOne<double, double>(run, [=](double x) { return Apply(op, x, alpha, beta); });
}

}  // namespace tfrt::cpu
