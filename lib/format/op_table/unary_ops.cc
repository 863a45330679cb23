// Ops that compute each element of the result from one element of the argument.

#include "elementwise_rules.h"
#include "op_families.h"
#include "shape_rules.h"

namespace tfrt {

void CastRule::Follow(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType& in = call.argument(0);
  ValueType& out = results[0];
  if (!in.elements || !CanFollowElements(out)) return;
  out.elements = in.elements;
  if (out.dtype == DType::kI64) return;
  for (Dim& element : *out.elements) {
    bool fits = element.is_known() && element.value() >= INT32_MIN && element.value() <= INT32_MAX;
    if (in.dtype != DType::kI32 && !fits) element = Dim();
  }
}

namespace {

constexpr OpAttrSpec kCastAttrs[] = {{"dtype", OpAttrSpec::Kind::kType}};

constexpr OpDescription UnaryFunction(std::string_view name, OpGradient gradient,
                                      std::string_view summary, double flops) {
  return {.name = name,
          .summary = summary,
          .arguments = kX,
          .results = kY,
          .may_overwrite = 0b1,
          .cost = PerArgumentElement(flops),
          .shape = ShapeOf<SameRule>,
          .gradient = gradient};
}

constexpr OpDescription kUnaryOps[] = {
    UnaryFunction("relu", gradients::Relu, "`max(x, 0)` of each element; NaN stays NaN.", 1),
    UnaryFunction("log", gradients::Log, "The natural logarithm of each element.", kFlopsOfLog),
    UnaryFunction("log1p", gradients::Log1p, "`log(1 + x)` of each element.", kFlopsOfLog + 5),
    UnaryFunction("exp", gradients::Exp, "e to the power of each element.", kFlopsOfExp),
    UnaryFunction("sqrt", gradients::Sqrt, "The square root of each element.", 1),
    UnaryFunction("rsqrt", gradients::Rsqrt, "`1 / sqrt(x)` of each element.", 2),
    UnaryFunction("sigmoid", gradients::Sigmoid, "`1 / (1 + exp(-x))` of each element.",
                  kFlopsOfExp + 2),
    UnaryFunction("tanh", gradients::Tanh, "The hyperbolic tangent of each element.", kFlopsOfTanh),
    {.name = "gelu",
     .summary = "The Gaussian error linear unit of each element: with the error function, or "
                "approximated with tanh.",
     .arguments = kX,
     .attrs = kGeluAttrs,
     .results = kY,
     .may_overwrite = 0b1,
     .cost = PerArgumentElement(kFlopsOfErf + 4),
     .shape = ShapeOf<SameRule>,
     .gradient = gradients::Gelu},
    {.name = "cast",
     .summary =
         "The elements as `dtype`: floats that do not fit an integer become the nearest that "
         "does, NaN 0; integers wrap.",
     .arguments = kX,
     .attrs = kCastAttrs,
     .results = kY,
     .cost = PerArgumentElement(1),
     .shape = ShapeOf<CastRule>,
     .gradient = gradients::Cast},
    {.name = "identity",
     .summary = "The argument.",
     .arguments = kInput,
     .results = kOutput,
     .flags = OpFlags::kAllowsScalar | OpFlags::kAllowsString | OpFlags::kAllowsCoo,
     .may_overwrite = 0b1,
     .cost = PerArgumentElement(0),
     .shape = ShapeOf<IdentityRule>,
     .gradient = gradients::PassOn},
};

constexpr OpSpelling::Rename kCastNames[] = {CastRule::kDType};

constexpr OpSpelling kUnarySpellings[] = {
    {"tf.Relu", "relu"},
    {"tfrt_test.relu", "relu"},
    {"tf.Log", "log"},
    {"tf.Log1p", "log1p"},
    {"tf.Exp", "exp"},
    {"tf.Sqrt", "sqrt"},
    {"tf.Rsqrt", "rsqrt"},
    {"tf.Sigmoid", "sigmoid"},
    {"tf.Tanh", "tanh"},
    {"tfrt.Gelu", "gelu"},
    {.name = "tf.Cast",
     .op = "cast",
     .attrs = kCastNames,
     .summary = "The elements as `DstT`: floats that do not fit an integer become the nearest that "
                "does, NaN 0; integers wrap."},
    {"tf.Identity", "identity"},
    {.name = "tf.StopGradient",
     .op = "identity",
     .summary = "The argument, as a constant: no gradient goes through it.",
     .stops_gradients = true},
};

}  // namespace

OpFamily UnaryOps() { return {kUnaryOps, kUnarySpellings}; }

}  // namespace tfrt
