#include "array_functions.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "arrays/arguments.h"
#include "op_function.h"
#include "quick_call.h"
#include "tfrt/support/str_cat.h"
#include "tracer.h"

namespace tfrt::eager {
namespace {

constexpr ArrayFunction kArrayFunctions[] = {
    {"abs", "Abs", "tfrt.Abs"},
    {"acos", "Acos", "tfrt.Acos"},
    {"acosh", "Acosh", "tfrt.Acosh"},
    {"add", "Add", "tf.AddV2"},
    {"asin", "Asin", "tfrt.Asin"},
    {"asinh", "Asinh", "tfrt.Asinh"},
    {"atan", "Atan", "tfrt.Atan"},
    {"atan2", "Atan2", "tfrt.Atan2"},
    {"atanh", "Atanh", "tfrt.Atanh"},
    {"bitwise_and", "BitwiseAnd", "tfrt.BitwiseAnd"},
    {"bitwise_invert", "BitwiseInvert", "tfrt.BitwiseNot"},
    {"bitwise_left_shift", "BitwiseLeftShift", "tfrt.ShiftLeft"},
    {"bitwise_or", "BitwiseOr", "tfrt.BitwiseOr"},
    {"bitwise_right_shift", "BitwiseRightShift", "tfrt.ShiftRight"},
    {"bitwise_xor", "BitwiseXor", "tfrt.BitwiseXor"},
    {"ceil", "Ceil", "tfrt.Ceil"},
    {"copysign", "CopySign", "tfrt.Copysign"},
    {"cos", "Cos", "tfrt.Cos"},
    {"cosh", "Cosh", "tfrt.Cosh"},
    {"divide", "Divide", "tf.RealDiv", PromotionRule::kFloat,
     "`x / y`, broadcast; integers are divided as floats."},
    {"equal", "Equal", "tf.Equal"},
    {"exp", "Exp", "tf.Exp"},
    {"expm1", "Expm1", "tfrt.Expm1"},
    {"floor", "Floor", "tfrt.Floor"},
    {"floor_divide", "FloorDivide", "tfrt.FloorDivide"},
    {"greater", "Greater", "tf.Greater"},
    {"greater_equal", "GreaterEqual", "tf.GreaterEqual"},
    {"hypot", "Hypot", "tfrt.Hypot"},
    {"isinf", "IsInf", "tfrt.IsInf"},
    {"isnan", "IsNan", "tfrt.IsNan"},
    {"less", "Less", "tf.Less"},
    {"less_equal", "LessEqual", "tf.LessEqual"},
    {"log", "Log", "tf.Log"},
    {"log10", "Log10", "tfrt.Log10"},
    {"log1p", "Log1p", "tf.Log1p"},
    {"log2", "Log2", "tfrt.Log2"},
    {"logaddexp", "LogAddExp", "tfrt.Logaddexp"},
    {"logical_and", "LogicalAnd", "tfrt.LogicalAnd"},
    {"logical_not", "LogicalNot", "tfrt.LogicalNot"},
    {"logical_or", "LogicalOr", "tfrt.LogicalOr"},
    {"logical_xor", "LogicalXor", "tfrt.LogicalXor"},
    {"maximum", "Maximum", "tf.Maximum"},
    {"minimum", "Minimum", "tf.Minimum"},
    {"multiply", "Multiply", "tf.Mul"},
    {"negative", "Negative", "tfrt.Neg"},
    {"nextafter", "NextAfter", "tfrt.Nextafter"},
    {"not_equal", "NotEqual", "tf.NotEqual"},
    {"positive", "Positive", "tf.Identity"},
    {"pow", "Pow", "tfrt.Pow", PromotionRule::kSame, "`x` to the power of `y`, broadcast."},
    {"reciprocal", "Reciprocal", "tfrt.Reciprocal"},
    {"remainder", "Remainder", "tfrt.Mod"},
    {"round", "Round", "tfrt.Round"},
    {"sign", "Sign", "tfrt.Sign"},
    {"signbit", "SignBit", "tfrt.Signbit"},
    {"sin", "Sin", "tfrt.Sin"},
    {"sinh", "Sinh", "tfrt.Sinh"},
    {"sqrt", "Sqrt", "tf.Sqrt"},
    {"subtract", "Subtract", "tf.Sub"},
    {"tan", "Tan", "tfrt.Tan"},
    {"tanh", "Tanh", "tf.Tanh"},
    {"trunc", "Trunc", "tfrt.Trunc"},
};

const ArrayFunction& FunctionOf(std::string_view name) {
  const auto* found = std::ranges::find(kArrayFunctions, name, &ArrayFunction::name);
  assert(found != std::end(kArrayFunctions));
  return *found;
}

// Returns the dtype that is known without waiting; kUnsupported if it is not.
DType KnownDType(const Operand& operand) {
  const TensorState* state = operand.argument.state();
  if (!state || state->is_traced()) return DType::kUnsupported;
  const TensorMetadata* metadata = state->metadata();
  return metadata ? metadata->dtype : DType::kUnsupported;
}

// The call for inputs of the right dtypes.
Tensor CallWith(const OpDefinition& op, std::span<TensorArgument> arguments, Location where) {
  if (op.attrs.empty()) return Call<1>(op, arguments, {}, where);
  Tensor result;
  (void)Execute(op, arguments, {}, {&result, 1}, where);
  return result;
}

// The error of two inputs that do not meet in one dtype; OK if they do.
Status CheckMeeting(const OpDefinition& op, std::span<Operand* const> operands) {
  if (operands.size() != 2) return OkStatus();
  const DType x = DTypeOfArgument(operands[0]->argument);
  const DType y = DTypeOfArgument(operands[1]->argument);
  if (x == DType::kUnsupported || y == DType::kUnsupported) return OkStatus();
  if (PromotedDType(x, y) != DType::kUnsupported) return OkStatus();
  return InvalidArgumentError(StrCat(op.arguments[0].name, " has elements of ", DTypeName(x),
                                     " and ", op.arguments[1].name, " of ", DTypeName(y),
                                     ", which do not meet in one dtype"));
}

}  // namespace

std::span<const ArrayFunction> ArrayFunctions() { return kArrayFunctions; }

ArrayOp::ArrayOp(std::string_view name) : ArrayOp(FunctionOf(name)) {}
ArrayOp::ArrayOp(const ArrayFunction& function)
    : name(function.name), op(&HostOp(function.op)), promotion(PromotionOf(op->description->name)) {
  if (function.rule != PromotionRule::kNone) promotion = PromotionOf(function.rule);
  quick_dtypes = op->quick ? promotion.direct_dtypes : 0;
}

Tensor CallArrayOp(const ArrayOp& op, std::span<Operand* const> operands, Location where) {
  Status status = SetDTypesOfNumbers(operands, op.op->arguments);
  if (status.ok()) status = CheckMeeting(*op.op, operands);
  if (!status.ok()) return arrays::Failed(op.name, where, status);
  std::array<TensorArgument, 2> arguments;
  std::array<TensorArgument*, 2> inputs;
  assert(operands.size() <= arguments.size());
  for (size_t i = 0; i < operands.size(); ++i) {
    arguments[i] = std::move(operands[i]->argument);
    inputs[i] = &arguments[i];
  }
  const OpDefinition* chosen = op.op;
  if (op.promotion.rule != PromotionRule::kNone) {
    chosen = Promote(op.promotion, op.op, std::span(inputs.data(), operands.size()), where);
  }
  return CallWith(*chosen, std::span(arguments.data(), operands.size()), where);
}

Tensor CallArrayOp(const ArrayOp& op, Operand& x) {
  const DType dtype = KnownDType(x);
  if (dtype != DType::kUnsupported && op.promotion.IsDirect(dtype)) [[likely]]
    return CallWith(*op.op, {&x.argument, 1}, x.where);
  Operand* operands[] = {&x};
  return CallArrayOp(op, operands, x.where);
}

// Any way but the shortest.
[[gnu::noinline]] static Tensor CallAnyWay(const ArrayOp& op, Operand& x, Operand& y) {
  const DType dtype = KnownDType(x);
  if (dtype != DType::kUnsupported && dtype == KnownDType(y) && op.promotion.IsDirect(dtype)) {
    TensorArgument arguments[] = {std::move(x.argument), std::move(y.argument)};
    return CallWith(*op.op, arguments, x.where);
  }
  Operand* operands[] = {&x, &y};
  return CallArrayOp(op, operands, x.where);
}

Tensor CallArrayOp(const ArrayOp& op, Operand& x, Operand& y) {
  Tensor result = op.quick_dtypes != 0
                      ? TryQuick(*op.op, op.quick_dtypes, x.argument, y.argument, x.where)
                      : Tensor();
  if (!result.valid()) [[unlikely]]
    result = CallAnyWay(op, x, y);
  return result;
}

}  // namespace tfrt::eager
