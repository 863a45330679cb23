#include "rounding.h"

#include <cfenv>

namespace tfrt::gpu::ptx {
namespace {

class RoundingScope {
 public:
  explicit RoundingScope(Rounding rounding) : before_(std::fegetround()) {
    std::fesetround(HostRounding(rounding));
  }
  ~RoundingScope() { std::fesetround(before_); }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
  static int HostRounding(Rounding rounding) {
    switch (rounding) {
      case Rounding::kZero:
        return FE_TOWARDZERO;
      case Rounding::kDown:
        return FE_DOWNWARD;
      case Rounding::kUp:
        return FE_UPWARD;
      default:
        return FE_TONEAREST;
    }
  }

  int before_;
};

// Sets the last bit of a result of which `error`, exact - result, is not zero; first takes it back
// to the nearest value towards zero of the exact one.
double ToOdd(double result, double error) {
  if (error == 0 || !std::isfinite(result)) return result;
  uint64_t bits = std::bit_cast<uint64_t>(result);
  bool too_large = (error < 0) == !std::signbit(result);
  if (result == 0) return result;
  if (too_large) --bits;
  return std::bit_cast<double>(bits | 1);
}

}  // namespace

// Operands and results are volatile: no compiler moves the operation out of the scope.
double AddRounded(double a, double b, Rounding rounding) {
  if (rounding == Rounding::kNearest) return a + b;
  volatile double x = a, y = b;
  RoundingScope scope(rounding);
  volatile double result = x + y;
  return result;
}

double MultiplyRounded(double a, double b, Rounding rounding) {
  if (rounding == Rounding::kNearest) return a * b;
  volatile double x = a, y = b;
  RoundingScope scope(rounding);
  volatile double result = x * y;
  return result;
}

double FmaRounded(double a, double b, double c, Rounding rounding) {
  if (rounding == Rounding::kNearest) return std::fma(a, b, c);
  volatile double x = a, y = b, z = c;
  RoundingScope scope(rounding);
  volatile double result = std::fma(x, y, z);
  return result;
}

double DivideRounded(double a, double b, Rounding rounding) {
  if (rounding == Rounding::kNearest) return a / b;
  volatile double x = a, y = b;
  RoundingScope scope(rounding);
  volatile double result = x / y;
  return result;
}

double SqrtRounded(double a, Rounding rounding) {
  if (rounding == Rounding::kNearest) return std::sqrt(a);
  volatile double x = a;
  RoundingScope scope(rounding);
  volatile double result = std::sqrt(x);
  return result;
}

double AddToOdd(double a, double b) {
  double sum = a + b;
  if (!std::isfinite(sum)) return sum;
  // Knuth's TwoSum: the error of the sum, exactly.
  double b_part = sum - a;
  double a_part = sum - b_part;
  double error = (a - a_part) + (b - b_part);
  return ToOdd(sum, error);
}

double DivideToOdd(double a, double b) {
  double quotient = a / b;
  if (!std::isfinite(quotient) || quotient == 0 || std::isinf(b)) return quotient;
  double remainder = std::fma(-quotient, b, a);  // exact, for operands that were singles
  return ToOdd(quotient, std::signbit(b) ? -remainder : remainder);
}

double SqrtToOdd(double a) {
  double root = std::sqrt(a);
  if (!std::isfinite(root) || root == 0) return root;
  return ToOdd(root, std::fma(-root, root, a));
}

}  // namespace tfrt::gpu::ptx
