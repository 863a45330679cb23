#include "flatten.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "tfrt/support/str_cat.h"
#include "visit.h"

namespace tfrt::function {
namespace {

constexpr size_t kMaxOps = 1 << 20;
constexpr size_t kMaxValues = 1 << 26;
constexpr size_t kMaxDepth = 256;  // of calls in bodies in calls, which are recursions

class Flattener {
 public:
  explicit Flattener(const TracedGraph& graph) : graph_(graph), finder_(graph) {}

  StatusOr<TracedGraph> Run() {
    const TracedFunction& from = graph_.functions[0];
    const CallConvention convention = ConventionOf(graph_);
    out_.constants = graph_.constants;
    out_.callbacks = graph_.callbacks;
    out_.locations = graph_.locations;
    out_.options = graph_.options;
    out_.functions.emplace_back();
    function_ = &out_.functions[0];
    function_->name = from.name;
    function_->num_inputs = from.num_inputs;
    NameArguments(from, convention);

    Frame frame(from);
    variables_.assign(graph_.variables.size(), kLeftOut);
    TracedBody& body = function_->body;
    for (ValueId argument : from.body.arguments) body.arguments.push_back(Make(frame, argument));
    for (uint32_t variable : convention.variables) {
      variables_[variable] = function_->AddValue(graph_.variables[variable].type);
      body.arguments.push_back(variables_[variable]);
    }
    TFRT_RETURN_IF_ERROR(Ops(from.body, frame, &body.ops));
    body.results = Mapped(frame, from.body.results);
    for (uint32_t variable : convention.assigned) body.results.push_back(variables_[variable]);
    return std::move(out_);
  }

 private:
  // State of one call: maps values of a function to those of the flat function.
  struct Frame {
    explicit Frame(const TracedFunction& called)
        : function(called), values(called.values.size(), kLeftOut) {}
    const TracedFunction& function;
    std::vector<ValueId> values;
  };

  void NameArguments(const TracedFunction& from, const CallConvention& convention) {
    function_->argument_names = from.argument_names;
    function_->result_names = from.result_names;
    if (from.argument_names.empty()) {
      for (size_t i = 0; i < from.body.arguments.size(); ++i) {
        function_->argument_names.push_back(StrCat("arg", i));
      }
    }
    if (from.result_names.empty()) {
      for (size_t i = 0; i < from.body.results.size(); ++i) {
        function_->result_names.push_back(StrCat("result", i));
      }
    }
    for (uint32_t variable : convention.variables) {
      function_->argument_names.push_back(StrCat("variable:", graph_.variables[variable].name));
    }
    for (uint32_t variable : convention.assigned) {
      function_->result_names.push_back(StrCat("assigned:", graph_.variables[variable].name));
    }
  }

  ValueId Make(Frame& frame, ValueId value) {
    frame.values[value] = function_->AddValue(frame.function.values[value]);
    return frame.values[value];
  }
  std::vector<ValueId> MakeAll(Frame& frame, std::span<const ValueId> values) {
    std::vector<ValueId> made;
    for (ValueId value : values) made.push_back(Make(frame, value));
    return made;
  }
  static std::vector<ValueId> Mapped(const Frame& frame, std::span<const ValueId> values) {
    std::vector<ValueId> mapped;
    for (ValueId value : values) {
      mapped.push_back(value == kLeftOut ? kLeftOut : frame.values[value]);
    }
    return mapped;
  }

  Status Ops(const TracedBody& from, Frame& frame, std::vector<TracedOp>* ops) {
    if (++depth_ > kMaxDepth) {
      return ResourceExhaustedError(
          StrCat("calls and bodies are more than ", kMaxDepth, " deep in each other"));
    }
    for (const TracedOp& op : from.ops) TFRT_RETURN_IF_ERROR(Op(op, frame, ops));
    --depth_;
    return OkStatus();
  }

  Status Op(const TracedOp& op, Frame& frame, std::vector<TracedOp>* ops) {
    if (++num_ops_ > kMaxOps) {
      return ResourceExhaustedError(StrCat(PlaceOf(graph_, op.location),
                                           "calls of calls make more "
                                           "than ",
                                           kMaxOps, " ops"));
    }
    switch (op.kind) {
      case TracedOpKind::kRead:
        frame.values[op.results[0]] = variables_[op.index];
        return OkStatus();
      case TracedOpKind::kAssign:
        variables_[op.index] = frame.values[op.arguments[0]];
        return OkStatus();
      case TracedOpKind::kCall:
        return Call(op, frame, ops);
      case TracedOpKind::kIf:
        return If(op, frame, ops);
      case TracedOpKind::kWhile:
        return While(op, frame, ops);
      case TracedOpKind::kFor:
        return For(op, frame, ops);
      default:
        break;
    }
    TracedOp copy = Copy(op, frame);
    copy.results = MakeAll(frame, op.results);
    ops->push_back(std::move(copy));
    return OkStatus();
  }
  // Without results and bodies.
  static TracedOp Copy(const TracedOp& op, const Frame& frame) {
    return {.kind = op.kind,
            .op = op.op,
            .index = op.index,
            .arguments = Mapped(frame, op.arguments),
            .attrs = op.attrs,
            .location = op.location};
  }

  Status Call(const TracedOp& op, Frame& frame, std::vector<TracedOp>* ops) {
    const TracedFunction& called = graph_.functions[op.index];
    num_values_ += called.values.size();
    if (num_values_ > kMaxValues) {
      return ResourceExhaustedError(StrCat(
          PlaceOf(graph_, op.location), "calls of calls have more than ", kMaxValues, " values"));
    }
    Frame inner(called);
    for (size_t i = 0; i < op.arguments.size(); ++i) {
      inner.values[called.body.arguments[i]] = frame.values[op.arguments[i]];
    }
    TFRT_RETURN_IF_ERROR(Ops(called.body, inner, ops));
    for (size_t i = 0; i < op.results.size(); ++i) {
      frame.values[op.results[i]] = inner.values[called.body.results[i]];
    }
    return OkStatus();
  }

  std::vector<uint32_t> AssignedIn(const TracedOp& op) const {
    const Uses uses = finder_.OfOp(op);
    std::vector<uint32_t> assigned;
    for (uint32_t i = 0; i < uses.assigned.size(); ++i) {
      if (uses.assigned[i]) assigned.push_back(i);
    }
    return assigned;
  }
  std::vector<ValueId> ValuesOf(std::span<const uint32_t> variables) const {
    std::vector<ValueId> values;
    for (uint32_t variable : variables) values.push_back(variables_[variable]);
    return values;
  }
  // Each variable is a new value, which the body gets or the op makes.
  std::vector<ValueId> Renew(std::span<const uint32_t> variables) {
    std::vector<ValueId> values;
    for (uint32_t variable : variables) {
      variables_[variable] = function_->AddValue(graph_.variables[variable].type);
      values.push_back(variables_[variable]);
    }
    return values;
  }
  static void Insert(std::vector<ValueId>* values, size_t at, const std::vector<ValueId>& more) {
    values->insert(values->begin() + static_cast<std::ptrdiff_t>(at), more.begin(), more.end());
  }

  Status If(const TracedOp& op, Frame& frame, std::vector<TracedOp>* ops) {
    const std::vector<uint32_t> assigned = AssignedIn(op);
    TracedOp copy = Copy(op, frame);
    const std::vector<ValueId> before = variables_;
    for (const TracedBody& from : op.bodies) {
      TracedBody& body = copy.bodies.emplace_back();
      TFRT_RETURN_IF_ERROR(Ops(from, frame, &body.ops));
      body.results = Mapped(frame, from.results);
      Insert(&body.results, body.results.size(), ValuesOf(assigned));
      variables_ = before;
    }
    copy.results = MakeAll(frame, op.results);
    Insert(&copy.results, copy.results.size(), Renew(assigned));
    ops->push_back(std::move(copy));
    return OkStatus();
  }

  // The body of a loop, with the variables behind `carried_end` of its arguments and `results_end`
  // of its results; none of the latter if it is a condition.
  Status LoopBody(const TracedBody& from, Frame& frame, std::span<const uint32_t> assigned,
                  size_t arguments_end, size_t results_end, bool is_condition, TracedBody* body) {
    const std::vector<ValueId> before = variables_;
    body->arguments = MakeAll(frame, from.arguments);
    Insert(&body->arguments, arguments_end, Renew(assigned));
    TFRT_RETURN_IF_ERROR(Ops(from, frame, &body->ops));
    body->results = Mapped(frame, from.results);
    if (!is_condition) Insert(&body->results, results_end, ValuesOf(assigned));
    variables_ = before;
    return OkStatus();
  }

  Status While(const TracedOp& op, Frame& frame, std::vector<TracedOp>* ops) {
    const std::vector<uint32_t> assigned = AssignedIn(op);
    const size_t carried = op.arguments.size();
    TracedOp copy = Copy(op, frame);
    Insert(&copy.arguments, carried, ValuesOf(assigned));
    copy.bodies.resize(2);
    for (size_t i = 0; i < 2; ++i) {
      TFRT_RETURN_IF_ERROR(
          LoopBody(op.bodies[i], frame, assigned, carried, carried, i == 0, &copy.bodies[i]));
    }
    copy.results = MakeAll(frame, op.results);
    Insert(&copy.results, carried, Renew(assigned));
    ops->push_back(std::move(copy));
    return OkStatus();
  }

  Status For(const TracedOp& op, Frame& frame, std::vector<TracedOp>* ops) {
    const std::vector<uint32_t> assigned = AssignedIn(op);
    const size_t carried = op.index;
    TracedOp copy = Copy(op, frame);
    copy.index += static_cast<uint32_t>(assigned.size());
    Insert(&copy.arguments, 1 + carried, ValuesOf(assigned));
    copy.bodies.resize(1);
    TFRT_RETURN_IF_ERROR(LoopBody(op.bodies[0], frame, assigned, 1 + carried, carried,
                                  /*is_condition=*/false, &copy.bodies[0]));
    copy.results = MakeAll(frame, op.results);
    Insert(&copy.results, carried, Renew(assigned));
    ops->push_back(std::move(copy));
    return OkStatus();
  }

  const TracedGraph& graph_;
  const UseFinder finder_;
  TracedGraph out_;
  TracedFunction* function_ = nullptr;
  std::vector<ValueId> variables_;  // their values where the walk is
  size_t num_ops_ = 0;
  size_t num_values_ = 0;
  size_t depth_ = 0;
};

}  // namespace

StatusOr<TracedGraph> Flatten(const TracedGraph& graph) { return Flattener(graph).Run(); }

}  // namespace tfrt::function
