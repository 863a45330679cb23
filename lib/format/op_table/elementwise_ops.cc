// Further ops that compute each element of the result from one element of each argument: those that
// models have beside the ops of binary_ops.cc and unary_ops.cc.

#include "op_families.h"
#include "shape_rules.h"

namespace tfrt {
namespace {

using AttrKind = OpAttrSpec::Kind;

Status BinaryShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType &a = call.argument(0), &b = call.argument(1);
  TFRT_ASSIGN_OR_RETURN(results[0].dtype, UnifyDTypes(call, a.dtype, b.dtype));
  TFRT_ASSIGN_OR_RETURN(results[0].shape, Broadcast(call, a.shape, b.shape));
  return OkStatus();
}

// The dtype of the base, whatever that of the exponent.
Status PowShape(const OpShapeCall& call, std::span<ValueType> results) {
  results[0].dtype = call.argument(0).dtype;
  TFRT_ASSIGN_OR_RETURN(results[0].shape,
                        Broadcast(call, call.argument(0).shape, call.argument(1).shape));
  return OkStatus();
}

// Fails if the element type is known and not `wanted`: only truth values can be true.
Status Expect(const OpShapeCall& call, DType actual, DType wanted, std::string_view name) {
  if (actual == DType::kUnsupported || actual == wanted) return OkStatus();
  return ShapeError(call, name, " is ", DTypeName(actual), ", expected ", DTypeName(wanted));
}

Status LogicalShape(const OpShapeCall& call, std::span<ValueType> results) {
  for (size_t i = 0; i < call.num_arguments(); ++i) {
    TFRT_RETURN_IF_ERROR(Expect(call, call.argument(i).dtype, DType::kI1, "an argument"));
  }
  if (call.num_arguments() == 1) {
    results[0].shape = call.argument(0).shape;
  } else {
    TFRT_RETURN_IF_ERROR(BinaryShape(call, results));
  }
  results[0].dtype = DType::kI1;
  return OkStatus();
}

Status PredicateShape(const OpShapeCall& call, std::span<ValueType> results) {
  results[0] = {DType::kI1, call.argument(0).shape};
  return OkStatus();
}

Status SelectShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType &condition = call.argument(0), &x = call.argument(1), &y = call.argument(2);
  TFRT_RETURN_IF_ERROR(Expect(call, condition.dtype, DType::kI1, "the condition"));
  TFRT_ASSIGN_OR_RETURN(results[0].dtype, UnifyDTypes(call, x.dtype, y.dtype));
  TFRT_ASSIGN_OR_RETURN(SymbolicShape both, Broadcast(call, x.shape, y.shape));
  TFRT_ASSIGN_OR_RETURN(results[0].shape, Broadcast(call, condition.shape, both));
  // Sizes that a program chooses from: -1 in a shape means the size that was there, for example.
  auto chosen = KnownElements(condition);
  if (!x.elements || !y.elements || !chosen || !CanFollowElements(results[0])) return OkStatus();
  auto count = static_cast<size_t>(results[0].shape.num_elements().value());
  auto at = [](size_t size, size_t i) { return size == 1 ? 0 : i; };
  for (size_t size : {chosen->size(), x.elements->size(), y.elements->size()}) {
    if (size != count && size != 1) return OkStatus();
  }
  std::vector<Dim> elements(count);
  for (size_t i = 0; i < count; ++i) {
    const auto& from = (*chosen)[at(chosen->size(), i)] != 0 ? *x.elements : *y.elements;
    elements[i] = from[at(from.size(), i)];
  }
  results[0].elements = std::move(elements);
  return OkStatus();
}

// x, and, perhaps, two scalars of its dtype.
Status ClipShape(const OpShapeCall& call, std::span<ValueType> results) {
  results[0] = {call.argument(0).dtype, call.argument(0).shape};
  for (size_t i = 1; i < 3; ++i) {
    if (!call.has_argument(i)) continue;
    const ValueType& bound = call.argument(i);
    TFRT_ASSIGN_OR_RETURN(results[0].dtype, UnifyDTypes(call, results[0].dtype, bound.dtype));
    TFRT_RETURN_IF_ERROR(OneElement(call, bound, "a bound").status());
  }
  return OkStatus();
}

// The slope is one number for each channel, or for all: it broadcasts to the first argument.
Status PReluShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_RETURN_IF_ERROR(BinaryShape(call, results));
  TFRT_ASSIGN_OR_RETURN(results[0].shape,
                        UnifyShapes(call, results[0].shape, call.argument(0).shape));
  return OkStatus();
}

constexpr OpArgumentSpec kSelect[] = {{"condition"}, {"x"}, {"y"}};
constexpr OpArgumentSpec kClip[] = {
    {"x"}, {"min", OpArgumentSpec::Kind::kOptional}, {"max", OpArgumentSpec::Kind::kOptional}};
constexpr OpArgumentSpec kPRelu[] = {{"x"}, {"slope"}};

constexpr OpDescription Unary(std::string_view name, OpGradient gradient, std::string_view summary,
                              double flops, std::span<const OpAttrSpec> attrs = {}) {
  return {.name = name,
          .summary = summary,
          .arguments = kX,
          .attrs = attrs,
          .results = kY,
          .flags = OpFlags::kAllowsScalar,
          .may_overwrite = 1,
          .cost = PerResultElement(flops),
          .shape = SameAsFirst,
          .gradient = gradient};
}
constexpr OpDescription Predicate(std::string_view name, std::string_view summary,
                                  std::span<const OpAttrSpec> attrs = {}) {
  OpDescription op = Unary(name, kNoFloats, summary, 1, attrs);
  op.may_overwrite = 0;
  op.shape = PredicateShape;
  return op;
}
constexpr OpDescription Binary(std::string_view name, OpGradient gradient, std::string_view summary,
                               double flops = 1, OpShape shape = BinaryShape,
                               std::span<const OpAttrSpec> attrs = {}) {
  return {.name = name,
          .summary = summary,
          .arguments = kXY,
          .attrs = attrs,
          .results = kZ,
          .flags = OpFlags::kAllowsScalar,
          .may_overwrite = 0b11,
          .cost = PerResultElement(flops),
          .shape = shape,
          .gradient = gradient};
}

constexpr OpAttrSpec kLeaky[] = {{"alpha", AttrKind::kF32, "0.01f"}};
constexpr OpAttrSpec kElu[] = {{"alpha", AttrKind::kF32, "1"}};
constexpr OpAttrSpec kSelu[] = {{"alpha", AttrKind::kF32, "1.67326319f"},
                                {"gamma", AttrKind::kF32, "1.05070102f"}};
constexpr OpAttrSpec kHardSigmoid[] = {{"alpha", AttrKind::kF32, "0.2f"},
                                       {"beta", AttrKind::kF32, "0.5f"}};
constexpr OpAttrSpec kSwish[] = {{"alpha", AttrKind::kF32, "1"}};
constexpr OpAttrSpec kInfinite[] = {{"negative", AttrKind::kBool, "true"},
                                    {"positive", AttrKind::kBool, "true"}};
constexpr OpAttrSpec kMod[] = {{"truncate", AttrKind::kBool, "false"}};

constexpr OpDescription kElementwiseOps[] = {
    Unary("abs", gradients::Abs,
          "The absolute value of each element; the least integer stays what it is.", 1),
    Unary("neg", gradients::Neg, "`-x` of each element; integers wrap.", 1),
    Unary("sign", gradients::Flat, "-1, 0 or 1 for each element; NaN stays NaN.", 1),
    Unary("reciprocal", gradients::Reciprocal, "`1 / x` of each element.", 1),
    Unary("erf", gradients::Erf, "The error function of each element.", kFlopsOfErf),
    Unary("floor", gradients::Flat, "The largest whole number that is not above each element.", 1),
    Unary("ceil", gradients::Flat, "The smallest whole number that is not below each element.", 1),
    Unary("round", gradients::Flat,
          "The nearest whole number to each element, of two the even one.", 1),
    Unary("sin", gradients::Sin, "The sine of each element.", kFlopsOfExp),
    Unary("cos", gradients::Cos, "The cosine of each element.", kFlopsOfExp),
    Unary("tan", gradients::Tan, "The tangent of each element.", kFlopsOfTanh),
    Unary("asin", gradients::Asin, "The inverse sine of each element.", kFlopsOfTanh),
    Unary("acos", gradients::Acos, "The inverse cosine of each element.", kFlopsOfTanh),
    Unary("atan", gradients::Atan, "The inverse tangent of each element.", kFlopsOfTanh),
    Unary("sinh", gradients::Sinh, "The hyperbolic sine of each element.", kFlopsOfTanh),
    Unary("cosh", gradients::Cosh, "The hyperbolic cosine of each element.", kFlopsOfTanh),
    Unary("asinh", gradients::Asinh, "The inverse hyperbolic sine of each element.",
          kFlopsOfLog + 4),
    Unary("acosh", gradients::Acosh, "The inverse hyperbolic cosine of each element.",
          kFlopsOfLog + 4),
    Unary("atanh", gradients::Atanh, "The inverse hyperbolic tangent of each element.",
          kFlopsOfLog + 4),
    Unary("leaky_relu", gradients::LeakyRelu, "`x` where it is positive, `alpha * x` elsewhere.", 2,
          kLeaky),
    Unary("elu", gradients::Elu, "`x` where it is positive, `alpha * (exp(x) - 1)` elsewhere.",
          kFlopsOfExp + 2, kElu),
    Unary("selu", gradients::Selu,
          "`gamma * x` where it is positive, `gamma * alpha * (exp(x) - 1)` elsewhere.",
          kFlopsOfExp + 3, kSelu),
    Unary("softplus", gradients::Softplus, "`log(1 + exp(x))` of each element.",
          kFlopsOfExp + kFlopsOfLog),
    Unary("mish", gradients::Mish, "`x * tanh(softplus(x))` of each element.",
          kFlopsOfExp + kFlopsOfLog + kFlopsOfTanh),
    Unary("swish", gradients::Swish, "`x * sigmoid(alpha * x)` of each element.", kFlopsOfExp + 4,
          kSwish),
    Unary("hard_sigmoid", gradients::HardSigmoid, "`alpha * x + beta`, at least 0 and at most 1.",
          4, kHardSigmoid),
    Unary("hard_swish", gradients::HardSwish, "`x` times what hard_sigmoid gives with 1/6 and 1/2.",
          5),
    Unary("bitwise_not", kNoFloats, "Each bit of each integer the other way.", 1),
    {.name = "logical_not",
     .summary = "True where `x` is not.",
     .arguments = kX,
     .results = kY,
     .may_overwrite = 1,
     .cost = PerResultElement(1),
     .shape = LogicalShape,
     .gradient = kNoFloats},
    Predicate("is_nan", "Where `x` is NaN, as i1."),
    Predicate("is_inf", "Where `x` is infinite, with one of the signs asked for, as i1.",
              kInfinite),
    Binary("pow", gradients::Pow, "`x` to the power of `y`, broadcast, in the dtype of `x`.",
           kFlopsOfExp + kFlopsOfLog, PowShape),
    Binary("mod", gradients::Mod,
           "The remainder of `x / y`, broadcast: with the sign of `y`, or, with `truncate`, with "
           "that of `x`.",
           2, BinaryShape, kMod),
    Unary("expm1", gradients::Expm1, "`exp(x) - 1` of each element.", kFlopsOfExp + 1),
    Unary("exp2", gradients::Exp2, "2 to the power of each element.", kFlopsOfExp),
    Unary("log2", gradients::Log2, "The logarithm to base 2 of each element.", kFlopsOfLog),
    Unary("log10", gradients::Log10, "The logarithm to base 10 of each element.", kFlopsOfLog),
    Unary("trunc", gradients::Flat, "The nearest whole number between each element and 0.", 1),
    Predicate("signbit", "Where the sign bit of `x` is set, that of -0 and of NaN, too, as i1."),
    Binary("atan2", gradients::Atan2,
           "The angle of the point whose coordinates are `y` and `x`, `x` being the second, "
           "broadcast.",
           kFlopsOfTanh),
    Binary("hypot", gradients::Hypot,
           "`sqrt(x * x + y * y)`, broadcast, without squares that overflow.", 10),
    Binary("logaddexp", gradients::LogAddExp, "`log(exp(x) + exp(y))`, broadcast.",
           kFlopsOfExp + kFlopsOfLog),
    Binary("copysign", gradients::Copysign, "`x` with the sign of `y`, broadcast."),
    Binary("nextafter", gradients::Nextafter,
           "The number of the dtype that follows `x` on the way to `y`, broadcast."),
    Binary("floor_divide", gradients::Flat,
           "The largest whole number that is not above `x / y`, broadcast; of floats NaN where "
           "`x` is infinite.",
           4),
    Binary("logical_and", kNoFloats, "True where both are, broadcast.", 1, LogicalShape),
    Binary("logical_or", kNoFloats, "True where one is, broadcast.", 1, LogicalShape),
    Binary("logical_xor", kNoFloats, "True where they differ, broadcast.", 1, LogicalShape),
    Binary("bitwise_and", kNoFloats, "`x & y` of integers, broadcast."),
    Binary("bitwise_or", kNoFloats, "`x | y` of integers, broadcast."),
    Binary("bitwise_xor", kNoFloats, "`x ^ y` of integers, broadcast."),
    Binary("shift_left", kNoFloats, "`x << y` of integers, broadcast; 0 from their width on."),
    Binary("shift_right", kNoFloats,
           "`x >> y` of integers, broadcast; what comes in is 0, or the sign."),
    {.name = "prelu",
     .summary = "`x` where it is positive, `slope * x` elsewhere; the slope is broadcast to `x`.",
     .arguments = kPRelu,
     .results = kY,
     .may_overwrite = 1,
     .cost = PerResultElement(2),
     .shape = PReluShape,
     .gradient = gradients::Prelu},
    {.name = "clip",
     .summary = "`min(max(x, min), max)`; a bound that is left out bounds nothing, NaN stays NaN.",
     .arguments = kClip,
     .results = kY,
     .may_overwrite = 1,
     .cost = PerResultElement(2),
     .shape = ClipShape,
     .gradient = gradients::Clip},
    {.name = "select",
     .summary = "The element of `x` where the condition is true, that of `y` elsewhere, broadcast.",
     .arguments = kSelect,
     .results = kZ,
     .may_overwrite = 0b110,
     .cost = PerResultElement(1),
     .shape = SelectShape,
     .gradient = gradients::Select},
};

}  // namespace

OpFamily ElementwiseOps() { return {kElementwiseOps, {}}; }

}  // namespace tfrt
