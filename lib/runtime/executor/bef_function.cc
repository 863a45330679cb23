#include "bef_function.h"

#include "lib/runtime/host/function_call.h"
#include "run.h"
#include "scratch.h"
#include "stack_depth.h"
#include "sync_run.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/request_context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::internal {
namespace {

void SetAllResults(const Status& error, std::span<RCReference<AsyncValue>> results) {
  if (results.empty()) return;
  RCReference<AsyncValue> value = MakeErrorAsyncValue(error);
  for (RCReference<AsyncValue>& result : results) result = value;
}

Status CheckCallDepth(const ExecutionContext& exec_ctx, std::string_view name) {
  uint32_t limit = exec_ctx.request_ctx()->max_call_depth();
  if (exec_ctx.call_depth() < limit) [[likely]]
    return OkStatus();
  return ResourceExhaustedError(StrCat("call depth limit of ", limit, " exceeded in '", name, "'"));
}

}  // namespace

Status BefFunction::Bind(Location* error_location) const {
  // acquire: pairs with the release below; whoever sees that it is bound may read program_.
  BindState state = bind_state_.load(std::memory_order_acquire);
  if (state >= kBound) [[likely]]
    return OkStatus();
  if (state == kUnbound) {
    std::lock_guard lock(bind_mutex_);
    state = bind_state_.load(std::memory_order_relaxed);
    if (state == kUnbound) {
      uint32_t location = 0;
      bind_error_ = BindFunction(input_, index_, file_, &program_, &location);
      if (!bind_error_.ok()) bind_error_location_ = Location(file_, location);
      state = !bind_error_.ok() ? kFailed : kind() == FunctionKind::kAsync ? kBoundAsync : kBound;
      bind_state_.store(state, std::memory_order_release);
    }
  }
  if (state >= kBound) return OkStatus();
  if (error_location) *error_location = bind_error_location_;
  return bind_error_;
}

bool BefFunction::Enter(const ExecutionContext& exec_ctx, size_t num_arguments_given,
                        std::span<RCReference<AsyncValue>> results) const {
  if (!CheckArity(num_arguments_given, results)) return false;
  if (kind() == FunctionKind::kSync) {
    SetAllResults(InvalidArgumentError(
                      StrCat("function '", name(), "' is a sync function and has no AsyncValues")),
                  results);
    return false;
  }
  Location location;
  Status status = Bind(&location);
  if (!status.ok()) {
    ExecutionContext at_error = exec_ctx;
    at_error.set_location(location);
    SetAllResults(EmitError(at_error, status), results);
    return false;
  }
  status = CheckCallDepth(exec_ctx, name());
  if (!status.ok()) {
    SetAllResults(EmitError(exec_ctx, status), results);
    return false;
  }
  return true;
}

inline bool BefFunction::MayRunNow(const ExecutionContext& exec_ctx, size_t num_arguments_given,
                                   size_t num_results_given) const {
  // acquire: as in Bind.
  return bind_state_.load(std::memory_order_acquire) == kBoundAsync &&
         num_arguments_given == num_arguments() && num_results_given == num_results() &&
         exec_ctx.call_depth() < exec_ctx.request_ctx()->max_call_depth() && HasStackReserve();
}

void BefFunction::Execute(const ExecutionContext& exec_ctx, std::span<AsyncValue* const> arguments,
                          std::span<RCReference<AsyncValue>> results) const {
  if (!MayRunNow(exec_ctx, arguments.size(), results.size())) [[unlikely]]
    return ExecuteCarefully(exec_ctx, arguments, results);
  StartRun(run_context_, exec_ctx, arguments, results);
}

void BefFunction::ExecuteCarefully(const ExecutionContext& exec_ctx,
                                   std::span<AsyncValue* const> arguments,
                                   std::span<RCReference<AsyncValue>> results) const {
  if (!Enter(exec_ctx, arguments.size(), results)) return;
  if (!HasStackReserve()) return ExecuteAsync(exec_ctx, arguments, results);
  StartRun(run_context_, exec_ctx, arguments, results);
}

void BefFunction::ExecuteByValue(const ExecutionContext& exec_ctx,
                                 std::span<RCReference<AsyncValue>> arguments,
                                 std::span<RCReference<AsyncValue>> results) const {
  if (!MayRunNow(exec_ctx, arguments.size(), results.size())) [[unlikely]]
    return ExecuteByValueCarefully(exec_ctx, arguments, results);
  StartRunByValue(run_context_, exec_ctx, arguments, results);
}

void BefFunction::ExecuteByValueCarefully(const ExecutionContext& exec_ctx,
                                          std::span<RCReference<AsyncValue>> arguments,
                                          std::span<RCReference<AsyncValue>> results) const {
  bool enters = Enter(exec_ctx, arguments.size(), results);
  if (enters && HasStackReserve()) {
    return StartRunByValue(run_context_, exec_ctx, arguments, results);
  }
  if (enters) ExecuteAsync(exec_ctx, Borrow(arguments), results);
  for (RCReference<AsyncValue>& argument : arguments) argument.reset();
}

Status BefFunction::ExecuteSync(const ExecutionContext& exec_ctx, std::span<Value* const> arguments,
                                std::span<Value> results) const {
  if (kind() != FunctionKind::kSync) return Function::ExecuteSync(exec_ctx, arguments, results);
  if (arguments.size() != num_arguments() || results.size() != num_results()) {
    return EmitError(exec_ctx, InvalidArgumentError(StrCat(
                                   "sync function '", name(), "' takes ", num_arguments(),
                                   " arguments and has ", num_results(), " results, but got ",
                                   arguments.size(), " and ", results.size())));
  }
  Location location;
  Status status = Bind(&location);
  if (!status.ok()) {
    ExecutionContext at_error = exec_ctx;
    at_error.set_location(location);
    return EmitError(at_error, status);
  }
  status = CheckCallDepth(exec_ctx, name());
  if (status.ok() && !HasStackReserve()) {
    status = ResourceExhaustedError(StrCat("no stack left to call sync function '", name(), "'"));
  }
  if (!status.ok()) return EmitError(exec_ctx, std::move(status));
  return RunSync(program_, exec_ctx, arguments, results);
}

void NativeBefFunction::Execute(const ExecutionContext& exec_ctx,
                                std::span<AsyncValue* const> arguments,
                                std::span<RCReference<AsyncValue>> results) const {
  if (!CheckArity(arguments.size(), results)) return;
  auto run = [this](const ExecutionContext& exec_ctx, std::span<AsyncValue* const> arguments,
                    std::span<RCReference<AsyncValue>> results) {
    function_(exec_ctx, arguments, results);
    for (RCReference<AsyncValue>& result : results) {
      if (!result) {
        result = MakeErrorAsyncValue(
            InternalError(StrCat("native function '", name(), "' did not set all results")));
      }
    }
  };
  bool all_available = true;
  for (AsyncValue* argument : arguments) all_available &= argument->IsAvailable();
  if (all_available) return run(exec_ctx, arguments, results);

  RunWhenReady(arguments, [run, exec_ctx, function = FormRef<const Function>(this),
                           kept = Keep(arguments), placeholders = MakePlaceholders(results)] {
    ValueRefs outcome(placeholders.size());
    run(exec_ctx, Borrow(kept), outcome);
    ForwardAll(placeholders, std::move(outcome));
  });
}

}  // namespace tfrt::internal
