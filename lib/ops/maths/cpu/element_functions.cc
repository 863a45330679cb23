#include "element_functions.h"

#include <algorithm>
#include <bit>
#include <complex>
#include <type_traits>

#include "element_loops.h"
#include "lib/runtime/tensor/dtype_dispatch.h"
#include "tfrt/support/half.h"
#include "wide_functions.h"

namespace tfrt::cpu {
namespace {

using Op = ElementwiseOp;

// The number of 16 bits that follows x on the way to y.
template <typename T>
T NextHalf(T x, T y) {
  const float from = x.ToFloat(), to = y.ToFloat();
  if (from != from || to != to) return T(from + to);
  if (from == to) return y;
  auto bits = std::bit_cast<uint16_t>(x);
  if (from == 0) {
    bits = to < 0 ? 0x8001 : 0x0001;
  } else {
    bits = static_cast<uint16_t>((from < to) == (from > 0) ? bits + 1 : bits - 1);
  }
  return std::bit_cast<T>(bits);
}

// Computes in f32, part by part, so that these stay in the nearest cache.
template <typename T>
void RunHalves(Op op, const ElementRun& run) {
  constexpr int64_t kPart = 512;
  float operands[kMaxElementwiseOperands][kPart], results[kPart];
  const size_t count = OperandsOf(op);
  // The rest are f32 as they are.
  const size_t halves = op == Op::kPow ? 1 : count - ParametersOf(op);
  const bool truth = GivesTruth(op);
  if (op == Op::kNextafter) return MapTwo<T, T, T>(run, NextHalf<T>);
  for (int64_t begin = 0; begin < run.size; begin += kPart) {
    ElementRun part = run;
    part.size = std::min(kPart, run.size - begin);
    for (size_t i = 0; i < count; ++i) {
      const int64_t offset = run.repeats[i] ? 0 : begin;
      if (i >= halves) {
        part.in[i] = static_cast<const float*>(run.in[i]) + offset;
        continue;
      }
      const T* from = static_cast<const T*>(run.in[i]) + offset;
      const int64_t size = run.repeats[i] ? 1 : part.size;
      for (int64_t j = 0; j < size; ++j) operands[i][j] = from[j].ToFloat();
      part.in[i] = operands[i];
    }
    part.out = truth ? static_cast<void*>(static_cast<uint8_t*>(run.out) + begin) : results;
    RunFloats(op, part);
    if (truth) continue;
    T* out = static_cast<T*>(run.out) + begin;
    for (int64_t j = 0; j < part.size; ++j) out[j] = T(results[j]);
  }
}

// add, sub, mul and div alone.
template <typename T>
void RunComplex(Op op, const ElementRun& run) {
  auto map = [&](auto fn) { MapTwo<T, T, T>(run, fn); };
  switch (op) {
    case Op::kAdd:
      return map([](T x, T y) { return x + y; });
    case Op::kSub:
      return map([](T x, T y) { return x - y; });
    case Op::kMul:
      return map([](T x, T y) { return x * y; });
    default:
      return map([](T x, T y) { return x / y; });
  }
}

bool HasTruths(Op op) {
  return (op >= Op::kLogicalAnd && op <= Op::kLogicalNot) || op == Op::kEqual ||
         op == Op::kNotEqual;
}
bool IsForTruthsAlone(Op op) { return op >= Op::kLogicalAnd && op <= Op::kLogicalNot; }

ElementFunction FindIntegers(DType dtype) {
  ElementFunction found = nullptr;
  DispatchDType(dtype, [&]<typename T>(std::type_identity<T>) {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) found = RunIntegers<T>;
  });
  return found;
}

}  // namespace

bool GivesTruth(ElementwiseOp op) {
  return IsRelation(op) || IsForTruthsAlone(op) || op == Op::kIsNan || op == Op::kIsInf ||
         op == Op::kSignbit;
}

DType ExponentDType(DType dtype) {
  return dtype == DType::kF32 || dtype == DType::kF16 || dtype == DType::kBF16 ? DType::kF32
                                                                               : DType::kF64;
}

ElementFunction FindElementFunction(ElementwiseOp op, DType dtype) {
  if (op == Op::kSelect && dtype != DType::kF32) {
    return DTypeSize(dtype) == 4 ? RunFloats : FindSelect(DTypeSize(dtype));
  }
  if (dtype == DType::kI1) return HasTruths(op) ? RunTruths : nullptr;
  if (IsForTruthsAlone(op)) return nullptr;
  if (ElementFunction integers = FindIntegers(dtype)) return HasIntegers(op) ? integers : nullptr;
  if (IsForIntegersAlone(op)) return nullptr;
  switch (dtype) {
    case DType::kF32:
      return RunFloats;
    case DType::kF64:
      return RunDoubles;
    case DType::kF16:
      return RunHalves<Fp16>;
    case DType::kBF16:
      return RunHalves<Bf16>;
    case DType::kComplex64:
      return op <= Op::kDiv ? RunComplex<std::complex<float>> : nullptr;
    case DType::kComplex128:
      return op <= Op::kDiv ? RunComplex<std::complex<double>> : nullptr;
    default:
      return nullptr;
  }
}

size_t CostOfElement(ElementwiseOp op, DType dtype) {
  constexpr size_t kSimple = 4, kFunction = 32, kOfLibrary = 128;
  const bool is_fast = dtype == DType::kF32;
  const bool is_of_library = op == Op::kPow || (op >= Op::kTan && op <= Op::kAtanh) ||
                             op == Op::kLog10 || op == Op::kAtan2 || op == Op::kHypot ||
                             op == Op::kNextafter || op == Op::kFloorDivide;
  if (is_of_library) return kOfLibrary;
  const bool is_function = (op >= Op::kExp && op <= Op::kErf) || op == Op::kSin || op == Op::kCos ||
                           (op >= Op::kElu && op <= Op::kGeluTanh) ||
                           (op >= Op::kExpm1 && op <= Op::kLog2) || op == Op::kLogAddExp;
  if (is_function) return is_fast ? kFunction : kOfLibrary;
  return is_fast || dtype == DType::kI1 ? kSimple : 2 * DTypeSize(dtype);
}

}  // namespace tfrt::cpu
