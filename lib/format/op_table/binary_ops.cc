// Ops that compute each element of the result from one element of each of two arguments.

#include "elementwise_rules.h"
#include "op_families.h"
#include "shape_rules.h"

namespace tfrt {
namespace internal {

Dim SumOf(Dim a, Dim b) { return Sum(a, b); }

Dim DifferenceOf(Dim a, Dim b) {
  if (b.is(0)) return a;
  if (a.IsSameAs(b)) return 0;
  int64_t difference;
  bool fits =
      a.is_known() && b.is_known() && !__builtin_sub_overflow(a.value(), b.value(), &difference);
  return fits ? Dim(difference) : Dim();
}

Dim ProductOf(Dim a, Dim b) { return Product(a, b); }

// Towards 0, as the op.
Dim QuotientOf(Dim a, Dim b) {
  if (b.is(1)) return a;
  bool fits = a.is_known() && b.is_known() && b.value() != 0 && b.value() != -1;
  return fits ? Dim(a.value() / b.value()) : Dim();
}

namespace {

// Returns the elements of the result, if they are few enough to be followed; nothing if the
// arguments' elements are not.
std::optional<std::vector<Dim>> Elementwise(const OpShapeCall& call, const SymbolicShape& shape,
                                            Dim (*apply)(Dim, Dim)) {
  const ValueType &a = call.argument(0), &b = call.argument(1);
  if (!a.elements || !b.elements || !CanFollowElements({DType::kI64, shape})) return std::nullopt;
  auto count = static_cast<size_t>(shape.num_elements().value());
  std::vector<Dim> elements;
  for (auto* each : {&a, &b}) {
    if (each->elements->size() != count && each->elements->size() != 1) return std::nullopt;
  }
  for (size_t i = 0; i < count; ++i) {
    elements.push_back(apply((*a.elements)[a.elements->size() == 1 ? 0 : i],
                             (*b.elements)[b.elements->size() == 1 ? 0 : i]));
  }
  return elements;
}

}  // namespace

void FollowArithmetic(const OpShapeCall& call, Dim (*apply)(Dim, Dim),
                      std::span<ValueType> results) {
  if (!CanFollowElements(results[0])) return;
  results[0].elements = Elementwise(call, results[0].shape, apply);
  if (!results[0].elements || results[0].dtype == DType::kI64) return;
  for (Dim& element : *results[0].elements) {
    // A value that does not fit i32 wraps.
    bool fits =
        !element.is_known() || (element.value() >= INT32_MIN && element.value() <= INT32_MAX);
    if (!fits) element = Dim();
  }
}

}  // namespace internal

void EqualRule::Follow(const OpShapeCall& call, std::span<ValueType> results) {
  // A symbol is a size, and so never negative.
  auto equal = [](Dim a, Dim b) {
    if (a.IsSameAs(b)) return Dim(1);
    auto is_negative = [](Dim dim) { return dim.is_known() && dim.value() < 0; };
    bool differ =
        a.Contradicts(b) || (a.is_symbol() && is_negative(b)) || (b.is_symbol() && is_negative(a));
    return differ ? Dim(0) : Dim();
  };
  results[0].elements = internal::Elementwise(call, results[0].shape, equal);
}

namespace {

constexpr OpArgumentSpec kReluGrad[] = {{"gradients"}, {"features"}};

constexpr OpDescription BinaryFunction(std::string_view name, OpGradient gradient,
                                       std::string_view summary, OpShape shape,
                                       uint32_t may_overwrite = 0b11) {
  return {.name = name,
          .summary = summary,
          .arguments = kXY,
          .results = kZ,
          .flags = OpFlags::kAllowsScalar,
          .may_overwrite = may_overwrite,
          .cost = PerResultElement(1),
          .shape = shape,
          .gradient = gradient};
}
constexpr OpDescription Comparison(std::string_view name, std::string_view summary,
                                   OpShape shape = ShapeOf<ComparisonRule>) {
  return BinaryFunction(name, kNoFloats, summary, shape, 0);
}

constexpr OpDescription kBinaryOps[] = {
    BinaryFunction("add", gradients::Add, "`x + y`, broadcast; integers wrap.", ShapeOf<AddRule>),
    BinaryFunction("sub", gradients::Sub, "`x - y`, broadcast; integers wrap.", ShapeOf<SubRule>),
    BinaryFunction("mul", gradients::Mul, "`x * y`, broadcast; integers wrap.", ShapeOf<MulRule>),
    BinaryFunction("div", gradients::Div,
                   "`x / y`, broadcast; integers are divided towards 0, by 0 is an error.",
                   ShapeOf<DivRule>),
    BinaryFunction("maximum", gradients::Maximum,
                   "The larger of `x` and `y`, broadcast; NaN if one of them is.",
                   ShapeOf<BroadcastRule>),
    BinaryFunction("minimum", gradients::Minimum,
                   "The smaller of `x` and `y`, broadcast; NaN if one of them is.",
                   ShapeOf<BroadcastRule>),
    Comparison("less", "`x < y`, broadcast, as i1."),
    Comparison("less_equal", "`x <= y`, broadcast, as i1."),
    Comparison("greater", "`x > y`, broadcast, as i1."),
    Comparison("greater_equal", "`x >= y`, broadcast, as i1."),
    Comparison("equal", "`x == y`, broadcast, as i1.", ShapeOf<EqualRule>),
    Comparison("not_equal", "`x != y`, broadcast, as i1."),
    {.name = "relu_grad",
     .summary = "The gradient of relu: `gradients` where `features` are positive, 0 "
                "elsewhere.",
     .arguments = kReluGrad,
     .results = kBackprops,
     .flags = OpFlags::kAllowsScalar,
     .may_overwrite = 0b11,
     .cost = PerResultElement(1),
     .shape = ShapeOf<BroadcastRule>,
     .gradient = gradients::ReluGrad},
};

constexpr OpSpelling kBinarySpellings[] = {
    {"tf.AddV2", "add"},
    {"tf.Sub", "sub"},
    {"tf.Mul", "mul"},
    {"tf.RealDiv", "div"},
    {"tf.Maximum", "maximum"},
    {"tf.Minimum", "minimum"},
    {"tf.Less", "less"},
    {"tf.LessEqual", "less_equal"},
    {"tf.Greater", "greater"},
    {"tf.GreaterEqual", "greater_equal"},
    {"tf.Equal", "equal"},
    {"tf.NotEqual", "not_equal"},
    {"tf.ReluGrad", "relu_grad"},
};

}  // namespace

OpFamily BinaryOps() { return {kBinaryOps, kBinarySpellings}; }

}  // namespace tfrt
