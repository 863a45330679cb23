// Element-wise ops of integers and truth values, and choices between elements of any kind.

#include <cassert>
#include <cmath>
#include <limits>
#include <type_traits>

#include "element_loops.h"
#include "lib/runtime/tensor/cast.h"
#include "wide_functions.h"

namespace tfrt::cpu {
namespace {

using Op = ElementwiseOp;

// An unsigned type in which arithmetic of T wraps, and is not promoted to int.
template <typename T>
using Wrapping = std::conditional_t<(sizeof(T) < 4), uint32_t, std::make_unsigned_t<T>>;

template <typename T>
T Divide(T x, T y) {
  if constexpr (std::is_signed_v<T>) {
    if (y == T(-1)) return static_cast<T>(Wrapping<T>(0) - Wrapping<T>(x));
  }
  return static_cast<T>(x / y);
}

template <typename T>
T Remainder(T x, T y, bool truncates) {
  if constexpr (std::is_signed_v<T>) {
    if (y == T(-1)) return 0;
    const T r = static_cast<T>(x % y);
    return !truncates && r != 0 && (r < 0) != (y < 0) ? static_cast<T>(r + y) : r;
  } else {
    return static_cast<T>(x % y);
  }
}

template <typename T>
T DivideDown(T x, T y) {
  const T quotient = Divide(x, y);
  if constexpr (std::is_signed_v<T>) {
    if (y != T(-1) && x % y != 0 && (x < 0) != (y < 0)) return static_cast<T>(quotient - 1);
  }
  return quotient;
}

template <typename T>
T Power(T x, double y) {
  if (!(y >= 0 && y <= 1 << 30) || y != std::floor(y)) {
    return CastElement<T>(std::pow(static_cast<double>(x), y));
  }
  using U = Wrapping<T>;
  U result = 1, square = static_cast<U>(x);
  for (auto n = static_cast<uint32_t>(y); n > 0; n >>= 1) {
    if ((n & 1) != 0) result *= square;
    square *= square;
  }
  return static_cast<T>(result);
}

// The sign is shifted in from the left.
template <typename T>
T Shift(T x, T y, bool left) {
  using U = Wrapping<T>;
  const bool is_far = U(y) >= U(std::numeric_limits<std::make_unsigned_t<T>>::digits);
  if (is_far) return !left && x < 0 ? static_cast<T>(-1) : T(0);
  return left ? static_cast<T>(U(x) << U(y)) : static_cast<T>(x >> y);
}

template <typename T>
void RunArithmetic(Op op, const ElementRun& run) {
  using U = Wrapping<T>;
  auto map = [&](auto fn) { MapTwo<T, T, T>(run, fn); };
  switch (op) {
    case Op::kAdd:
      return map([](T x, T y) { return static_cast<T>(U(x) + U(y)); });
    case Op::kSub:
      return map([](T x, T y) { return static_cast<T>(U(x) - U(y)); });
    case Op::kMul:
      return map([](T x, T y) { return static_cast<T>(U(x) * U(y)); });
    case Op::kDiv:
      return map(Divide<T>);
    case Op::kFloorDivide:
      return map(DivideDown<T>);
    case Op::kMod: {
      const bool truncates = *static_cast<const float*>(run.in[2]) != 0;
      return map([=](T x, T y) { return Remainder(x, y, truncates); });
    }
    case Op::kMaximum:
      return map([](T x, T y) { return x > y ? x : y; });
    case Op::kMinimum:
      return map([](T x, T y) { return x < y ? x : y; });
    case Op::kReluGrad:
      return map([](T x, T y) { return y > 0 ? x : T(0); });
    case Op::kPow:
      return MapTwo<T, double, T>(run, Power<T>);
    case Op::kPRelu:
      return map([](T x, T y) { return x < 0 ? static_cast<T>(U(x) * U(y)) : x; });
    case Op::kBitwiseAnd:
      return map([](T x, T y) { return static_cast<T>(x & y); });
    case Op::kBitwiseOr:
      return map([](T x, T y) { return static_cast<T>(x | y); });
    case Op::kBitwiseXor:
      return map([](T x, T y) { return static_cast<T>(x ^ y); });
    case Op::kShiftLeft:
    case Op::kShiftRight: {
      const bool left = op == Op::kShiftLeft;
      return map([=](T x, T y) { return Shift(x, y, left); });
    }
    default:
      assert(false && "an op that integers do not have");
  }
}

}  // namespace

bool HasIntegers(ElementwiseOp op) {
  return op <= Op::kNotEqual || (op >= Op::kClip && op <= Op::kSign) ||
         (op >= Op::kFloor && op <= Op::kRound) || op == Op::kRelu || op == Op::kMod ||
         op == Op::kReluGrad || op == Op::kTrunc || op == Op::kFloorDivide ||
         IsForIntegersAlone(op);
}

template <typename T>
void RunIntegers(ElementwiseOp op, const ElementRun& run) {
  using U = Wrapping<T>;
  if (IsRelation(op)) return RunRelation<T, uint8_t>(op, run);
  switch (op) {
    case Op::kClip:
      return ClipRun<T>(run);
    case Op::kAbs:
      return MapOne<T, T>(run, [](T x) { return x < 0 ? static_cast<T>(U(0) - U(x)) : x; });
    case Op::kNeg:
      return MapOne<T, T>(run, [](T x) { return static_cast<T>(U(0) - U(x)); });
    case Op::kSign:
      return MapOne<T, T>(run, [](T x) { return static_cast<T>((x > 0) - (x < 0)); });
    case Op::kFloor:
    case Op::kCeil:
    case Op::kRound:
    case Op::kTrunc:
      return MapOne<T, T>(run, [](T x) { return x; });
    case Op::kRelu:
      return MapOne<T, T>(run, [](T x) { return x < 0 ? T(0) : x; });
    case Op::kBitwiseNot:
      return MapOne<T, T>(run, [](T x) { return static_cast<T>(~x); });
    default:
      return RunArithmetic<T>(op, run);
  }
}
#define TFRT_INSTANTIATE(name, T) template void RunIntegers<T>(ElementwiseOp, const ElementRun&);
TFRT_CPP_INTEGERS(TFRT_INSTANTIATE)
#undef TFRT_INSTANTIATE

void RunTruths(ElementwiseOp op, const ElementRun& run) {
  auto map = [&](auto fn) { MapTwo<uint8_t, uint8_t, uint8_t>(run, fn); };
  switch (op) {
    case Op::kLogicalNot:
      return MapOne<uint8_t, uint8_t>(run, [](uint8_t x) { return x == 0; });
    case Op::kLogicalAnd:
      return map([](uint8_t x, uint8_t y) { return x != 0 && y != 0; });
    case Op::kLogicalOr:
      return map([](uint8_t x, uint8_t y) { return (x | y) != 0; });
    case Op::kEqual:
      return map([](uint8_t x, uint8_t y) { return (x != 0) == (y != 0); });
    case Op::kLogicalXor:
    case Op::kNotEqual:
      return map([](uint8_t x, uint8_t y) { return (x != 0) != (y != 0); });
    default:
      assert(false && "an op that truth values do not have");
  }
}

ElementFunction FindSelect(size_t element_size) {
  switch (element_size) {
    case 1:
      return [](Op, const ElementRun& run) { SelectRun<uint8_t, uint8_t>(run); };
    case 2:
      return [](Op, const ElementRun& run) { SelectRun<uint8_t, uint16_t>(run); };
    case 8:
      return [](Op, const ElementRun& run) { SelectRun<uint8_t, uint64_t>(run); };
    default:
      return nullptr;
  }
}

}  // namespace tfrt::cpu
