#include "promotion.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "errors.h"
#include "interrupts.h"
#include "tensor.h"
#include "tfrt/eager/ops.h"

namespace tfrt::python {
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

// Returns the dtype of an argument; kUnsupported if it is nothing, or an error.
DType DTypeOfArgument(const eager::TensorArgument& argument) {
  if (const eager::HostArray* array = argument.array()) {
    return array->tensor().ok() ? array->tensor()->dtype() : DType::kUnsupported;
  }
  if (!argument.state()) return DType::kUnsupported;
  eager::Tensor tensor(FormRef(argument.state()));
  const bool is_known = tensor.is_traced() || tensor.state()->metadata() || tensor.IsAvailable();
  StatusOr<DType> dtype =
      is_known ? tensor.dtype() : CallWithoutLock([&] { return tensor.dtype(); });
  return dtype.ok() ? *dtype : DType::kUnsupported;
}

// Element by element: different from 0, as in Python's bool.
eager::Tensor IsNotZero(eager::TensorArgument argument, DType dtype, Location where) {
  constexpr std::array<std::byte, 16> kZero = {};
  eager::HostArray zero(dtype, {}, std::span(kZero.data(), DTypeSize(dtype)));
  return eager::NotEqual(std::move(argument), std::move(zero), where);
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

void SetPromotion(std::string_view row, OpInfo& info) {
  const PromotionRule rule = RuleOf(row);
  if (rule == PromotionRule::kNone) return;
  if (const std::string_view bools = OpForBools(row); !bools.empty()) {
    info.op_for_bools = &eager::HostOp(bools);
  }
  SetPromotion(rule, info);
  // The condition is no element of the result, and the axis no tensor that is joined.
  if (row == "select") info.parameters[0].promotes = false;
  if (row == "concat") info.parameters[1].promotes = false;
}

void SetPromotion(PromotionRule rule, OpInfo& info) {
  info.promotion = rule;
  info.direct_dtypes = DirectDTypes(rule, info.op_for_bools != nullptr);
  for (size_t i = 0; i < info.num_inputs; ++i) info.parameters[i].promotes = true;
}

const OpDefinition* Promote(const OpInfo& info, std::span<eager::TensorArgument> arguments,
                            bool keeps_lock, Location where) {
  std::vector<std::pair<eager::TensorArgument*, DType>> inputs;
  DType dtype = DType::kUnsupported;
  size_t next = 0;
  for (size_t i = 0; i < info.num_inputs; ++i) {
    const bool is_list = info.parameters[i].kind == OpParameter::Kind::kVariadicInput;
    size_t count = is_list ? arguments.size() - (info.num_inputs - 1) : 1;
    for (; count > 0 && next < arguments.size(); --count, ++next) {
      if (!info.parameters[i].promotes) continue;
      const DType own = DTypeOfArgument(arguments[next]);
      if (own == DType::kUnsupported) continue;
      dtype = inputs.empty() ? own : PromotedDType(dtype, own);
      inputs.emplace_back(&arguments[next], own);
    }
  }
  if (inputs.empty() || dtype == DType::kUnsupported) return info.op;
  using enum PromotionRule;
  if (info.promotion == kFloat && (IsInteger(dtype) || dtype == DType::kI1)) dtype = DType::kF32;
  if (info.promotion == kNumber && dtype == DType::kI1) dtype = DType::kI8;
  if (info.promotion == kBool) dtype = DType::kI1;
  auto convert = [&] {
    for (auto& [argument, own] : inputs) {
      if (own == dtype) continue;
      *argument = info.promotion == kBool ? IsNotZero(std::move(*argument), own, where)
                                          : eager::Cast(std::move(*argument), dtype, where);
    }
    return true;
  };
  keeps_lock ? convert() : CallWithoutLock(convert);
  return dtype == DType::kI1 && info.op_for_bools ? info.op_for_bools : info.op;
}

void BindPromotion(nb::module_& module) {
  module.def(
      "_promote",
      [](const PyDType& a, const PyDType& b) {
        const DType dtype = PromotedDType(a.dtype, b.dtype);
        if (dtype == DType::kUnsupported) {
          RaiseTypeError("elements of %s and of %s do not meet in one dtype",
                         DTypeText(a.dtype).c_str(), DTypeText(b.dtype).c_str());
        }
        return WrapDType(dtype);
      },
      nb::arg("a"), nb::arg("b"), nb::sig("def _promote(a: DType, b: DType) -> DType"));
}

}  // namespace tfrt::python
