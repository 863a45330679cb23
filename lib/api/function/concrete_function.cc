// ConcreteFunction: one program of a function, and files of it.

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "lib/api/eager/tracer.h"
#include "lib/base/support/api_names.h"
#include "lib/format/traced_graph/compiler_service.h"
#include "lib/format/traced_graph/flatten.h"
#include "program.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/support/write_file.h"

namespace tfrt::function {
namespace {

StatusOr<std::string> TextOf(const TracedGraph& graph, uint32_t output) {
  TFRT_ASSIGN_OR_RETURN(CompiledBytes text, Compile(Encode(graph), output));
  const std::span<const uint8_t> bytes = text.bytes.bytes();
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

// The values that the variables which are no arguments have at one time: no update of several lies
// between two of them.
std::vector<Tensor> PresentValues(const ProgramParts& parts, const CallConvention& convention) {
  std::vector<Variable> captured;
  for (uint32_t variable : convention.variables) {
    const VariableBinding& binding = parts.variables[variable];
    if (!binding.argument) captured.push_back(binding.captured);
  }
  std::vector<Variable::Use> uses;
  for (Variable& variable : captured) uses.push_back({.variable = &variable});
  std::vector<Tensor> present;
  (void)Variable::UpdateTogether(uses, [&](std::span<const Tensor> values) {
    present.assign(values.begin(), values.end());
    return std::vector<Tensor>();
  });
  return present;
}

// The graph as one function that begins with the values of what it has captured, in place of its
// last arguments.
StatusOr<TracedGraph> WithValues(const ProgramParts& parts, const CallConvention& convention,
                                 std::span<const Tensor> captured) {
  TFRT_ASSIGN_OR_RETURN(TracedGraph graph, Flatten(parts.graph));
  TracedFunction& main = graph.functions[0];
  std::vector<ValueId>& arguments = main.body.arguments;
  std::vector<TracedOp> values;
  size_t place = arguments.size() - convention.variables.size();
  auto value = captured.begin();
  for (uint32_t variable : convention.variables) {
    if (parts.variables[variable].argument) {
      ++place;
      continue;
    }
    TFRT_ASSIGN_OR_RETURN(const DenseHostTensor* elements, (value++)->HostElements(Location()));
    TracedOp& op = values.emplace_back();
    op.kind = TracedOpKind::kConstant;
    op.index = static_cast<uint32_t>(graph.constants.size());
    op.results = {arguments[place]};
    TracedConstant& constant = graph.constants.emplace_back();
    constant.type = parts.graph.variables[variable].type;
    constant.data = {static_cast<const uint8_t*>(elements->data()), elements->size_bytes()};
    arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(place));
    main.argument_names.erase(main.argument_names.begin() + static_cast<std::ptrdiff_t>(place));
  }
  main.body.ops.insert(main.body.ops.begin(), std::make_move_iterator(values.begin()),
                       std::make_move_iterator(values.end()));
  return graph;
}

// Calls of host functions, with their lines.
Status CheckCanBeSaved(const Program& program) {
  const CallConvention& convention = program.convention();
  if (convention.callbacks.empty()) return OkStatus();
  const TracedGraph& graph = program.parts().graph;
  std::string place;
  if (convention.first_callback_location != kNoLocation) {
    const DecodedLocation& location = graph.locations[convention.first_callback_location];
    place = StrCat(location.file, ":", location.line, ": ");
  }
  return FailedPreconditionError(StrCat(
      place, "the function '", program.function(), "' calls '",
      graph.callbacks[convention.callbacks[0]], "' of this program by ", api_names.host_call,
      ", which no file can hold; leave the call out of what is saved, or write it with ops"));
}

}  // namespace

ConcreteFunction::ConcreteFunction(RCReference<Program> program) : program_(std::move(program)) {}
ConcreteFunction::~ConcreteFunction() = default;
ConcreteFunction::ConcreteFunction(const ConcreteFunction&) = default;
ConcreteFunction& ConcreteFunction::operator=(const ConcreteFunction&) = default;

std::span<const bef::SignatureValue> ConcreteFunction::inputs() const& {
  return program_->model().inputs();
}
std::span<const bef::SignatureValue> ConcreteFunction::outputs() const& {
  return program_->model().outputs();
}
std::string ConcreteFunction::signature() const { return program_->Signature(); }

StatusOr<std::string> ConcreteFunction::Mlir() const {
  return TextOf(program_->parts().graph, TFRT_OUTPUT_GRAPH);
}
StatusOr<std::string> ConcreteFunction::Kernels() const {
  return TextOf(program_->parts().graph, TFRT_OUTPUT_KERNELS);
}
std::span<const uint8_t> ConcreteFunction::Bef() const& { return program_->bef(); }

std::vector<std::string> ConcreteFunction::Captures() const {
  std::vector<std::string> lines;
  for (const Capture& capture : program_->parts().captures) {
    lines.push_back(
        StrCat(capture.kind == Capture::Kind::kVariable ? "variable " : "", capture.type));
    if (!capture.where) continue;
    const DecodedLocation place = capture.where.Decode();
    lines.back() += StrCat(" (", place.file, ":", place.line, ")");
  }
  return lines;
}

std::vector<PassCounts> ConcreteFunction::Passes() const {
  return program_->parts().compiled.passes;
}

Status ConcreteFunction::Save(const std::string& path) const {
  TFRT_RETURN_IF_ERROR(CheckCanBeSaved(*program_));
  const ProgramParts& parts = program_->parts();
  const CallConvention& convention = program_->convention();
  auto write = [&](std::span<const uint8_t> bytes) {
    return WriteFile(path, [&](const ByteSink& sink) {
      return sink(bytes.data(), bytes.size()) ? OkStatus() : InternalError("the disk is full");
    });
  };
  const bool has_captured = std::ranges::any_of(
      convention.variables, [&](uint32_t variable) { return !parts.variables[variable].argument; });
  if (!has_captured) return write(program_->bef());
  const std::vector<Tensor> captured = PresentValues(parts, convention);
  TFRT_ASSIGN_OR_RETURN(TracedGraph graph, WithValues(parts, convention, captured));
  TFRT_RETURN_IF_ERROR(Verify(graph));
  TFRT_ASSIGN_OR_RETURN(CompiledBytes compiled, Compile(Encode(graph), TFRT_OUTPUT_BEF));
  return write(compiled.bytes.bytes());
}

StatusOr<std::vector<Tensor>> ConcreteFunction::Call(std::span<Argument> arguments,
                                                     Location where) const {
  auto located = [&](const Status& error) {
    return eager::ErrorAt(where, StrCat("function '", program_->function(), "'"), error);
  };
  const eager::ScopeView scope = eager::CurrentScopeView();
  if (!scope.context) {
    return located(FailedPreconditionError("this thread has no tfrt::eager::Scope"));
  }
  if (eager::CurrentTracer()) {
    return located(FailedPreconditionError(
        "a program is no part of a trace; call the function that it is of"));
  }
  TFRT_RETURN_IF_ERROR(scope.status);
  if (scope.context_id != program_->type().context) {
    return located(InvalidArgumentError(StrCat("the program ", program_->Signature(),
                                               " is one of another context than the scope's")));
  }
  CallKey key;
  Status status = AddArguments(arguments, scope.context_id, false, &key);
  if (!status.ok()) return located(status);
  const bool by_identity = std::ranges::any_of(
      program_->type().arguments, [](const ArgumentType& type) { return type.id != nullptr; });
  CallType type{scope.context_id, scope.device_number, std::string(scope.device), {}};
  TFRT_ASSIGN_OR_RETURN(type.arguments, TypesOf(arguments, by_identity));
  if (!program_->type().Admits(type) || program_->HasAliases(arguments)) {
    std::string given;
    for (const ArgumentType& argument : type.arguments) {
      given += StrCat(given.empty() ? "" : ", ", argument.ToString());
    }
    return located(InvalidArgumentError(
        StrCat("the program ", program_->Signature(), " was called with (", given,
               type.device != program_->type().device ? "), and on another device" : ")")));
  }
  std::vector<Tensor> results(program_->num_results());
  TFRT_RETURN_IF_ERROR(program_->Call(arguments, results, where));
  return results;
}

}  // namespace tfrt::function
