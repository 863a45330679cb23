// ConcreteFunction: one program of a function, and files of it.

#include <algorithm>
#include <memory>
#include <utility>

#include "program.h"
#include "tfrt/eager/tracer.h"
#include "tfrt/recorded_graph/compiler_service.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/support/write_file.h"

namespace tfrt::function {
namespace {

StatusOr<std::string> TextOf(const RecordedGraph& graph, uint32_t output) {
  TFRT_ASSIGN_OR_RETURN(CompiledBytes text, Compile(Encode(graph), output));
  const std::span<const uint8_t> bytes = text.bytes.bytes();
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

// Reads of the variable become reads of a constant.
void ReplaceReads(RecordedBody& body, uint32_t variable, uint32_t constant) {
  for (RecordedOp& op : body.ops) {
    if (op.kind == RecordedOpKind::kRead && op.index == variable) {
      op.kind = RecordedOpKind::kConstant;
      op.index = constant;
    }
    for (RecordedBody& inner : op.bodies) ReplaceReads(inner, variable, constant);
  }
}

// Calls of host functions, with their lines.
Status CheckCanBeSaved(const Program& program) {
  const CallConvention& convention = program.convention();
  if (convention.callbacks.empty()) return OkStatus();
  const RecordedGraph& graph = program.parts().graph;
  std::string place;
  if (convention.first_callback_location != kNoLocation) {
    const DecodedLocation& location = graph.locations[convention.first_callback_location];
    place = StrCat(location.file, ":", location.line, ": ");
  }
  return FailedPreconditionError(
      StrCat(place, "the function '", program.function(), "' calls '",
             graph.callbacks[convention.callbacks[0]],
             "' of this program by HostCall, which no file can hold; leave the call out of what is "
             "saved, or write it with ops"));
}

}  // namespace

ConcreteFunction::ConcreteFunction(RCReference<Program> program) : program_(std::move(program)) {}
ConcreteFunction::~ConcreteFunction() = default;
ConcreteFunction::ConcreteFunction(const ConcreteFunction&) = default;
ConcreteFunction& ConcreteFunction::operator=(const ConcreteFunction&) = default;

std::span<const bef::SignatureValue> ConcreteFunction::inputs() const {
  return program_->model().inputs();
}
std::span<const bef::SignatureValue> ConcreteFunction::outputs() const {
  return program_->model().outputs();
}
std::string ConcreteFunction::signature() const { return program_->Signature(); }

StatusOr<std::string> ConcreteFunction::Mlir() const {
  return TextOf(program_->parts().graph, TFRT_OUTPUT_GRAPH);
}
StatusOr<std::string> ConcreteFunction::Kernels() const {
  return TextOf(program_->parts().graph, TFRT_OUTPUT_KERNELS);
}
std::span<const uint8_t> ConcreteFunction::Bef() const { return program_->bef(); }

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
  auto is_assigned = [&](uint32_t variable) {
    return std::ranges::find(convention.assigned, variable) != convention.assigned.end();
  };
  auto write = [&](std::span<const uint8_t> bytes) {
    return WriteFile(path, [&](const ByteSink& sink) {
      return sink(bytes.data(), bytes.size()) ? OkStatus() : InternalError("the disk is full");
    });
  };
  if (std::ranges::all_of(convention.variables, is_assigned)) return write(program_->bef());
  // What is only read is a constant of the file.
  RecordedGraph graph = parts.graph;
  std::vector<Tensor> kept;
  for (uint32_t variable : convention.variables) {
    const VariableBinding& binding = parts.variables[variable];
    if (is_assigned(variable) || binding.argument) continue;
    const Tensor& value = kept.emplace_back(binding.captured.Read());
    TFRT_ASSIGN_OR_RETURN(const DenseHostTensor* elements, value.HostElements(Location()));
    RecordedConstant constant;
    constant.type = graph.variables[variable].type;
    constant.data = {static_cast<const uint8_t*>(elements->data()), elements->size_bytes()};
    const auto index = static_cast<uint32_t>(graph.constants.size());
    graph.constants.push_back(std::move(constant));
    for (RecordedFunction& function : graph.functions) {
      ReplaceReads(function.body, variable, index);
    }
  }
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
