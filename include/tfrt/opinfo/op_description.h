// The op table: what is known of an op whatever runs it. Both islands read it: the op runtime,
// which attaches functions to it, the generator of the eager functions and their reference, and
// compilers.
#ifndef TFRT_OPINFO_OP_DESCRIPTION_H_
#define TFRT_OPINFO_OP_DESCRIPTION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tfrt/opinfo/attr_value.h"
#include "tfrt/opinfo/op_signature.h"
#include "tfrt/opinfo/value_type.h"
#include "tfrt/support/status.h"

namespace tfrt {

struct OpDescription;
class GradientCall;

// The part of a call that a shape function sees. A view.
class OpShapeCall {
 public:
  // `name`: what messages call the op. Null: an optional argument that is left out.
  OpShapeCall(const OpDescription& op, std::string_view name,
              std::span<const ValueType* const> arguments, const OpAttrReader& attrs)
      : op_(op), name_(name), arguments_(arguments), attrs_(attrs) {}

  const OpDescription& op() const { return op_; }
  std::string_view op_name() const { return name_; }
  size_t num_arguments() const { return arguments_.size(); }
  bool has_argument(size_t index) const {
    return index < arguments_.size() && arguments_[index] != nullptr;
  }
  const ValueType& argument(size_t index) const { return *arguments_[index]; }

  // The attribute, or its default. InvalidArgument if there is neither, or one of another type.
  template <typename T>
  StatusOr<T> Attr(std::string_view name) const {
    TFRT_ASSIGN_OR_RETURN(OpAttrValue value, Find(name));
    if (T* found = std::get_if<T>(&value)) return std::move(*found);
    return WrongKind(name);
  }
  // Why Attr<T>(name) is an error, if it is one.
  [[gnu::cold]] Status AttrError(std::string_view name) const;

 private:
  StatusOr<OpAttrValue> Find(std::string_view name) const;
  [[gnu::cold]] Status WrongKind(std::string_view name) const;

  const OpDescription& op_;
  const std::string_view name_;
  std::span<const ValueType* const> arguments_;
  const OpAttrReader& attrs_;
};

// Sets what is known of each of the op's results, however little is known of the arguments.
// Everything it sets is true of every call that they describe. InvalidArgument if no such call can
// succeed. Required arguments are present; attributes are read by canonical name. Pure.
using OpShapeFunction = Status (*)(const OpShapeCall& call, std::span<ValueType> results);

// The rules whose results do not depend on elements (shape_inference.h), by number.
// clang-format off
#define TFRT_SHAPE_RULES(V)                                                                      \
  V(ActivationGradRule) V(BatchMatMulRule) V(BatchNormGradRule) V(BatchNormRule)                 \
  V(BiasAddGradRule) V(BiasAddRule) V(BroadcastRule) V(CastRule) V(ComparisonRule)               \
  V(Conv2DBiasAddRule) V(Conv2DBiasRule) V(Conv2DRule) V(CrossEntropyRule) V(FusedMatMulRule)    \
  V(GatherNdRule) V(GlobalAveragePoolRule) V(LayerNormGradRule) V(LayerNormRule)                 \
  V(MatMulBiasRule) V(MatMulRule) V(PassOnFirstRule) V(Pool2DGradRule) V(Pool2DRule)             \
  V(SameRule) V(SgdUpdateRule) V(ShapeOfRule) V(SoftmaxGradRule) V(SoftmaxRule) V(SqueezeRule)   \
  V(ZerosLikeRule)
// clang-format on
enum class ShapeRuleNumber : uint8_t {
  kNone,  // the shape function is not made of a rule
#define TFRT_RULE_NUMBER(Rule) k##Rule,
  TFRT_SHAPE_RULES(TFRT_RULE_NUMBER)
#undef TFRT_RULE_NUMBER
};

// The shape function of an op, and the rule it is made from. Runtimes build their own metadata
// function from the same rule.
struct OpShape {
  constexpr OpShape(OpShapeFunction function,  // NOLINT: implicit by design
                    ShapeRuleNumber rule = ShapeRuleNumber::kNone)
      : function(function), rule(rule) {}
  constexpr explicit operator bool() const { return function != nullptr; }
  OpShapeFunction function;
  ShapeRuleNumber rule;
};

// The work of computing an op.
struct OpWork {
  double flops = 0;  // additions, multiplications, and what a function like exp takes of both
  double bytes_read = 0;
  double bytes_written = 0;
};

// How the work follows from shapes: a formula, or UnknownCost.
struct OpCostFormula {
  enum class Kind : uint8_t {
    kUnknown,
    kPerElement,   // `flops` for each element of `first`
    kMatMul,       // `first`: an argument [...,m,k] or [...,k,m], `last`: [...,m,n]
    kConvolution,  // `first`: the filter [h,w,c,o], `last`: the images [n,h,w,o]
    // `first`: the filter [o,c,...], `last`: the images [n,o,...]; or [...,c,o] and [n,...,o].
    kFilter,
  };
  // A tensor of the call: argument i, or result i as kResult + i.
  static constexpr uint8_t kResult = 128;
  // NOLINTNEXTLINE: implicit by design
  constexpr OpCostFormula(Kind kind, double flops = 0, uint8_t first = 0, uint8_t last = kResult)
      : kind(kind), flops(flops), first(first), last(last) {}
  Kind kind;
  double flops;
  uint8_t first;
  uint8_t last;
  std::string_view why_unknown = {};  // "sorting depends on the elements"
};
constexpr OpCostFormula UnknownCost(std::string_view why) {
  OpCostFormula cost(OpCostFormula::Kind::kUnknown);
  cost.why_unknown = why;
  return cost;
}

// Sets the gradients of the arguments that have one. The arguments that it leaves out do not change
// the results, as far as results have gradients (gradient_rules.h).
using GradientRule = void (*)(GradientCall& call);

// The rule of an op, or why it has none.
struct OpGradient {
  constexpr OpGradient(GradientRule rule) : rule(rule) {}  // NOLINT: implicit by design
  constexpr explicit OpGradient(std::string_view why_none) : why_none(why_none) {}
  GradientRule rule = nullptr;
  std::string_view why_none = {};  // "its results are no floats"
};

// Plain data with static lifetime, but for the descriptions of custom ops, which live as long as
// the registry that has them. Immutable; thread-safe. A row that leaves out the cost, the shape or
// the gradient does not compile.
struct OpDescription {
  std::string_view name;     // the canonical one: "matmul"
  std::string_view summary;  // one sentence, Markdown
  std::span<const OpArgumentSpec> arguments = {};
  std::span<const OpAttrSpec> attrs = {};          // by canonical names, sorted
  std::span<const std::string_view> results = {};  // their names
  OpFlags flags = OpFlags::kNone;
  // Bit i: the first result may occupy the very bytes of argument i, if both are equally large. The
  // op reads all that it still needs before it writes there.
  uint32_t may_overwrite = 0;
  // Bit i: the host knows result i, sizes for example, from its arguments' metadata alone.
  uint32_t host_results = 0;
  OpCostFormula cost;
  OpShape shape;  // null, of custom ops: nothing is known of the results
  OpGradient gradient;

  constexpr bool has_side_effects() const { return HasFlag(flags, OpFlags::kSideEffects); }
  // Tells whether an argument of a call with `num_arguments` arguments is a host value.
  bool is_host_value(size_t argument, size_t num_arguments) const;
  bool has_host_values() const;
  // The same of arguments that are integers.
  bool is_integer(size_t argument, size_t num_arguments) const;
  // The op looks at metadata alone: no device has to compute it, and no argument has to be copied.
  bool reads_metadata_alone() const {
    return host_results != 0 && host_results + 1 == uint64_t{1} << results.size();
  }
};

// A name under which programs call an op, "tf.MatMul", and how calls of that name differ.
struct OpSpelling {
  // An attribute that the spelling names otherwise.
  struct Rename {
    std::string_view spelled;
    std::string_view canonical;
  };
  std::string_view name;
  std::string_view op;  // canonical
  std::span<const Rename> attrs = {};
  // An argument that is given as an attribute of its name instead, an array of i64.
  std::string_view folded_argument = {};
  std::string_view summary = {};  // empty: the description's
  // No gradient flows through calls of this name.
  bool stops_gradients = false;

  // The canonical name of an attribute, which may be that of a folded argument.
  std::string_view Canonical(std::string_view spelled_attr) const;
  std::string_view Spelled(std::string_view canonical_attr) const;
};

// Each row has one more spelling, which AllOpSpellings leaves out: "graph.conv" of "conv". Compiled
// programs have it.
inline constexpr std::string_view kGraphOpPrefix = "graph.";

// All of the table, each family in its order. A row without a spelling has one made of its name,
// "tfrt.ReduceProd" of "reduce_prod", but for those that passes of the compiler alone make.
std::vector<const OpDescription*> AllOpDescriptions();
std::vector<const OpSpelling*> AllOpSpellings();

// True if the table has no spelling of the row: this one is made of its name.
bool IsMadeOfItsRow(const OpSpelling& spelling);

// By canonical name; null if there is none.
const OpDescription* FindOpDescription(std::string_view canonical_name);
// By the name that programs use; null if there is none.
const OpSpelling* FindOpSpelling(std::string_view name);

// The signature as calls of this name have it. The texts are those of the table.
std::vector<OpArgumentSpec> SpelledArguments(const OpDescription& op, const OpSpelling& spelling);
std::vector<OpAttrSpec> SpelledAttrs(const OpDescription& op, const OpSpelling& spelling);

// Returns what is known of the results of a call by canonical name. `attrs` are read by canonical
// names. InvalidArgument for a wrong number of arguments or results, and for a call that cannot
// succeed; messages call the op `name`.
StatusOr<std::vector<ValueType>> InferResults(const OpDescription& op, std::string_view name,
                                              std::span<const ValueType* const> arguments,
                                              const OpAttrReader& attrs, size_t num_results);
inline StatusOr<std::vector<ValueType>> InferResults(const OpDescription& op,
                                                     std::span<const ValueType* const> arguments,
                                                     const OpAttrReader& attrs,
                                                     size_t num_results) {
  return InferResults(op, op.name, arguments, attrs, num_results);
}
// The same of a call as it is spelled: folded arguments are put in, attributes are renamed.
StatusOr<std::vector<ValueType>> InferResults(const OpSpelling& spelling,
                                              std::span<const ValueType* const> arguments,
                                              const OpAttrReader& attrs, size_t num_results);

// The flops of a formula whose tensors have these sizes. Empty if there is none, or if the sizes do
// not fit it. `last` may be empty where the formula does not need it.
std::optional<double> EstimateFlops(const OpCostFormula& formula, std::span<const int64_t> first,
                                    std::optional<std::span<const int64_t>> last);
// The work of a call whose shapes and dtypes are known (null: an argument that is left out). Empty
// without a formula, and if not enough is known.
std::optional<OpWork> EstimateWork(const OpDescription& op,
                                   std::span<const ValueType* const> arguments,
                                   std::span<const ValueType> results);

}  // namespace tfrt

#endif  // TFRT_OPINFO_OP_DESCRIPTION_H_
