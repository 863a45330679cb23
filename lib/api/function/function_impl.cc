// Calls: which program serves them, and what is done if none does.

#include "function_impl.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "lib/base/support/api_names.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::function {
namespace {

using internal::kAnyNumber;

thread_local std::optional<Stance> stance_of_thread;
// Where the body that this thread runs leaves its note. Null: it runs none.
thread_local std::shared_ptr<const void>* note_of_body = nullptr;

Stance StanceOfEnvironment() {
  static const Stance stance = [] {
    const char* eager = std::getenv("TFRT_EAGER");
    return eager && std::strcmp(eager, "1") == 0 ? Stance::kForceEager : Stance::kDefault;
  }();
  return stance;
}

bool HasErrors(std::span<const Argument> arguments) {
  return std::ranges::any_of(arguments, [](const Argument& argument) {
    return argument.kind == Argument::Kind::kTensor && argument.tensor.state() &&
           argument.tensor.state()->IsError();
  });
}

// Sets the results of a call that fails before it runs.
void SetErrors(const Status& error, size_t num_results, AnyFunction::CallResult* all,
               std::span<Tensor> results) {
  if (num_results == kAnyNumber) {
    all->tensors.assign(1, eager::ErrorTensorOf(error));
    return;
  }
  for (Tensor& result : results) result = eager::ErrorTensorOf(error);
}

}  // namespace

Stance CurrentStance() { return stance_of_thread ? *stance_of_thread : StanceOfEnvironment(); }

StanceScope::StanceScope(Stance stance) : outer_(stance_of_thread) { stance_of_thread = stance; }
StanceScope::~StanceScope() { stance_of_thread = outer_; }

FunctionImpl::FunctionImpl(std::string name, AnyFunction::Body body, FunctionOptions options,
                           Location where)
    : name_(std::move(name)), body_(std::move(body)), options_(std::move(options)), where_(where) {}

void FunctionImpl::LeaveNote(std::shared_ptr<const void> note) {
  if (note_of_body) *note_of_body = std::move(note);
}

StatusOr<FunctionImpl::Made> FunctionImpl::CallBody(std::span<const Argument> arguments) const {
  Made made;
  auto* const outer = std::exchange(note_of_body, &made.note);
  StatusOr<std::vector<Tensor>> tensors = CallGuarded("its body", [&] { return body_(arguments); });
  note_of_body = outer;
  TFRT_RETURN_IF_ERROR(tensors.status());
  made.tensors = *std::move(tensors);
  return made;
}

StatusOr<FunctionImpl::Made> FunctionImpl::RunBody(std::span<const Argument> arguments,
                                                   Location where) {
  eager_calls_.fetch_add(1, std::memory_order_relaxed);
  // Arrays become tensors at the line of the call.
  std::vector<Argument> tensors(arguments.begin(), arguments.end());
  for (Argument& argument : tensors) {
    if (argument.kind == Argument::Kind::kTensor && argument.tensor.array()) {
      argument.tensor = TensorArgument(argument.AsTensor(where));
    }
  }
  return CallBody(tensors);
}

Status FunctionImpl::CallEagerly(std::span<const Argument> arguments, size_t num_results,
                                 AnyFunction::CallResult* all, std::span<Tensor> results,
                                 Location where) {
  return Deliver(RunBody(arguments, where), num_results, all, results, where);
}

Status FunctionImpl::Deliver(StatusOr<Made> made, size_t num_results, AnyFunction::CallResult* all,
                             std::span<Tensor> results, Location where) {
  if (!made.ok()) {
    SetErrors(made.status(), num_results, all, results);
    return made.status();
  }
  std::vector<Tensor>& tensors = made->tensors;
  if (num_results == kAnyNumber) {
    all->tensors = std::move(tensors);
    all->note = std::move(made->note);
    return OkStatus();
  }
  if (tensors.size() != num_results) {
    return FailCall(WrongNumber(tensors.size(), num_results), num_results, all, results, where);
  }
  std::move(tensors.begin(), tensors.end(), results.begin());
  return OkStatus();
}

Status FunctionImpl::WrongNumber(size_t made, size_t asked) const {
  return InvalidArgumentError(StrCat("it makes ", made, " results, but the call takes ", asked));
}

Status FunctionImpl::FailCall(const Status& error, size_t num_results, AnyFunction::CallResult* all,
                              std::span<Tensor> results, Location where) const {
  Status located = eager::ErrorAt(where, StrCat("function '", name_, "'"), error);
  SetErrors(located, num_results, all, results);
  return located;
}

Status FunctionImpl::Call(std::span<Argument> arguments, size_t num_results,
                          AnyFunction::CallResult* all, std::span<Tensor> results, Location where) {
  auto fail = [&](const Status& error) {
    return FailCall(error, num_results, all, results, where);
  };
  if (FunctionTracer* outer = CurrentFunctionTracer()) {
    StatusOr<Made> made = CallNested(*outer, arguments, where);
    if (!made.ok()) outer->Fail(made.status());
    return Deliver(std::move(made), num_results, all, results, where);
  }
  Site site{eager::CurrentScopeView(), arguments, false, where};
  if (!site.scope.context) [[unlikely]] {
    return fail(FailedPreconditionError("this thread has no tfrt::eager::Scope"));
  }
  if (!site.scope.status.ok()) [[unlikely]]
    return fail(site.scope.status);
  const uint64_t number = calls_.fetch_add(1, std::memory_order_relaxed) + 1;
  if (options_.run_eagerly || CurrentStance() == Stance::kForceEager) {
    return CallEagerly(arguments, num_results, all, results, where);
  }
  StatusOr<RCReference<Program>> program = FindFor(site);
  if (!program.ok()) {
    if (!HasErrors(arguments)) return fail(program.status());
    SetErrors(program.status(), num_results, all, results);
    return program.status();
  }
  if (!*program) return CallEagerly(arguments, num_results, all, results, where);
  (*program)->NoteUse(number);
  if (num_results == kAnyNumber) {
    all->note = (*program)->parts().note;
    all->tensors.resize((*program)->num_results());
    return (*program)->Call(arguments, all->tensors, where);
  }
  if ((*program)->num_results() != num_results) {
    return fail(WrongNumber((*program)->num_results(), num_results));
  }
  return (*program)->Call(arguments, results, where);
}

StatusOr<RCReference<Program>> FunctionImpl::FindKnown(const Site& site, CallKey* key) const {
  key->Add(site.scope.context_id);
  key->Add(site.scope.device_number | uint64_t{site.by_identity} << 16);
  TFRT_RETURN_IF_ERROR(AddArguments(site.arguments, site.scope.context_id, site.by_identity, key));
  return cache_.Find(*key);
}

bool FunctionImpl::IsCached(std::span<const Argument> arguments) const {
  const Site site{eager::CurrentScopeView(), arguments, false, Location()};
  if (!site.scope.context) return false;
  CallKey key;
  StatusOr<RCReference<Program>> known = FindKnown(site, &key);
  return known.ok() && *known;
}

StatusOr<RCReference<Program>> FunctionImpl::FindFor(Site& site) {
  auto find = [&]() -> StatusOr<RCReference<Program>> {
    CallKey key;
    TFRT_ASSIGN_OR_RETURN(RCReference<Program> known, FindKnown(site, &key));
    if (known) [[likely]]
      return known;
    return FindProgram(site, &key);
  };
  TFRT_ASSIGN_OR_RETURN(RCReference<Program> program, find());
  if (!program || !program->HasAliases(site.arguments)) [[likely]]
    return program;
  // One variable by two ways: a program for just these variables.
  site.by_identity = true;
  return find();
}

StatusOr<RCReference<Program>> FunctionImpl::Concrete(std::span<Argument> arguments,
                                                      Location where) {
  Site site{eager::CurrentScopeView(), arguments, false, where};
  auto located = [&](const Status& error) {
    return eager::ErrorAt(where, StrCat("function '", name_, "'"), error);
  };
  if (!site.scope.context) {
    return located(FailedPreconditionError("this thread has no tfrt::eager::Scope"));
  }
  if (CurrentFunctionTracer()) {
    return located(FailedPreconditionError(
        "a program cannot be asked for while a function is traced; ask before or after"));
  }
  TFRT_RETURN_IF_ERROR(site.scope.status);
  const bool has_specs = std::ranges::any_of(
      arguments, [](const Argument& argument) { return argument.kind == Argument::Kind::kSpec; });
  StatusOr<RCReference<Program>> program = has_specs ? FindProgram(site, nullptr) : FindFor(site);
  if (!program.ok()) return located(program.status());
  if (!*program) {
    return located(
        FailedPreconditionError(StrCat("there is no program for these arguments, and none is made: "
                                       "the stance, or max_traces with ",
                                       api_names.run_eagerly, ", forbids it")));
  }
  return program;
}

StatusOr<RCReference<Program>> FunctionImpl::FindProgram(const Site& site, const CallKey* key) {
  CallType type{
      site.scope.context_id, site.scope.device_number, std::string(site.scope.device), {}};
  TFRT_ASSIGN_OR_RETURN(type.arguments, TypesOf(site.arguments, site.by_identity));
  TFRT_RETURN_IF_ERROR(ApplySignature(&type.arguments));
  if (traced_by_.load(std::memory_order_relaxed) == std::this_thread::get_id()) {
    return FailedPreconditionError(
        StrCat("the function '", name_, "' is called in a scope of its own while it is traced"));
  }
  std::lock_guard tracing(tracing_);
  Miss miss;
  CallType relaxed = type;
  {
    std::lock_guard lock(mutex_);
    if (RCReference<Program> serving = cache_.FindServing(type)) {
      if (key) cache_.AddKey(*key, serving);
      return serving;
    }
    miss = Explain(type);
    if (has_traced_ && CurrentStance() == Stance::kEagerOnRetrace) return RCReference<Program>();
    if (has_traced_ && CurrentStance() == Stance::kFailOnRetrace) {
      return FailedPreconditionError(StrCat("the stance is ", api_names.fail_on_retrace,
                                            ", but the call needs a new trace: ", miss.reason,
                                            miss.fix.empty() ? "" : StrCat("; ", miss.fix)));
    }
    bool run_eagerly = false;
    TFRT_RETURN_IF_ERROR(MakeRoom(miss, &run_eagerly));
    if (run_eagerly) return RCReference<Program>();
    if (options_.input_signature.empty()) relaxed = Relaxed(type);
  }
  traced_by_.store(std::this_thread::get_id(), std::memory_order_relaxed);
  StatusOr<RCReference<Program>> made = MakeProgram(site, type, relaxed, &miss);
  traced_by_.store({}, std::memory_order_relaxed);
  TFRT_RETURN_IF_ERROR(made.status());
  RCReference<Program> program = *std::move(made);
  // So that it is not the first to go.
  program->NoteUse(calls_.load(std::memory_order_relaxed));
  std::lock_guard lock(mutex_);
  cache_.Add(program);
  if (key) cache_.AddKey(*key, program);
  NoteTrace(type, std::move(miss));
  return program;
}

uint64_t FunctionImpl::NextId() {
  // relaxed: a number.
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

// The types that the traces have: those of the signature.
Status FunctionImpl::ApplySignature(std::vector<ArgumentType>* types) const {
  if (options_.input_signature.empty()) return OkStatus();
  size_t next = 0;
  for (size_t i = 0; i < types->size(); ++i) {
    ArgumentType& type = (*types)[i];
    if (type.kind != Argument::Kind::kTensor) continue;
    if (next == options_.input_signature.size()) {
      ++next;
      continue;
    }
    const TensorSpec& spec = options_.input_signature[next++];
    ArgumentType wanted = type;
    wanted.dtype = spec.dtype;
    wanted.dims = spec.dims;
    if (!wanted.Admits(type)) {
      return InvalidArgumentError(StrCat("argument ", ArgumentName(options_.argument_names, i),
                                         " is ", type.ToString(), ", but the input signature says ",
                                         spec.ToString()));
    }
    type = wanted;
  }
  if (next == options_.input_signature.size()) return OkStatus();
  return InvalidArgumentError(StrCat("the call has ", next,
                                     " tensors, but the input signature has ",
                                     options_.input_signature.size()));
}

CallType FunctionImpl::Relaxed(const CallType& type) {
  CallType relaxed = type;
  bool is_shape_miss = false;
  for (const RCReference<Program>& program : cache_.programs()) {
    is_shape_miss |= program->type().DiffersInShapes(type);
  }
  if (!is_shape_miss) return type;
  ++shape_misses_;
  // Unset: the second time that only a shape was new.
  if (!options_.reduce_retracing.value_or(shape_misses_ >= 2)) return type;
  for (const RCReference<Program>& program : cache_.programs()) {
    if (!program->type().DiffersInShapes(type)) continue;
    for (size_t i = 0; i < relaxed.arguments.size(); ++i) {
      if (relaxed.arguments[i].kind != Argument::Kind::kTensor) continue;
      relaxed.arguments[i] = relaxed.arguments[i].Joined(program->type().arguments[i]);
    }
  }
  return relaxed;
}

std::vector<RCReference<Program>> FunctionImpl::Programs() const {
  std::lock_guard lock(mutex_);
  return {cache_.programs().begin(), cache_.programs().end()};
}

void FunctionImpl::ClearCache() {
  std::vector<RCReference<Program>> dropped;  // go without the lock
  std::lock_guard lock(mutex_);
  dropped = cache_.TakeAll();
  shape_misses_ = 0;
}

FunctionStatistics FunctionImpl::statistics() const {
  std::lock_guard lock(mutex_);
  FunctionStatistics statistics = statistics_;
  statistics.calls = calls_.load(std::memory_order_relaxed);
  statistics.eager_calls = eager_calls_.load(std::memory_order_relaxed);
  statistics.programs = cache_.programs().size();
  for (const auto& program : cache_.programs()) statistics.program_bytes += program->bef().size();
  return statistics;
}

}  // namespace tfrt::function
