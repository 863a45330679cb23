#include "tfrt/host_context/function.h"

#include "function_call.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt {

bool Function::CheckArity(size_t num_arguments_given,
                          std::span<RCReference<AsyncValue>> results) const {
  Status error;
  if (num_arguments_given != num_arguments()) {
    error = InvalidArgumentError(StrCat("function '", name(), "' takes ", num_arguments(),
                                        " arguments, but ", num_arguments_given, " were given"));
  } else if (results.size() != num_results()) {
    error = InvalidArgumentError(StrCat("function '", name(), "' has ", num_results(),
                                        " results, but room for ", results.size(), " was given"));
  } else {
    return true;
  }
  RCReference<AsyncValue> value = MakeErrorAsyncValue(std::move(error));
  for (RCReference<AsyncValue>& result : results) result = value;
  return false;
}

void Function::ExecuteByValue(const ExecutionContext& exec_ctx,
                              std::span<RCReference<AsyncValue>> arguments,
                              std::span<RCReference<AsyncValue>> results) const {
  Execute(exec_ctx, Borrow(arguments), results);
  for (RCReference<AsyncValue>& argument : arguments) argument.reset();
}

void Function::ExecuteAsync(const ExecutionContext& exec_ctx,
                            std::span<AsyncValue* const> arguments,
                            std::span<RCReference<AsyncValue>> results) const {
  if (!CheckArity(arguments.size(), results)) return;
  internal::AddTaskTo(exec_ctx.work_queue(), MakeTask(exec_ctx, arguments, results));
}

TaskFunction Function::MakeTask(const ExecutionContext& exec_ctx,
                                std::span<AsyncValue* const> arguments,
                                std::span<RCReference<AsyncValue>> results) const {
  return [exec_ctx, function = FormRef(this), arguments = Keep(arguments),
          placeholders = MakePlaceholders(results)]() mutable {
    ValueRefs results(placeholders.size());
    function->ExecuteByValue(exec_ctx, arguments, results);
    ForwardAll(placeholders, std::move(results));
  };
}

Status Function::ExecuteSync(const ExecutionContext& exec_ctx, std::span<Value* const>,
                             std::span<Value>) const {
  return EmitError(exec_ctx,
                   InvalidArgumentError(StrCat("function '", name(), "' is not a sync function")));
}

}  // namespace tfrt
