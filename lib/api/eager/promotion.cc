#include "promotion.h"

#include <array>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "lib/runtime/tensor/cast.h"
#include "lib/runtime/tensor/dtype_dispatch.h"
#include "tfrt/eager/ops.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::eager {
namespace {

NumberKind KindOf(DType dtype) { return ElementTypeOf(dtype).kind; }
bool IsInteger(DType dtype) {
  return KindOf(dtype) == NumberKind::kSigned || KindOf(dtype) == NumberKind::kUnsigned;
}
DType Wider(DType a, DType b) { return DTypeSize(a) >= DTypeSize(b) ? a : b; }

// Returns the signed type that holds both, or f64.
DType SignedWith(DType with_sign, DType without) {
  constexpr std::array kSigned = {DType::kI8, DType::kI16, DType::kI32, DType::kI64};
  for (DType dtype : kSigned) {
    if (DTypeSize(dtype) >= DTypeSize(with_sign) && DTypeSize(dtype) > DTypeSize(without)) {
      return dtype;
    }
  }
  return DType::kF64;
}

DType FloatWithInteger(DType real, DType integer) {
  return DTypeSize(real) == 2 && DTypeSize(integer) > 1 ? DType::kF32 : real;
}

constexpr uint64_t Bit(DType dtype) { return uint64_t{1} << static_cast<int>(dtype); }

// Returns the op that computes elements of i1 in place of the row; empty if there is none.
std::string_view OpForBools(std::string_view row) {
  constexpr std::pair<std::string_view, std::string_view> kRows[] = {
      {"add", "tfrt.LogicalOr"},          {"mul", "tfrt.LogicalAnd"},
      {"maximum", "tfrt.LogicalOr"},      {"minimum", "tfrt.LogicalAnd"},
      {"bitwise_and", "tfrt.LogicalAnd"}, {"bitwise_or", "tfrt.LogicalOr"},
      {"bitwise_xor", "tfrt.LogicalXor"}, {"bitwise_not", "tfrt.LogicalNot"},
  };
  for (const auto& [name, bools] : kRows) {
    if (name == row) return bools;
  }
  return {};
}

PromotionRule RuleOf(std::string_view row) {
  using enum PromotionRule;
  constexpr std::pair<std::string_view, PromotionRule> kRules[] = {
      {"add", kSame},          {"sub", kSame},         {"mul", kSame},
      {"div", kSame},          {"mod", kSame},         {"floor_divide", kSame},
      {"remainder", kSame},    {"maximum", kSame},     {"minimum", kSame},
      {"equal", kSame},        {"not_equal", kSame},   {"bitwise_and", kSame},
      {"bitwise_or", kSame},   {"bitwise_xor", kSame}, {"bitwise_not", kSame},
      {"shift_left", kSame},   {"shift_right", kSame}, {"select", kSame},
      {"clip", kSame},         {"concat", kSame},      {"matmul", kSame},
      {"batch_matmul", kSame}, {"prelu", kSame},       {"less", kNumber},
      {"less_equal", kNumber}, {"greater", kNumber},   {"greater_equal", kNumber},
      {"logical_and", kBool},  {"logical_or", kBool},  {"logical_xor", kBool},
      {"logical_not", kBool},  {"acos", kFloat},       {"acosh", kFloat},
      {"asin", kFloat},        {"asinh", kFloat},      {"atan", kFloat},
      {"atan2", kFloat},       {"atanh", kFloat},      {"copysign", kFloat},
      {"cos", kFloat},         {"cosh", kFloat},       {"erf", kFloat},
      {"exp", kFloat},         {"expm1", kFloat},      {"exp2", kFloat},
      {"hypot", kFloat},       {"is_inf", kFloat},     {"is_nan", kFloat},
      {"log", kFloat},         {"log10", kFloat},      {"log1p", kFloat},
      {"log2", kFloat},        {"logaddexp", kFloat},  {"nextafter", kFloat},
      {"reciprocal", kFloat},  {"rsqrt", kFloat},      {"sigmoid", kFloat},
      {"signbit", kFloat},     {"sin", kFloat},        {"sinh", kFloat},
      {"softplus", kFloat},    {"sqrt", kFloat},       {"tan", kFloat},
      {"tanh", kFloat},
  };
  for (const auto& [name, rule] : kRules) {
    if (name == row) return rule;
  }
  return kNone;
}

// Returns the dtypes whose elements the row takes as they are, if all inputs have the same one.
uint64_t DirectDTypes(PromotionRule rule, bool has_row_for_bools) {
  using enum PromotionRule;
  uint64_t dtypes = ~uint64_t{0};
  if (rule == kBool) return Bit(DType::kI1);
  if (rule == kNumber || rule == kFloat || has_row_for_bools) dtypes &= ~Bit(DType::kI1);
  if (rule == kFloat) {
    for (size_t i = 0; i < kNumElementTypes; ++i) {
      if (IsInteger(static_cast<DType>(i))) dtypes &= ~Bit(static_cast<DType>(i));
    }
  }
  return dtypes;
}

// Element by element: different from 0, as in conversions to bool.
Tensor IsNotZero(TensorArgument argument, DType dtype, Location where) {
  constexpr std::array<std::byte, 16> kZero = {};
  HostArray zero(dtype, {}, std::span(kZero.data(), DTypeSize(dtype)));
  return NotEqual(std::move(argument), std::move(zero), where);
}

bool IsReal(DType dtype) {
  const NumberKind kind = KindOf(dtype);
  return kind == NumberKind::kFloat || kind == NumberKind::kBFloat || kind == NumberKind::kComplex;
}

bool FitsI32(const Number& number) {
  return number.is_unsigned()
             ? number.as_unsigned() <= uint64_t{std::numeric_limits<int32_t>::max()}
             : number.as_signed() >= std::numeric_limits<int32_t>::min() &&
                   number.as_signed() <= std::numeric_limits<int32_t>::max();
}

// Whether the integer is one of T's values, which it is set to.
template <typename T>
bool StoreInteger(const Number& number, T& value) {
  if (number.is_unsigned()) {
    value = static_cast<T>(number.as_unsigned());
    return std::in_range<T>(number.as_unsigned());
  }
  value = static_cast<T>(number.as_signed());
  return std::in_range<T>(number.as_signed());
}

// Whether the number may become a T, which `value` is set to.
template <typename T>
bool Store(const Number& number, T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    value = number.as_double() != 0;
    return number.kind() == Number::Kind::kBool;
  } else if constexpr (std::is_integral_v<T>) {
    return number.kind() != Number::Kind::kReal && StoreInteger(number, value);
  } else if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float>) {
    value = static_cast<T>(number.as_double());
    return true;
  } else if constexpr (tfrt::internal::kIsComplex<T>) {
    value = T(static_cast<typename T::value_type>(number.as_double()));
    return true;
  } else {
    value = T(static_cast<float>(number.as_double()));
    return true;
  }
}

}  // namespace

DType PromotedDType(DType a, DType b) {
  if (a == b) return a;
  if (KindOf(a) == NumberKind::kNone || KindOf(b) == NumberKind::kNone) return DType::kUnsupported;
  if (a == DType::kI1) return b;
  if (b == DType::kI1) return a;
  if (KindOf(a) == NumberKind::kComplex || KindOf(b) == NumberKind::kComplex) {
    const bool is_wide =
        a == DType::kF64 || b == DType::kF64 || a == DType::kComplex128 || b == DType::kComplex128;
    return is_wide ? DType::kComplex128 : DType::kComplex64;
  }
  if (IsFloat(a) && IsFloat(b)) {
    return DTypeSize(a) == 2 && DTypeSize(b) == 2 ? DType::kF32 : Wider(a, b);
  }
  if (IsFloat(a)) return FloatWithInteger(a, b);
  if (IsFloat(b)) return FloatWithInteger(b, a);
  if (KindOf(a) == KindOf(b)) return Wider(a, b);
  return KindOf(a) == NumberKind::kSigned ? SignedWith(a, b) : SignedWith(b, a);
}

DType DTypeByRule(PromotionRule rule, DType dtype) {
  using enum PromotionRule;
  if (rule == kFloat && (IsInteger(dtype) || dtype == DType::kI1)) return DType::kF32;
  if (rule == kNumber && dtype == DType::kI1) return DType::kI8;
  return rule == kBool ? DType::kI1 : dtype;
}

Promotion PromotionOf(std::string_view row) {
  const PromotionRule rule = RuleOf(row);
  if (rule == PromotionRule::kNone) return {};
  const std::string_view bools = OpForBools(row);
  Promotion promotion = PromotionOf(rule);
  promotion.direct_dtypes = DirectDTypes(rule, !bools.empty());
  if (!bools.empty()) promotion.op_for_bools = &HostOp(bools);
  // The condition is no element of the result, and the axis no tensor that is joined.
  if (row == "select") promotion.inputs &= ~uint64_t{1};
  if (row == "concat") promotion.inputs &= ~uint64_t{2};
  return promotion;
}

Promotion PromotionOf(PromotionRule rule) {
  return {.rule = rule, .inputs = ~uint64_t{0}, .direct_dtypes = DirectDTypes(rule, false)};
}

DType DTypeOfArgument(const TensorArgument& argument) {
  if (const HostArray* array = argument.array()) {
    return array->tensor().ok() ? array->tensor()->dtype() : DType::kUnsupported;
  }
  if (!argument.state()) return DType::kUnsupported;
  StatusOr<DType> dtype = Tensor(FormRef(argument.state())).dtype();
  return dtype.ok() ? *dtype : DType::kUnsupported;
}

const OpDefinition* Promote(const Promotion& promotion, const OpDefinition* op,
                            std::span<TensorArgument* const> inputs, Location where) {
  std::vector<std::pair<TensorArgument*, DType>> known;
  DType dtype = DType::kUnsupported;
  for (TensorArgument* input : inputs) {
    const DType own = DTypeOfArgument(*input);
    if (own == DType::kUnsupported) continue;
    dtype = known.empty() ? own : PromotedDType(dtype, own);
    known.emplace_back(input, own);
  }
  if (known.empty() || dtype == DType::kUnsupported) return op;
  dtype = DTypeByRule(promotion.rule, dtype);
  for (auto& [input, own] : known) {
    if (own == dtype) continue;
    *input = promotion.rule == PromotionRule::kBool ? IsNotZero(std::move(*input), own, where)
                                                    : Cast(std::move(*input), dtype, where);
  }
  return dtype == DType::kI1 && promotion.op_for_bools ? promotion.op_for_bools : op;
}

// --- Numbers ---

std::string Number::ToString() const {
  switch (kind_) {
    case Kind::kNone:
      return "none";
    case Kind::kBool:
      return signed_ != 0 ? "true" : "false";
    case Kind::kSigned:
      return StrCat(signed_);
    case Kind::kUnsigned:
      return StrCat(unsigned_);
    case Kind::kReal:
      return StrCat(real_);
  }
  return {};
}

DType DTypeOfNumber(const Number& number, DType beside) {
  switch (number.kind()) {
    case Number::Kind::kBool:
      return DType::kI1;
    case Number::Kind::kReal:
      return IsReal(beside) ? beside : DType::kF32;
    case Number::Kind::kNone:
    case Number::Kind::kSigned:
    case Number::Kind::kUnsigned:
      break;
  }
  if (beside == DType::kI1) return DType::kI32;
  if (KindOf(beside) != NumberKind::kNone) return beside;
  return FitsI32(number) ? DType::kI32 : DType::kI64;
}

StatusOr<HostArray> ArrayOfNumber(const Number& number, DType dtype) {
  std::array<std::byte, 16> bytes;
  bool fits = false;
  const bool is_dense = DispatchDType(dtype, [&]<typename T>(std::type_identity<T>) {
    T value{};
    fits = Store(number, value);
    std::memcpy(bytes.data(), &value, sizeof(T));
  });
  if (!is_dense || !fits) {
    return InvalidArgumentError(
        StrCat("the number ", number.ToString(), " does not fit elements of ", DTypeName(dtype)));
  }
  return HostArray(dtype, {}, std::span(bytes.data(), DTypeSize(dtype)));
}

Status SetDTypesOfNumbers(std::span<Operand* const> operands,
                          std::span<const OpArgumentSpec> names) {
  DType beside = DType::kUnsupported;
  for (const Operand* operand : operands) {
    if (operand->number.is_given()) continue;
    beside = DTypeOfArgument(operand->argument);
    if (beside != DType::kUnsupported) break;
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    Operand& operand = *operands[i];
    if (!operand.number.is_given()) continue;
    StatusOr<HostArray> array =
        ArrayOfNumber(operand.number, DTypeOfNumber(operand.number, beside));
    if (!array.ok() && i < names.size()) {
      return InvalidArgumentError(StrCat(names[i].name, ": ", array.status().message()));
    }
    if (!array.ok()) return array.status();
    operand.argument = *std::move(array);
    operand.number = {};
  }
  return OkStatus();
}

}  // namespace tfrt::eager
