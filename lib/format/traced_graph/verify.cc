// Walks a graph as a compiler would: what is known of each value, and where it can be seen.

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "encoding.h"
#include "tfrt/opinfo/op_description.h"
#include "tfrt/support/str_cat.h"
#include "traced_graph.h"
#include "visit.h"

namespace tfrt::function {
namespace {

constexpr int64_t kMaxElements = int64_t{1} << 48;

// Bytes of a type whose sizes are all known; empty if they are not, or too many.
std::optional<size_t> SizeOf(const TracedType& type) {
  if (!type.dims || DTypeSize(type.dtype) == 0) return std::nullopt;
  int64_t count = 1;
  for (int64_t size : *type.dims) {
    if (size < 0 || (size > 1 && count > kMaxElements / size)) return std::nullopt;
    count *= size;
  }
  return static_cast<size_t>(count) * DTypeSize(type.dtype);
}

class Verifier {
 public:
  explicit Verifier(const TracedGraph& graph) : graph_(graph) {}

  Status Run() {
    if (graph_.functions.empty()) return InvalidArgumentError("the graph has no function");
    for (const TracedConstant& constant : graph_.constants) {
      auto size = SizeOf(constant.type);
      if (size && *size == constant.data.size()) continue;
      return InvalidArgumentError(StrCat("a constant is ", constant.type.ToString(), ", but has ",
                                         constant.data.size(), " bytes"));
    }
    for (const TracedVariable& variable : graph_.variables) {
      TFRT_RETURN_IF_ERROR(CheckType(variable.type, StrCat("variable ", variable.name)));
    }
    TFRT_RETURN_IF_ERROR(CheckUnique(VariableNames(), "variables"));
    TFRT_RETURN_IF_ERROR(CheckUnique(graph_.callbacks, "callbacks"));
    for (uint32_t i = 0; i < graph_.functions.size(); ++i) {
      TFRT_RETURN_IF_ERROR(CheckFunction(i));
    }
    return CheckConditions();
  }

 private:
  std::vector<std::string> VariableNames() const {
    std::vector<std::string> names;
    for (const TracedVariable& variable : graph_.variables) names.push_back(variable.name);
    return names;
  }
  static Status CheckUnique(const std::vector<std::string>& names, std::string_view noun) {
    std::unordered_set<std::string_view> seen;
    for (const std::string& name : names) {
      if (name.empty()) return InvalidArgumentError(StrCat("one of the ", noun, " has no name"));
      if (seen.insert(name).second) continue;
      return InvalidArgumentError(StrCat("two ", noun, " are called '", name, "'"));
    }
    return OkStatus();
  }
  static Status CheckType(const TracedType& type, std::string_view noun) {
    if (DTypeSize(type.dtype) == 0) {
      return InvalidArgumentError(
          StrCat(noun, " is of ", DTypeName(type.dtype), ", of which there are no dense tensors"));
    }
    return OkStatus();
  }

  Status CheckFunction(uint32_t index) {
    function_ = &graph_.functions[index];
    index_ = index;
    known_.assign(function_->values.size(), {});
    state_.assign(function_->values.size(), State::kNotMade);
    const size_t num_arguments = function_->body.arguments.size();
    auto wrong = [&](auto... why) {
      return InvalidArgumentError(StrCat("function '", function_->name, "' ", why...));
    };
    if (function_->num_inputs > num_arguments) {
      return wrong("has ", num_arguments, " arguments, but ", function_->num_inputs, " inputs");
    }
    for (size_t i = 0; i < function_->values.size(); ++i) {
      TFRT_RETURN_IF_ERROR(CheckType(function_->values[i], StrCat("value ", i)));
    }
    if (!function_->argument_names.empty()) {
      if (function_->argument_names.size() != num_arguments) return wrong("names some arguments");
      TFRT_RETURN_IF_ERROR(CheckUnique(function_->argument_names, "arguments"));
    }
    if (!function_->result_names.empty()) {
      if (function_->result_names.size() != function_->body.results.size()) {
        return wrong("names some results");
      }
      TFRT_RETURN_IF_ERROR(CheckUnique(function_->result_names, "results"));
    }
    return CheckBody(function_->body, {});
  }

  // The values that it makes are not seen behind it.
  Status CheckBody(const TracedBody& body, std::string_view place) {
    if (++depth_ > kMaxDepth) {
      return InvalidArgumentError(StrCat(place, "bodies in more than ", kMaxDepth, " bodies"));
    }
    const size_t first_made = made_.size();
    for (ValueId value : body.arguments) TFRT_RETURN_IF_ERROR(Make(value, place));
    for (const TracedOp& op : body.ops) {
      Status status = CheckOp(op);
      if (!status.ok()) return status;
    }
    for (ValueId value : body.results) TFRT_RETURN_IF_ERROR(See(value, place));
    for (size_t i = first_made; i < made_.size(); ++i) state_[made_[i]] = State::kGone;
    made_.resize(first_made);
    --depth_;
    return OkStatus();
  }

  Status Make(ValueId value, std::string_view place) {
    if (value >= state_.size()) {
      return InvalidArgumentError(StrCat(place, "there is no value ", value));
    }
    if (state_[value] != State::kNotMade) {
      return InvalidArgumentError(StrCat(place, "value ", value, " is made twice"));
    }
    state_[value] = State::kSeen;
    known_[value] = ToValueType(function_->values[value]);
    made_.push_back(value);
    return OkStatus();
  }
  Status See(ValueId value, std::string_view place) const {
    if (value < state_.size() && state_[value] == State::kSeen) return OkStatus();
    if (value < state_.size() && state_[value] == State::kGone) {
      return InvalidArgumentError(
          StrCat(place, "value ", value, " is used outside of the body that makes it"));
    }
    return InvalidArgumentError(StrCat(place, "value ", value, " is used before it is made"));
  }

  Status CheckOp(const TracedOp& op) {
    if (op.location != kNoLocation && op.location >= graph_.locations.size()) {
      return InvalidArgumentError(StrCat("there is no location ", op.location));
    }
    const std::string place = PlaceOf(graph_, op.location);
    for (const ValueId& argument : op.arguments) {
      const bool may_be_left_out = op.kind == TracedOpKind::kTable ||
                                   (op.kind == TracedOpKind::kFor && &argument == &op.arguments[0]);
      if (argument == kLeftOut && may_be_left_out) continue;
      TFRT_RETURN_IF_ERROR(See(argument, place));
    }
    Status status = CheckKind(op, place);
    if (!status.ok()) {
      if (place.empty() || status.message().starts_with(place)) return status;
      // Bodies and values name their place themselves.
      return Status(status.code(),
                    has_place_ ? std::string(status.message()) : StrCat(place, status.message()));
    }
    return OkStatus();
  }

  Status CheckKind(const TracedOp& op, const std::string& place) {
    has_place_ = false;
    switch (op.kind) {
      case TracedOpKind::kTable:
        return CheckTableOp(op, place);
      case TracedOpKind::kConstant:
        TFRT_RETURN_IF_ERROR(CheckCounts(op, "constant", 0, 1, 0));
        TFRT_RETURN_IF_ERROR(CheckIndex(op.index, graph_.constants.size(), "constant"));
        TFRT_RETURN_IF_ERROR(MakeAs(op.results[0], graph_.constants[op.index].type, place));
        known_[op.results[0]] = TypeOfConstant(graph_.constants[op.index]);
        return OkStatus();
      case TracedOpKind::kRead:
        TFRT_RETURN_IF_ERROR(CheckCounts(op, "read", 0, 1, 0));
        TFRT_RETURN_IF_ERROR(CheckIndex(op.index, graph_.variables.size(), "variable"));
        return MakeAs(op.results[0], graph_.variables[op.index].type, place);
      case TracedOpKind::kAssign: {
        TFRT_RETURN_IF_ERROR(CheckCounts(op, "assign", 1, 0, 0));
        TFRT_RETURN_IF_ERROR(CheckIndex(op.index, graph_.variables.size(), "variable"));
        const TracedVariable& variable = graph_.variables[op.index];
        return CheckFits(op.arguments[0], variable.type,
                         StrCat("variable '", variable.name, "' is assigned"));
      }
      case TracedOpKind::kIf:
        return CheckIf(op, place);
      case TracedOpKind::kWhile:
        return CheckWhile(op, place);
      case TracedOpKind::kFor:
        return CheckFor(op, place);
      case TracedOpKind::kHostCall:
        TFRT_RETURN_IF_ERROR(CheckIndex(op.index, graph_.callbacks.size(), "callback"));
        if (!op.bodies.empty()) return InvalidArgumentError("a host call has bodies");
        return MakeAll(op.results, place);
      case TracedOpKind::kCall:
        return CheckCall(op, place);
    }
    return InvalidArgumentError("an op of no kind that there is");
  }

  static Status CheckIndex(uint32_t index, size_t size, std::string_view noun) {
    if (index < size) return OkStatus();
    return InvalidArgumentError(StrCat("there is no ", noun, " ", index));
  }
  static Status CheckCounts(const TracedOp& op, std::string_view name, size_t arguments,
                            size_t results, size_t bodies) {
    if (op.arguments.size() == arguments && op.results.size() == results &&
        op.bodies.size() == bodies) {
      return OkStatus();
    }
    return InvalidArgumentError(
        StrCat(name, ": ", op.arguments.size(), " arguments, ", op.results.size(), " results and ",
               op.bodies.size(), " bodies, expected ", arguments, ", ", results, " and ", bodies));
  }
  Status MakeAll(const std::vector<ValueId>& values, std::string_view place) {
    for (ValueId value : values) TFRT_RETURN_IF_ERROR(Make(value, place));
    return OkStatus();
  }
  Status MakeAs(ValueId value, const TracedType& type, std::string_view place) {
    TFRT_RETURN_IF_ERROR(Make(value, place));
    if (known_[value].IsCompatibleWith(ToValueType(type))) return OkStatus();
    return InvalidArgumentError(StrCat("value ", value, " is ", function_->values[value].ToString(),
                                       ", but is made as ", type.ToString()));
  }
  Status CheckFits(ValueId value, const TracedType& type, std::string_view what) const {
    if (known_[value].IsCompatibleWith(ToValueType(type))) return OkStatus();
    return InvalidArgumentError(StrCat(what, " with ", function_->values[value].ToString(),
                                       ", expected ", type.ToString()));
  }
  Status CheckFits(ValueId value, ValueId other, std::string_view what) const {
    return CheckFits(value, function_->values[other], what);
  }
  // One element of that type, as far as is known.
  Status CheckScalar(ValueId value, DType dtype, std::string_view what) const {
    const ValueType& type = known_[value];
    const Dim count = type.shape.has_rank() ? type.shape.num_elements() : Dim();
    if (type.dtype == dtype && (!count.is_known() || count.is(1))) return OkStatus();
    return InvalidArgumentError(StrCat(what, " is ", function_->values[value].ToString(),
                                       ", expected one element of ", DTypeName(dtype)));
  }

  Status CheckTableOp(const TracedOp& op, const std::string& place) {
    const OpSpelling* spelling = FindOpSpelling(op.op);
    if (!spelling) return InvalidArgumentError(StrCat("there is no op '", op.op, "'"));
    if (!op.bodies.empty()) return InvalidArgumentError(StrCat(op.op, " has bodies"));
    const OpDescription& row = *FindOpDescription(spelling->op);
    TFRT_RETURN_IF_ERROR(CheckAttrs(op, row, *spelling));
    std::vector<const ValueType*> arguments;
    for (ValueId value : op.arguments) {
      arguments.push_back(value == kLeftOut ? nullptr : &known_[value]);
    }
    while (!arguments.empty() && !arguments.back()) arguments.pop_back();
    if (op.results.size() != row.results.size()) {
      return InvalidArgumentError(
          StrCat(op.op, " has ", row.results.size(), " results, not ", op.results.size()));
    }
    TFRT_ASSIGN_OR_RETURN(
        std::vector<ValueType> results,
        InferResults(*spelling, arguments, TracedAttrReader(op.attrs), row.results.size()));
    for (size_t i = 0; i < results.size(); ++i) {
      TFRT_RETURN_IF_ERROR(Make(op.results[i], place));
      ValueType& known = known_[op.results[i]];
      if (!known.IsCompatibleWith(results[i])) {
        return InvalidArgumentError(StrCat(op.op, ": the result '", row.results[i], "' is ",
                                           function_->values[op.results[i]].ToString(),
                                           ", but the op makes ", results[i].ToString()));
      }
      if (results[i].elements) known = std::move(results[i]);
    }
    return OkStatus();
  }
  static Status CheckAttrs(const TracedOp& op, const OpDescription& row,
                           const OpSpelling& spelling) {
    const std::vector<OpAttrSpec> specs = SpelledAttrs(row, spelling);
    for (const TracedAttr& attr : op.attrs) {
      if (std::ranges::count(op.attrs, attr.name, &TracedAttr::name) > 1) {
        return InvalidArgumentError(StrCat(op.op, ": the attribute '", attr.name, "' twice"));
      }
      if (std::ranges::find(specs, attr.name, &OpAttrSpec::name) == specs.end()) {
        return InvalidArgumentError(StrCat(op.op, " has no attribute '", attr.name, "'"));
      }
      if (std::holds_alternative<ValueType>(attr.value)) {
        return InvalidArgumentError(StrCat(op.op, ": the attribute '", attr.name,
                                           "' is a tensor, which is to be a constant's"));
      }
    }
    return OkStatus();
  }

  Status CheckIf(const TracedOp& op, const std::string& place) {
    TFRT_RETURN_IF_ERROR(CheckCounts(op, "if", 1, op.results.size(), 2));
    TFRT_RETURN_IF_ERROR(CheckScalar(op.arguments[0], DType::kI1, "the condition of an if"));
    for (const TracedBody& body : op.bodies) {
      if (!body.arguments.empty() || body.results.size() != op.results.size()) {
        return InvalidArgumentError(StrCat("a branch has ", body.arguments.size(),
                                           " arguments and ", body.results.size(),
                                           " results, expected 0 and ", op.results.size()));
      }
      TFRT_RETURN_IF_ERROR(CheckInner(body, place));
      for (size_t i = 0; i < op.results.size(); ++i) {
        if (op.results[i] >= function_->values.size()) continue;  // Make says so
        TFRT_RETURN_IF_ERROR(CheckFits(body.results[i], op.results[i], "a branch ends"));
      }
    }
    return MakeAll(op.results, place);
  }
  // Its errors have their places.
  Status CheckInner(const TracedBody& body, const std::string& place) {
    Status status = CheckBody(body, place);
    has_place_ = !status.ok();
    return status;
  }

  // Those of `count` carried values from number `first` of each list.
  Status CheckCarried(std::span<const ValueId> initial, std::span<const ValueId> arguments,
                      std::span<const ValueId> returned, std::span<const ValueId> results) {
    for (size_t i = 0; i < initial.size(); ++i) {
      const std::string what = StrCat("carried value ", i, " of a loop ");
      TFRT_RETURN_IF_ERROR(CheckFits(initial[i], arguments[i], what + "begins"));
      TFRT_RETURN_IF_ERROR(CheckFits(returned[i], arguments[i], what + "goes on"));
      if (results[i] >= function_->values.size()) continue;
      TFRT_RETURN_IF_ERROR(CheckFits(arguments[i], results[i], what + "ends"));
    }
    return OkStatus();
  }

  Status CheckWhile(const TracedOp& op, const std::string& place) {
    const size_t carried = op.arguments.size();
    TFRT_RETURN_IF_ERROR(
        CheckCounts(op, "while", carried, std::max(carried, op.results.size()), 2));
    for (size_t i = 0; i < 2; ++i) {
      const TracedBody& body = op.bodies[i];
      const size_t results = i == 0 ? 1 : op.results.size();
      if (body.arguments.size() != carried || body.results.size() != results) {
        return InvalidArgumentError(StrCat(i == 0 ? "the condition" : "the body",
                                           " of a while has ", body.arguments.size(),
                                           " arguments and ", body.results.size(),
                                           " results, expected ", carried, " and ", results));
      }
      TFRT_RETURN_IF_ERROR(CheckInner(body, place));
    }
    TFRT_RETURN_IF_ERROR(
        CheckScalar(op.bodies[0].results[0], DType::kI1, "the condition of a while"));
    for (size_t i = 0; i < carried; ++i) {
      TFRT_RETURN_IF_ERROR(CheckFits(op.arguments[i], op.bodies[0].arguments[i],
                                     "the condition of a while is asked"));
    }
    TFRT_RETURN_IF_ERROR(
        CheckCarried(op.arguments, op.bodies[1].arguments, op.bodies[1].results, op.results));
    TFRT_RETURN_IF_ERROR(CheckStacked(op, carried, op.bodies[1]));
    return MakeAll(op.results, place);
  }
  // The results of a loop behind those that it carries.
  Status CheckStacked(const TracedOp& op, size_t carried, const TracedBody& body) const {
    for (size_t i = carried; i < op.results.size(); ++i) {
      if (op.results[i] >= function_->values.size()) continue;
      TracedType row = function_->values[op.results[i]];
      if (row.dims && row.dims->empty()) return InvalidArgumentError("a loop stacks to a scalar");
      if (row.dims) row.dims->erase(row.dims->begin());
      TFRT_RETURN_IF_ERROR(CheckFits(body.results[i], row, "a stacked value ends"));
    }
    return OkStatus();
  }

  Status CheckFor(const TracedOp& op, const std::string& place) {
    const size_t carried = op.index;
    if (op.bodies.size() != 1 || op.arguments.size() < 1 + carried || op.results.size() < carried) {
      return InvalidArgumentError(StrCat("a for with ", op.arguments.size(), " arguments, ",
                                         op.results.size(), " results and ", op.bodies.size(),
                                         " bodies carries ", carried, " values"));
    }
    const size_t scanned = op.arguments.size() - 1 - carried;
    if (op.arguments[0] != kLeftOut) {
      TFRT_RETURN_IF_ERROR(CheckScalar(op.arguments[0], DType::kI64, "the count of a for"));
    } else if (scanned == 0) {
      return InvalidArgumentError("a for has neither a count nor anything to scan");
    }
    const TracedBody& body = op.bodies[0];
    if (body.arguments.size() != op.arguments.size() || body.results.size() != op.results.size()) {
      return InvalidArgumentError(StrCat(
          "the body of a for has ", body.arguments.size(), " arguments and ", body.results.size(),
          " results, expected ", op.arguments.size(), " and ", op.results.size()));
    }
    for (size_t i = 0; i < scanned; ++i) {
      const auto& dims = function_->values[op.arguments[1 + carried + i]].dims;
      if (!dims || !dims->empty()) continue;
      return InvalidArgumentError("a for scans a scalar");
    }
    TFRT_RETURN_IF_ERROR(CheckInner(body, place));
    TFRT_RETURN_IF_ERROR(CheckScalar(body.arguments[0], DType::kI64, "the index of a for"));
    TFRT_RETURN_IF_ERROR(CheckCarried(
        std::span(op.arguments).subspan(1, carried), std::span(body.arguments).subspan(1, carried),
        std::span(body.results).first(carried), std::span(op.results).first(carried)));
    for (size_t i = 0; i < scanned; ++i) {
      TracedType row = function_->values[op.arguments[1 + carried + i]];
      if (row.dims) row.dims->erase(row.dims->begin());
      TFRT_RETURN_IF_ERROR(
          CheckFits(body.arguments[1 + carried + i], row, "the row of a scanned value begins"));
    }
    TFRT_RETURN_IF_ERROR(CheckStacked(op, carried, body));
    return MakeAll(op.results, place);
  }

  Status CheckCall(const TracedOp& op, const std::string& place) {
    TFRT_RETURN_IF_ERROR(CheckIndex(op.index, graph_.functions.size(), "function"));
    if (op.index <= index_) {
      return InvalidArgumentError(StrCat("function ", index_, " calls function ", op.index,
                                         ", but what is called comes behind its callers"));
    }
    const TracedFunction& called = graph_.functions[op.index];
    TFRT_RETURN_IF_ERROR(CheckCounts(op, StrCat("call of '", called.name, "'"),
                                     called.body.arguments.size(), called.body.results.size(), 0));
    for (size_t i = 0; i < op.arguments.size(); ++i) {
      if (called.body.arguments[i] >= called.values.size()) continue;  // said of that function
      TFRT_RETURN_IF_ERROR(CheckFits(op.arguments[i], called.values[called.body.arguments[i]],
                                     StrCat("'", called.name, "' is called")));
    }
    for (size_t i = 0; i < op.results.size(); ++i) {
      if (called.body.results[i] >= called.values.size()) continue;
      TFRT_RETURN_IF_ERROR(MakeAs(op.results[i], called.values[called.body.results[i]], place));
    }
    return OkStatus();
  }

  // Rejects conditions that assign variables: nothing would see the new values.
  Status CheckConditions() const {
    const UseFinder finder(graph_);
    for (const TracedFunction& function : graph_.functions) {
      TFRT_RETURN_IF_ERROR(CheckConditions(function.body, finder));
    }
    return OkStatus();
  }
  Status CheckConditions(const TracedBody& body, const UseFinder& finder) const {
    for (const TracedOp& op : body.ops) {
      for (const TracedBody& inner : op.bodies) {
        TFRT_RETURN_IF_ERROR(CheckConditions(inner, finder));
      }
      if (op.kind != TracedOpKind::kWhile) continue;
      const Uses uses = finder.OfBody(op.bodies[0]);
      for (size_t i = 0; i < graph_.variables.size(); ++i) {
        if (!uses.assigned[i]) continue;
        return InvalidArgumentError(StrCat(PlaceOf(graph_, op.location),
                                           "the condition of a while assigns variable '",
                                           graph_.variables[i].name, "': assign it in the body"));
      }
    }
    return OkStatus();
  }

  enum class State : uint8_t { kNotMade, kSeen, kGone };

  const TracedGraph& graph_;
  const TracedFunction* function_ = nullptr;
  uint32_t index_ = 0;
  std::vector<ValueType> known_;  // by value
  std::vector<State> state_;
  std::vector<ValueId> made_;  // those that are seen
  size_t depth_ = 0;
  bool has_place_ = false;  // the error that is returned names one
};

}  // namespace

Status Verify(const TracedGraph& graph) { return Verifier(graph).Run(); }

}  // namespace tfrt::function
