// Gradients of functions: the loss is traced as a function of its own, and what the gradients of
// its traced graph are is put in the trace in its place.

#include "tfrt/function/gradients.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "call_type.h"
#include "function_impl.h"
#include "function_tracer.h"
#include "lib/api/eager/tracer.h"
#include "lib/base/support/api_names.h"
#include "lib/format/traced_graph/gradients/gradients.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::function {
namespace {

using Kind = Argument::Kind;

// Names a value for which a call computes gradients: a place among its arguments, or one of the
// options' variables.
struct Source {
  std::optional<size_t> argument = std::nullopt;
  size_t variable = 0;
};

// A gradient function that is not traced yet.
struct GradTask {
  std::string name;
  AnyFunction::Body loss;
  GradOptions what;
  bool with_value;
  FunctionOptions options;
  std::vector<size_t> parameter_sizes;
  Location where;
  // Where calls run eagerly: gradients are not computed otherwise than by a trace. Its body is
  // called while it is traced, by calls that keep the task.
  std::optional<AnyFunction> traced = std::nullopt;

  Status Wrong(std::string_view message) const {
    return eager::ErrorAt(where, StrCat("function '", name, "'"), InvalidArgumentError(message));
  }
};

// The places of each parameter of a call, of tensors alone where it is a list.
std::vector<std::vector<size_t>> PlacesOf(const GradTask& task,
                                          std::span<const Argument> arguments) {
  std::vector<std::vector<size_t>> parameters;
  for (size_t next = 0; next < arguments.size();) {
    std::vector<size_t>& places = parameters.emplace_back();
    const size_t parameter = parameters.size() - 1;
    size_t size = parameter < task.parameter_sizes.size() ? task.parameter_sizes[parameter] : 1;
    if (arguments[next].kind == Kind::kList) size = arguments[next++].bits;
    for (size_t i = 0; i < size && next < arguments.size(); ++i) places.push_back(next++);
  }
  return parameters;
}

StatusOr<std::vector<Source>> SourcesOf(const GradTask& task, std::span<const Argument> arguments) {
  const std::vector<std::vector<size_t>> parameters = PlacesOf(task, arguments);
  std::vector<Source> sources;
  for (size_t parameter : task.what.arguments) {
    if (parameter >= parameters.size()) {
      return task.Wrong(StrCat("the gradient for argument ", parameter, " of a function that has ",
                               parameters.size()));
    }
    for (size_t place : parameters[parameter]) sources.push_back({.argument = place});
  }
  for (size_t i = 0; i < task.what.variables.size(); ++i) sources.push_back({.variable = i});
  return sources;
}

Status NoGradient(const GradTask& task, const std::string& name, const std::string& type) {
  return task.Wrong(StrCat("the gradient for ", name, ", which is ", type,
                           ": only tensors and variables of floats have one; leave it out of what "
                           "the gradient is for"));
}

class GradTrace {
 public:
  GradTrace(const GradTask& task, FunctionTracer& outer, std::span<const Argument> arguments,
            Location where)
      : task_(task),
        outer_(outer),
        where_(where),
        arguments_(arguments.begin(), arguments.end()),
        inner_(task.name, outer.builder(), &outer) {}

  StatusOr<std::vector<Tensor>> Run() {
    TFRT_ASSIGN_OR_RETURN(sources_, SourcesOf(task_, arguments_));
    TFRT_RETURN_IF_ERROR(TraceLoss());
    TracedGraph graph;
    TFRT_RETURN_IF_ERROR(MakeGraph(&graph));
    GradientOptions options{.with_results = task_.with_value};
    for (const Input& input : inputs_) {
      (input.variable ? options.variables : options.arguments).push_back(input.number);
    }
    TFRT_ASSIGN_OR_RETURN(TracedGraph gradient, GradientOf(graph, options));
    return PutInPlace(ConventionOf(graph), std::move(gradient));
  }

 private:
  // Holds the facts of a source that GradientOf needs.
  struct Input {
    bool variable = false;
    uint32_t number = 0;  // of the argument or variable
    ValueType type = {};  // in the trace around
  };

  Status TraceLoss();
  Status AddTensor(size_t place);
  Status AddVariable(const Variable& variable, const std::string& name);
  Status CheckLoss(std::span<const Tensor> results);
  Status MakeGraph(TracedGraph* graph);
  Status AddOuterValues(TracedGraph* graph);
  StatusOr<std::vector<Tensor>> PutInPlace(const CallConvention& convention, TracedGraph made);

  const GradTask& task_;
  FunctionTracer& outer_;
  const Location where_;
  std::vector<Argument> arguments_;  // what the loss gets
  FunctionTracer inner_;
  std::vector<Source> sources_;
  std::vector<Input> inputs_;                          // by source
  std::vector<std::pair<size_t, uint32_t>> is_input_;  // places that are inputs already
  std::vector<ValueId> values_;                        // of the graph's arguments, around
  size_t num_results_ = 0;                             // of the loss
  std::vector<ValueType> result_types_;
};

Status GradTrace::AddTensor(size_t place) {
  const std::string name = StrCat("argument ", ArgumentName(task_.options.argument_names, place));
  Argument& argument = arguments_[place];
  if (argument.kind == Kind::kVariable) return AddVariable(*argument.variable, name);
  if (argument.kind != Kind::kTensor) {
    return NoGradient(task_, name, "a value of the program, fixed when the function is traced");
  }
  for (const auto& [other, number] : is_input_) {
    if (other != place) continue;
    inputs_.push_back(inputs_[number]);
    return OkStatus();
  }
  TFRT_ASSIGN_OR_RETURN(ValueId value, outer_.ValueOf(argument.AsTensor(where_), where_));
  ValueType type = outer_.TypeOf(value);
  if (!IsFloat(type.dtype)) return NoGradient(task_, name, type.ToString());
  is_input_.emplace_back(place, static_cast<uint32_t>(inputs_.size()));
  inputs_.push_back({.number = static_cast<uint32_t>(values_.size()), .type = type});
  values_.push_back(value);
  argument = Argument::Of(TensorArgument(
      inner_.AddArgument(inner_.TypeOf(TracedTypeOf(type)),
                         ArgumentName(task_.options.argument_names, place), where_)));
  return OkStatus();
}

Status GradTrace::AddVariable(const Variable& variable, const std::string& name) {
  TFRT_ASSIGN_OR_RETURN(const TensorMetadata metadata, variable.metadata());
  const uint32_t number = outer_.builder().AddVariable(variable, metadata);
  ValueType type = outer_.TypeOf(outer_.builder().graph.variables[number].type);
  if (!IsFloat(type.dtype)) return NoGradient(task_, name, type.ToString());
  inputs_.push_back({.variable = true, .number = number, .type = std::move(type)});
  return OkStatus();
}

Status GradTrace::TraceLoss() {
  // Inputs come before all else.
  for (const Source& source : sources_) {
    if (source.argument) {
      TFRT_RETURN_IF_ERROR(AddTensor(*source.argument));
      continue;
    }
    const Variable& variable = task_.what.variables[source.variable];
    if (!variable.valid()) {
      return task_.Wrong(StrCat("variable ", source.variable, " is none; has it been moved from?"));
    }
    TFRT_RETURN_IF_ERROR(AddVariable(variable, StrCat("variable ", source.variable)));
  }
  const eager::ScopeView around = eager::CurrentScopeView();
  eager::TracerScope scope(*around.context, &inner_, around.device);
  // So that the loss uses it.
  for (const Input& input : inputs_) {
    if (input.variable) (void)inner_.Read(outer_.builder().variables[input.number]);
  }
  StatusOr<std::vector<Tensor>> made = task_.loss(arguments_);
  TFRT_RETURN_IF_ERROR(inner_.failure());
  if (!made.ok()) return made.status();
  TFRT_RETURN_IF_ERROR(CheckLoss(*made));
  TFRT_RETURN_IF_ERROR(inner_.Finish(*made));
  num_results_ = made->size();
  for (const ValueType& type : inner_.result_types()) {
    result_types_.push_back(outer_.TypeOf(TracedTypeOf(type)));
  }
  return OkStatus();
}

Status GradTrace::CheckLoss(std::span<const Tensor> results) {
  if (results.empty()) return task_.Wrong("it returns nothing: the loss is its first result");
  TFRT_ASSIGN_OR_RETURN(ValueId value, inner_.ValueOf(results[0], where_));
  const ValueType& type = inner_.TypeOf(value);
  const Dim count = type.shape.has_rank() ? type.shape.num_elements() : Dim();
  if (IsFloat(type.dtype) && count.is(1)) return OkStatus();
  const eager::TracedValue* traced = eager::TracedValueOf(results[0]);
  const Status error = InvalidArgumentError(
      StrCat("the loss of '", task_.name, "' is ", type.ToString(), ", but must be one float: ",
             IsFloat(type.dtype) ? StrCat("reduce it with ", api_names.mean, " or ", api_names.sum)
                                 : StrCat(api_names.cast, " what it is made of")));
  if (!traced) return eager::ErrorAt(task_.where, "the loss", error);
  return eager::ErrorAt(traced->where, traced->made_by, error);
}

// Arguments for what the loss takes from around it; constants where rules may ask for the elements:
// axes, say.
Status GradTrace::AddOuterValues(TracedGraph* graph) {
  TracedFunction& function = graph->functions[0];
  std::vector<ValueId>& arguments = function.body.arguments;
  const size_t num_inputs = values_.size();
  std::vector<TracedOp> constants;
  for (size_t i = 0; i < inner_.outer_values().size(); ++i) {
    const ValueId inside = arguments[num_inputs + i];
    TFRT_ASSIGN_OR_RETURN(ValueId value, outer_.ValueOf(inner_.outer_values()[i], where_));
    const ValueType& type = outer_.TypeOf(value);
    const bool is_known = type.elements && std::ranges::all_of(*type.elements, &Dim::is_known) &&
                          (type.dtype == DType::kI32 || type.dtype == DType::kI64);
    if (!is_known) {
      arguments[values_.size()] = inside;
      values_.push_back(value);
      continue;
    }
    auto bytes = std::make_shared<std::vector<uint8_t>>();
    for (Dim element : *type.elements) {
      const int64_t number = element.value();
      const auto narrow = static_cast<int32_t>(number);
      const void* from = &number;
      if (type.dtype == DType::kI32) from = &narrow;
      const size_t size = type.dtype == DType::kI32 ? sizeof(narrow) : sizeof(number);
      bytes->resize(bytes->size() + size);
      std::memcpy(bytes->data() + bytes->size() - size, from, size);
    }
    constants.push_back({.kind = TracedOpKind::kConstant,
                         .index = static_cast<uint32_t>(graph->constants.size()),
                         .results = {inside}});
    graph->constants.push_back(
        {.type = TracedTypeOf(type), .owner = bytes, .data = std::span(*bytes)});
  }
  arguments.resize(values_.size());
  function.body.ops.insert(function.body.ops.begin(), constants.begin(), constants.end());
  return OkStatus();
}

Status GradTrace::MakeGraph(TracedGraph* graph) {
  *graph = outer_.builder().graph;
  SortFunctions(*graph, inner_.index());
  graph->functions[0].argument_names.clear();
  return AddOuterValues(graph);
}

StatusOr<std::vector<Tensor>> GradTrace::PutInPlace(const CallConvention& convention,
                                                    TracedGraph made) {
  ProgramBuilder& builder = outer_.builder();
  builder.graph.constants = std::move(made.constants);  // more than there were
  for (uint32_t variable : convention.variables) {
    TFRT_ASSIGN_OR_RETURN(ValueId value,
                          outer_.ValueOf(outer_.Read(builder.variables[variable]), where_));
    values_.push_back(value);
  }
  const std::vector<ValueId> results = outer_.Inline(made.functions[0], values_);
  std::vector<Tensor> tensors;
  size_t next = 0;
  for (size_t i = 0; task_.with_value && i < num_results_; ++i) {
    tensors.push_back(
        outer_.TensorLike(results[next++], result_types_[i], "a result of the loss", where_));
  }
  const size_t num_values = tensors.size();
  const auto num_arguments = static_cast<size_t>(
      std::ranges::count(inputs_, false, [](const Input& input) { return input.variable; }));
  size_t next_argument = num_values, next_variable = num_values + num_arguments;
  for (const Input& input : inputs_) {
    const ValueId value = results[input.variable ? next_variable++ : next_argument++];
    tensors.push_back(outer_.TensorLike(value, input.type, "a gradient", where_));
  }
  next += inputs_.size();
  for (uint32_t variable : convention.assigned) {
    outer_.Assign(builder.variables[variable], results[next++], where_);
  }
  return tensors;
}

StatusOr<std::vector<Tensor>> CallGrad(const GradTask& task, std::span<const Argument> arguments) {
  if (FunctionTracer* tracer = CurrentFunctionTracer()) {
    return GradTrace(task, *tracer, arguments, task.where).Run();
  }
  StanceScope traced(Stance::kDefault);
  std::vector<Argument> again(arguments.begin(), arguments.end());
  AnyFunction::CallResult made = task.traced->CallForAll(again, task.where);
  TFRT_RETURN_IF_ERROR(made.status);
  for (const Tensor& tensor : made.tensors) {
    if (tensor.IsError()) return tensor.status();
  }
  return std::move(made.tensors);
}

}  // namespace

AnyFunction MakeGradFunction(std::string name, AnyFunction::Body loss, GradOptions what,
                             bool with_value, FunctionOptions options,
                             std::vector<size_t> parameter_sizes, Location where) {
  if (what.arguments.empty() && what.variables.empty()) what.arguments = {0};
  options.run_eagerly = false;
  auto task =
      std::make_shared<GradTask>(GradTask{name, std::move(loss), std::move(what), with_value,
                                          options, std::move(parameter_sizes), where});
  FunctionOptions of_traced = options;
  of_traced.when_full = WhenFull::kEvict;
  task->traced.emplace(
      name,
      [task = task.get()](std::span<const Argument> arguments) {
        return CallGrad(*task, arguments);
      },
      std::move(of_traced), where);
  return AnyFunction(
      std::move(name),
      [task](std::span<const Argument> arguments) { return CallGrad(*task, arguments); },
      std::move(options), where);
}

AnyFunction::Body BodyOf(const AnyFunction& function) {
  return [function](std::span<const Argument> arguments) -> StatusOr<std::vector<Tensor>> {
    std::vector<Argument> again(arguments.begin(), arguments.end());
    std::vector<Tensor> made = function.Call(again);
    for (const Tensor& tensor : made) {
      if (!tensor.is_traced()) TFRT_RETURN_IF_ERROR(tensor.status());
    }
    return made;
  };
}

}  // namespace tfrt::function
