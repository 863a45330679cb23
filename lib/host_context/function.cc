#include "tfrt/host_context/function.h"

#include <vector>

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
  std::vector<AsyncValue*> borrowed(arguments.size());
  for (size_t i = 0; i < borrowed.size(); ++i) borrowed[i] = arguments[i].get();
  Execute(exec_ctx, borrowed, results);
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
  std::vector<RCReference<AsyncValue>> kept(arguments.size());
  for (size_t i = 0; i < kept.size(); ++i) kept[i] = FormRef(arguments[i]);
  std::vector<RCReference<IndirectAsyncValue>> placeholders(results.size());
  for (size_t i = 0; i < results.size(); ++i) {
    placeholders[i] = MakeIndirectAsyncValue();
    results[i] = placeholders[i];
  }
  return [exec_ctx, function = FormRef(this), arguments = std::move(kept),
          placeholders = std::move(placeholders)]() mutable {
    std::vector<RCReference<AsyncValue>> results(placeholders.size());
    function->ExecuteByValue(exec_ctx, arguments, results);
    for (size_t i = 0; i < results.size(); ++i) {
      placeholders[i]->ForwardTo(std::move(results[i]));
    }
  };
}

Status Function::ExecuteSync(const ExecutionContext& exec_ctx, std::span<Value* const>,
                             std::span<Value>) const {
  return EmitError(exec_ctx,
                   InvalidArgumentError(StrCat("function '", name(), "' is not a sync function")));
}

}  // namespace tfrt
