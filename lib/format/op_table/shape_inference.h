// Shape rules describe the results of ops, written once. A rule runs on whatever is known of the
// arguments. A compiler, or any other planner, runs it on ValueTypes, whose sizes may be numbers,
// symbols or unknown. The runtime runs it at each call on the metadata of its tensors. There
// everything is known and each instruction counts.
//
//   struct MyRule : ShapeRule {
//     static constexpr size_t kArguments = 2;
//     template <typename Call>
//     static Status Infer(const Call& call, std::span<typename Call::Value> results);
//   };
//
// Infer has the contract of OpShapeFunction. It sees the arguments as values with a dtype and a
// shape. It may use only what this file has for both kinds of knowledge: HasRank, DimOf, Unite, and
// the members of the call. A rule whose results also have known elements declares
//
//     static void Follow(const OpShapeCall& call, std::span<ValueType> results);
//
// which runs after Infer, and only on ValueTypes. All is pure and thread-safe.
#ifndef TFRT_LIB_FORMAT_OP_TABLE_SHAPE_INFERENCE_H_
#define TFRT_LIB_FORMAT_OP_TABLE_SHAPE_INFERENCE_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tfrt/opinfo/op_description.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {

// The base class of rules.
struct ShapeRule {
  // Whether a call may have more arguments than the rule's kArguments.
  static constexpr bool kTakesMore = false;
  // A call has at least so many results.
  static constexpr size_t kResults = 1;
};

// An attribute by its canonical name and by the one that spellings use, which may differ.
struct RuleAttr {
  constexpr RuleAttr(const char* name)  // NOLINT: implicit by design
      : spelled(name), canonical(name) {}
  constexpr RuleAttr(const OpSpelling::Rename& rename)  // NOLINT: implicit by design
      : spelled(rename.spelled), canonical(rename.canonical) {}
  std::string_view spelled;
  std::string_view canonical;
};

// --- For both kinds of knowledge; the runtime has overloads for its shapes.

inline bool HasRank(const SymbolicShape& shape) { return shape.has_rank(); }
// Needs a rank, and index < rank.
inline Dim DimOf(const SymbolicShape& shape, size_t index) { return shape.dim(index); }
// Unknown without a rank.
inline Dim DimIfRanked(const SymbolicShape& shape, size_t index) {
  return shape.has_rank() ? shape.dim(index) : Dim();
}

// Makes `*a` what is known of something that both are. False, and nothing has happened, if nothing
// can be both.
inline bool Unite(DType* a, DType b) {
  if (*a == b || b == DType::kUnsupported) return true;
  if (*a != DType::kUnsupported) return false;
  *a = b;
  return true;
}
bool Unite(Dim* a, Dim b);
bool Unite(SymbolicShape* a, const SymbolicShape& b);
// The same of size `index` of a shape with that rank, and a number.
bool Unite(SymbolicShape* a, size_t index, Dim* b);

// Combines two sizes into a broadcast one by NumPy's rule; false if there is none.
template <typename D>
bool BroadcastDim(D a, D b, D* both) {
  if (a.is(1) || a.IsSameAs(b)) {
    *both = b;
  } else if (b.is(1)) {
    *both = a;
  } else if (a.Contradicts(b)) {
    return false;
  } else {
    // The known size is the result: the other is equal to it or 1.
    *both = a.is_known() ? a : b.is_known() ? b : D{};
  }
  return true;
}

// Appends to `dims` the first `a_rank` sizes of `a` broadcast with the first `b_rank` of `b`, which
// are aligned at their ends. The two that do not fit, if there are such.
template <typename Shape, typename Dims>
auto AppendBroadcast(const Shape& a, size_t a_rank, const Shape& b, size_t b_rank, Dims* dims) {
  using D = decltype(DimOf(a, 0));
  const size_t rank = a_rank > b_rank ? a_rank : b_rank;
  const size_t a_missing = rank - a_rank, b_missing = rank - b_rank;
  for (size_t i = 0; i < rank; ++i) {
    D x = i < a_missing ? D(1) : DimOf(a, i - a_missing);
    D y = i < b_missing ? D(1) : DimOf(b, i - b_missing);
    D both;
    if (!BroadcastDim(x, y, &both)) [[unlikely]]
      return std::optional(std::pair(x, y));
    dims->push_back(both);
  }
  return std::optional<std::pair<D, D>>();
}

// "tf.Sum: axis is a tensor of f32, expected i32 or i64", unless the dtype may be one of these.
Status CheckIsInteger(std::string_view op, std::string_view argument, DType dtype);

// "f32 [2, 3]"
template <typename Value>
std::string TypeText(const Value& value) {
  return StrCat(DTypeName(value.dtype), " ", value.shape.ToString());
}

// --- Calls of which not all is known.

class SymbolicCall {
 public:
  using Value = ValueType;
  using Size = Dim;
  using Dims = std::vector<Dim>;

  explicit SymbolicCall(const OpShapeCall& call) : call_(call) {}
  size_t num_arguments() const { return call_.num_arguments(); }
  const ValueType& argument(size_t index) const { return call_.argument(index); }

  // The attribute, or its default; nothing without both, and for another type than T, which is
  // bool, float, DType or std::vector<int64_t>.
  template <typename T>
  std::optional<T> Attr(RuleAttr name) const {
    StatusOr<T> value = call_.Attr<T>(name.canonical);
    return value.ok() ? std::optional(*std::move(value)) : std::nullopt;
  }
  // Nothing for another type than a string.
  std::optional<std::string> TextAttr(RuleAttr name, std::string_view /*if_absent*/) const {
    return Attr<std::string>(name);
  }
  // 0 without an array of strings of this name.
  size_t NumStrings(RuleAttr name) const {
    auto strings = Attr<std::vector<std::string>>(name);
    return strings ? strings->size() : 0;
  }
  // Returns the error for a missing required attribute. `op` is the op's name in messages.
  Status Lacks(RuleAttr name, std::string_view op) const;

  // InvalidArgument if no tensor has such sizes.
  static Status MakeShape(Dims&& dims, SymbolicShape* shape) {
    *shape = SymbolicShape(std::move(dims));
    return OkStatus();
  }
  static bool MayHaveOneElement(const ValueType& value);
  // [0]
  static bool MayBeEmptyVector(const SymbolicShape& shape);

 private:
  const OpShapeCall& call_;
};

#define TFRT_DECLARE_RULE(Rule) struct Rule;
TFRT_SHAPE_RULES(TFRT_DECLARE_RULE)
#undef TFRT_DECLARE_RULE

namespace internal {
// "matmul: ...", unless the message begins so.
[[gnu::cold]] Status NameOp(const OpShapeCall& call, const Status& error);

template <typename Rule>
Status InferByRule(const OpShapeCall& call, std::span<ValueType> results) {
  Status status = Rule::Infer(SymbolicCall(call), results);
  if (!status.ok()) return NameOp(call, status);
  if constexpr (requires { Rule::Follow(call, results); }) Rule::Follow(call, results);
  return OkStatus();
}

template <typename Rule, ShapeRuleNumber kNumber>
struct NumberedRule {
  // One that derives from the rule and only follows elements has its number.
  template <typename Derived>
  static constexpr ShapeRuleNumber Of() {
    static_assert(&Derived::template Infer<SymbolicCall> == &Rule::template Infer<SymbolicCall>,
                  "a rule with an Infer of its own must be one of TFRT_SHAPE_RULES");
    return kNumber;
  }
};
#define TFRT_NUMBERED_RULE(Rule) NumberedRule<Rule, ShapeRuleNumber::k##Rule> Find(const Rule*);
TFRT_SHAPE_RULES(TFRT_NUMBERED_RULE)
#undef TFRT_NUMBERED_RULE
}  // namespace internal

// The OpShape for a description of an op whose rule is `Rule`, one of TFRT_SHAPE_RULES.
template <typename Rule>
inline constexpr OpShape ShapeOf = {
    &internal::InferByRule<Rule>,
    decltype(internal::Find(static_cast<const Rule*>(nullptr)))::template Of<Rule>()};

}  // namespace tfrt

#endif  // TFRT_LIB_FORMAT_OP_TABLE_SHAPE_INFERENCE_H_
