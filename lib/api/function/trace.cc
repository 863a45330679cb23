// Traces: from a C++ function to a compiled program.

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <utility>

#include "function_impl.h"
#include "lib/base/support/api_names.h"
#include "lib/format/traced_graph/compiler_service.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/support/write_file.h"

namespace tfrt::function {
namespace {

using Kind = Argument::Kind;

constexpr size_t kMaxDepth = 64;  // of functions that call functions, in a trace

uint64_t Now() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

// Returns the words on which a trace of a function inside a function depends.
std::vector<uint64_t> WordsOf(const FunctionImpl* function, std::span<const ArgumentType> types) {
  CallKey key;
  key.Add(function->id());  // not its address: a later function may have that
  for (const ArgumentType& type : types) {
    key.Add(static_cast<uint64_t>(type.kind) | static_cast<uint64_t>(type.dtype) << 8 |
            uint64_t{type.tag} << 16 | uint64_t{type.dims.has_value()} << 24);
    key.Add(type.dims ? type.dims->size() : 0);
    if (type.dims) {
      for (int64_t dim : *type.dims) key.Add(static_cast<uint64_t>(dim));
    }
    key.Add(type.bits);
    key.AddText(type.text);
    key.Add(reinterpret_cast<uintptr_t>(type.id));
  }
  return {key.words().begin(), key.words().end()};
}

// The functions that this thread traces now.
thread_local std::vector<std::vector<uint64_t>> traced_now;

class TracedNow {
 public:
  // Not OK: it is among them already.
  static Status Check(const std::vector<uint64_t>& words, const std::string& name) {
    if (std::ranges::find(traced_now, words) != traced_now.end()) {
      return FailedPreconditionError(
          StrCat("the function '", name,
                 "' calls itself with arguments of the same types while it "
                 "is traced, which would never end; use ",
                 api_names.while_loop, ", or ", api_names.fixed_argument, " that counts down"));
    }
    if (traced_now.size() < kMaxDepth) return OkStatus();
    return ResourceExhaustedError(
        StrCat("functions call each other ", kMaxDepth, " deep while they are traced"));
  }
  explicit TracedNow(std::vector<uint64_t> words) { traced_now.push_back(std::move(words)); }
  ~TracedNow() { traced_now.pop_back(); }
  TracedNow(const TracedNow&) = delete;
  TracedNow& operator=(const TracedNow&) = delete;
};

ValueType ValueTypeOf(const ArgumentType& type, FunctionTracer& tracer) {
  ValueType value{type.dtype};
  if (!type.dims) return value;
  std::vector<Dim> dims;
  for (int64_t dim : *type.dims) dims.push_back(dim < 0 ? tracer.NewSymbol() : Dim(dim));
  value.shape = SymbolicShape(std::move(dims));
  return value;
}

// The arguments that a body gets: tensors of the trace in place of the caller's.
std::vector<Argument> TracedArguments(std::span<const Argument> arguments,
                                      std::span<const ArgumentType> types,
                                      std::span<const std::string> names,
                                      std::span<const Variable> proxies, FunctionTracer& tracer,
                                      Location where) {
  std::vector<Argument> traced(arguments.begin(), arguments.end());
  for (size_t i = 0; i < traced.size(); ++i) {
    if (types[i].kind == Kind::kTensor) {
      traced[i] = Argument::Of(TensorArgument(
          tracer.AddArgument(ValueTypeOf(types[i], tracer), ArgumentName(names, i), where)));
    } else if (types[i].kind == Kind::kVariable && i < proxies.size() && proxies[i].valid()) {
      traced[i].variable = &proxies[i];
    }
  }
  return traced;
}

}  // namespace

StatusOr<ProgramParts> FunctionImpl::TraceOnce(const Site& site, const CallType& type,
                                               bool may_create, size_t* num_created) {
  ProgramBuilder builder(type.device_name.empty() ? "cpu:0" : type.device_name, may_create);
  FunctionTracer tracer(name_, builder, nullptr);
  // Variables that are arguments stand for those of later calls: while the function is traced they
  // are others than those that it has captured.
  std::vector<Variable> proxies(site.arguments.size());
  for (size_t i = 0; i < proxies.size(); ++i) {
    const ArgumentType& argument = type.arguments[i];
    if (argument.kind != Kind::kVariable || argument.id) continue;
    proxies[i] = argument.alias == i ? Variable(site.arguments[i].variable->Read())
                                     : proxies[argument.alias];
  }
  ProgramParts parts;
  {
    eager::TracerScope scope(*site.scope.context, &tracer, site.scope.device);
    std::vector<Argument> traced = TracedArguments(
        site.arguments, type.arguments, options_.argument_names, proxies, tracer, site.where);
    StatusOr<Made> made = CallBody(traced);
    TFRT_RETURN_IF_ERROR(tracer.failure());
    if (!made.ok()) return made.status();
    TFRT_RETURN_IF_ERROR(tracer.Finish(made->tensors));
    parts.note = std::move(made->note);
  }
  *num_created = builder.num_created_variables;
  for (const std::string& warning : builder.warnings) Warn(warning);
  SortFunctions(builder.graph, 0);
  builder.graph.options = {options_.exact, options_.fuse, options_.pack};
  for (const ValueType& result : tracer.result_types()) {
    parts.results.push_back(TracedTypeOf(result));
  }
  for (const Variable& variable : builder.variables) {
    VariableBinding& binding = parts.variables.emplace_back();
    for (size_t i = proxies.size(); i-- > 0;) {
      if (proxies[i].valid() && proxies[i].id() == variable.id()) binding.argument = i;
    }
    if (!binding.argument) {
      binding.captured = variable;
      builder.captures.push_back(
          {Capture::Kind::kVariable,
           builder.graph.variables[parts.variables.size() - 1].type.ToString(),
           builder.graph.variables[parts.variables.size() - 1].name, Location()});
    }
  }
  parts.graph = std::move(builder.graph);
  parts.callbacks = std::move(builder.callbacks);
  parts.captures = std::move(builder.captures);
  return parts;
}

StatusOr<ProgramParts> FunctionImpl::Trace(const Site& site, const CallType& type) {
  std::vector<uint64_t> words = WordsOf(this, type.arguments);
  TFRT_RETURN_IF_ERROR(TracedNow::Check(words, name_));
  TracedNow now(std::move(words));
  const uint64_t begin = Now();
  size_t num_created = 0;
  StatusOr<ProgramParts> parts = TraceOnce(site, type, /*may_create=*/!has_traced_, &num_created);
  size_t num_traces = 1;
  if (parts.ok() && num_created > 0) {
    // Once more, as all later ones: now the variables are there.
    parts = TraceOnce(site, type, /*may_create=*/false, &num_created);
    ++num_traces;
  }
  {
    std::lock_guard lock(mutex_);
    statistics_.traces += num_traces;
  }
  if (!parts.ok()) return parts;
  parts->function = name_;
  parts->type = type;
  parts->names = options_.argument_names;
  parts->context = site.scope.context;
  parts->of_context = Tensor::Scalar(false);
  parts->trace_ns = Now() - begin;
  return parts;
}

Status FunctionImpl::Compile(ProgramParts* parts, bool from_disk) {
  TFRT_RETURN_IF_ERROR(Verify(parts->graph));
  const uint64_t begin = Now();
  const EncodedGraph encoded = Encode(parts->graph);
  std::string path;
  if (!options_.cache_folder.empty()) {
    TFRT_ASSIGN_OR_RETURN(const std::string key, CompilationKey(encoded));
    path =
        (std::filesystem::path(options_.cache_folder) / StrCat("function-", key, ".bef")).string();
    StatusOr<FileBytes> kept = from_disk ? FileBytes::FromFile(path) : NotFoundError("");
    if (kept.ok()) {
      parts->compiled.bytes = *std::move(kept);
      parts->is_from_disk = true;
      parts->compile_ns = Now() - begin;
      return OkStatus();
    }
  }
  TFRT_ASSIGN_OR_RETURN(parts->compiled, function::Compile(encoded, TFRT_OUTPUT_BEF));
  parts->compile_ns = Now() - begin;
  for (const std::string& warning : parts->compiled.warnings) Warn(warning);
  if (path.empty()) return OkStatus();
  const std::span<const uint8_t> bytes = parts->compiled.bytes.bytes();
  Status written = WriteFile(path, [&](const ByteSink& sink) {
    return sink(bytes.data(), bytes.size()) ? OkStatus() : InternalError("the disk is full");
  });
  if (!written.ok()) Warn(StrCat("the program is not kept: ", written.message()));
  return OkStatus();
}

StatusOr<RCReference<Program>> FunctionImpl::MakeProgram(const Site& site, const CallType& exact,
                                                         const CallType& relaxed, Miss* miss) {
  StatusOr<ProgramParts> traced = Trace(site, relaxed);
  // Relaxed sizes that no option requests must not break a body that looks at its sizes.
  if (!traced.ok() && !options_.reduce_retracing && !exact.Admits(relaxed)) {
    traced = Trace(site, exact);
  }
  if (!traced.ok()) return traced.status();
  ProgramParts parts = *std::move(traced);
  TFRT_RETURN_IF_ERROR(Compile(&parts, /*from_disk=*/true));
  HostContext* host = site.scope.context->host();
  StatusOr<RCReference<Program>> program = Program::Create(parts, host);
  const bool was_kept = parts.is_from_disk;
  if (!program.ok() && was_kept) {
    Warn(StrCat("a kept program is damaged and is made anew: ", program.status().message()));
    parts.is_from_disk = false;
    TFRT_RETURN_IF_ERROR(Compile(&parts, /*from_disk=*/false));
    program = Program::Create(parts, host);
  }
  if (!program.ok()) return program;
  has_traced_ = true;
  miss->trace_ns = (*program)->parts().trace_ns;
  miss->compile_ns = (*program)->parts().compile_ns;
  std::lock_guard lock(mutex_);
  if ((*program)->parts().is_from_disk) ++statistics_.disk_hits;
  statistics_.trace_ns += miss->trace_ns;
  statistics_.compile_ns += miss->compile_ns;
  return program;
}

// --- In another function's trace

StatusOr<FunctionImpl::Nested> FunctionImpl::TraceNested(FunctionTracer& outer,
                                                         std::span<const Argument> arguments,
                                                         std::span<const ArgumentType> types,
                                                         Location where) {
  FunctionTracer tracer(name_, outer.builder(), &outer);
  eager::TracerScope scope(*eager::CurrentScopeView().context, &tracer,
                           eager::CurrentScopeView().device);
  std::vector<Argument> traced =
      TracedArguments(arguments, types, options_.argument_names, {}, tracer, where);
  StatusOr<Made> made = CallBody(traced);
  TFRT_RETURN_IF_ERROR(tracer.failure());
  if (!made.ok()) return made.status();
  TFRT_RETURN_IF_ERROR(tracer.Finish(made->tensors));
  Nested nested{tracer.index(), {}, {}, std::move(made->note)};
  nested.results.assign(tracer.result_types().begin(), tracer.result_types().end());
  nested.outer_values.assign(tracer.outer_values().begin(), tracer.outer_values().end());
  return nested;
}

StatusOr<FunctionImpl::Made> FunctionImpl::CallNested(FunctionTracer& outer,
                                                      std::span<const Argument> arguments,
                                                      Location where) {
  // The caller's trace has them in place.
  if (options_.run_eagerly) return RunBody(arguments, where);
  TracedOp call;
  call.kind = TracedOpKind::kCall;
  std::vector<Argument> concrete(arguments.begin(), arguments.end());
  std::vector<ArgumentType> types;
  for (Argument& argument : concrete) {
    ArgumentType type{argument.kind, argument.tag, argument.is_plain, argument.bits,
                      std::string(argument.text)};
    if (argument.kind == Kind::kTensor) {
      const Tensor tensor = argument.AsTensor(where);  // an array becomes a constant
      TFRT_ASSIGN_OR_RETURN(ValueId value, outer.ValueOf(tensor, where));
      call.arguments.push_back(value);
      const TracedType traced = TracedTypeOf(outer.TypeOf(value));
      type.dtype = traced.dtype;
      type.dims = traced.dims;
    } else if (argument.kind == Kind::kVariable) {
      type.id = argument.variable->id();
    } else if (argument.kind == Kind::kSpec) {
      return InvalidArgumentError("a TensorSpec is no argument of a call");
    }
    types.push_back(std::move(type));
  }
  TFRT_RETURN_IF_ERROR(ApplySignature(&types));
  std::vector<uint64_t> words = WordsOf(this, types);
  ProgramBuilder& builder = outer.builder();
  std::vector<ValueType> results;
  std::shared_ptr<const void> note;
  if (auto found = builder.nested.find(words); found != builder.nested.end()) {
    call.index = found->second.index;
    results = found->second.results;
    note = found->second.note;
  } else {
    TFRT_RETURN_IF_ERROR(TracedNow::Check(words, name_));
    TracedNow now(words);
    TFRT_ASSIGN_OR_RETURN(Nested nested, TraceNested(outer, arguments, types, where));
    call.index = nested.index;
    results = nested.results;
    for (const Tensor& value : nested.outer_values) {
      TFRT_ASSIGN_OR_RETURN(ValueId id, outer.ValueOf(value, where));
      call.arguments.push_back(id);
    }
    // One that sees values of its caller is for this call.
    if (nested.outer_values.empty()) {
      builder.nested.emplace(std::move(words), ProgramBuilder::NestedFunction{
                                                   nested.index, nested.results, nested.note});
    }
    note = std::move(nested.note);
  }
  // The callee's own symbols become other symbols here.
  for (ValueType& type : results) {
    if (!type.shape.has_rank()) continue;
    std::vector<Dim> dims(type.shape.dims().begin(), type.shape.dims().end());
    for (Dim& dim : dims) {
      if (!dim.is_known()) dim = outer.NewSymbol();
    }
    type.shape = SymbolicShape(std::move(dims));
    type.elements.reset();
  }
  return Made{outer.AddOp(std::move(call), results, StrCat("function '", name_, "'"), where),
              std::move(note)};
}

}  // namespace tfrt::function
