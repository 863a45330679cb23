#include "gradients.h"

#include <algorithm>
#include <string>
#include <utility>

#include "activity.h"
#include "differentiator.h"
#include "lib/format/traced_graph/flatten.h"
#include "lib/format/traced_graph/visit.h"
#include "tfrt/support/str_cat.h"
#include "traced_function_builder.h"

namespace tfrt::function {
namespace {

// Returns the values for which gradients are computed, as places among the arguments of the flat
// function.
StatusOr<std::vector<size_t>> FindSources(const TracedGraph& graph, const TracedFunction& flat,
                                          const GradientOptions& options) {
  const CallConvention convention = ConventionOf(graph);
  const size_t num_arguments = graph.functions[0].body.arguments.size();
  std::vector<size_t> sources;
  for (uint32_t argument : options.arguments) {
    if (argument >= num_arguments) {
      return InvalidArgumentError(StrCat("the gradient for argument ", argument, " of '",
                                         graph.functions[0].name, "', which has ", num_arguments));
    }
    sources.push_back(argument);
  }
  for (uint32_t variable : options.variables) {
    auto found = std::ranges::find(convention.variables, variable);
    if (found == convention.variables.end()) {
      return InvalidArgumentError(StrCat(
          "the gradient for variable ",
          variable < graph.variables.size() ? graph.variables[variable].name : StrCat(variable),
          ", which '", graph.functions[0].name, "' does not use"));
    }
    sources.push_back(num_arguments + static_cast<size_t>(found - convention.variables.begin()));
  }
  for (size_t source : sources) {
    const TracedType& type = flat.values[flat.body.arguments[source]];
    if (IsFloat(type.dtype)) continue;
    return InvalidArgumentError(StrCat("the gradient for '", flat.argument_names[source],
                                       "', which is ", type.ToString(), ": only floats have one"));
  }
  return sources;
}

Status CheckLoss(const TracedGraph& graph, const GradientOptions& options) {
  const TracedFunction& function = graph.functions[0];
  if (options.loss >= function.body.results.size()) {
    return InvalidArgumentError(StrCat("the gradient of result ", options.loss, " of '",
                                       function.name, "', which has ",
                                       function.body.results.size()));
  }
  const TracedType& type = function.values[function.body.results[options.loss]];
  bool is_one = true;
  if (type.dims) {
    for (int64_t size : *type.dims) is_one = is_one && (size == 1 || size == -1);
  }
  if (IsFloat(type.dtype) && is_one) return OkStatus();
  return InvalidArgumentError(StrCat("the gradient of a result of '", function.name, "' that is ",
                                     type.ToString(), ": it must be a float of one element"));
}

}  // namespace

StatusOr<TracedGraph> GradientOf(const TracedGraph& graph, const GradientOptions& options) {
  TFRT_RETURN_IF_ERROR(CheckLoss(graph, options));
  TFRT_ASSIGN_OR_RETURN(TracedGraph flat, Flatten(graph));
  const TracedFunction& from = flat.functions[0];
  TFRT_ASSIGN_OR_RETURN(std::vector<size_t> sources, FindSources(graph, from, options));
  TracedGraph out;
  out.constants = flat.constants;
  out.callbacks = flat.callbacks;
  out.locations = flat.locations;
  out.options = flat.options;
  TracedFunction& to = out.functions.emplace_back();
  to.name = StrCat("gradient of ", from.name);
  to.num_inputs = from.num_inputs;
  to.argument_names = from.argument_names;

  std::vector<ValueId> wanted;
  for (size_t source : sources) wanted.push_back(from.body.arguments[source]);
  const std::vector<bool> active = FindActive(from, wanted);
  TracedFunctionBuilder builder(&out);
  builder.SetOps(&to.body.ops);
  Differentiator differentiator(from, active, &builder);
  for (ValueId argument : from.body.arguments) {
    to.body.arguments.push_back(builder.AddValue(from.values[argument]));
    differentiator.SetNow(argument, to.body.arguments.back());
  }
  differentiator.Emit(from.body, /*repeats=*/false);
  Differentiator::Gradients gradients;
  const ValueId loss = from.body.results[options.loss];
  builder.SetLocation(kNoLocation);
  if (builder.status().ok() && active[loss]) {
    const ValueId now = differentiator.Now(loss), one = builder.Number(from.values[loss].dtype, 1);
    const ValueType& type = builder.TypeOf(now);
    const bool is_scalar = type.shape.has_rank() && type.shape.rank() == 0;
    gradients[loss] = is_scalar ? one : builder.Add(builder.ZerosLike(now), one);
    differentiator.Backward(from.body, &gradients);
  }
  const size_t num_results = graph.functions[0].body.results.size();
  for (size_t i = 0; options.with_results && i < num_results; ++i) {
    to.body.results.push_back(differentiator.Now(from.body.results[i]));
    to.result_names.push_back(from.result_names[i]);
  }
  for (size_t source : sources) {
    to.body.results.push_back(differentiator.GradientOr0(gradients, from.body.arguments[source]));
    // A gradient of a gradient has one of that name already.
    std::string name = StrCat("gradient:", from.argument_names[source]);
    while (std::ranges::find(from.result_names, name) != from.result_names.end()) {
      name = StrCat("gradient:", name);
    }
    to.result_names.push_back(std::move(name));
  }
  for (size_t i = num_results; i < from.body.results.size(); ++i) {
    to.body.results.push_back(differentiator.Now(from.body.results[i]));
    to.result_names.push_back(from.result_names[i]);
  }
  if (!builder.status().ok()) return builder.status();
  return out;
}

}  // namespace tfrt::function
