#include "function_call.h"

#include "tfrt/host_context/enqueue.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {

void CallFunction(const Function* function, const ExecutionContext& exec_ctx,
                  RemainingArguments arguments, RemainingResults results) {
  CallBuffer buffer(arguments.size());
  std::span<AsyncValue*> borrowed = buffer.span();
  for (size_t i = 0; i < borrowed.size(); ++i) borrowed[i] = arguments[i];
  function->Execute(exec_ctx, borrowed, results.references());
}

Placeholders AllocatePlaceholders(RemainingResults results) {
  Placeholders placeholders(results.size());
  for (size_t i = 0; i < results.size(); ++i) placeholders[i] = results.AllocateIndirect(i);
  return placeholders;
}

void EnqueueCall(RCReference<const Function> function, const ExecutionContext& exec_ctx,
                 ValueRefs arguments, Placeholders placeholders) {
  EnqueueWork(exec_ctx, [function = std::move(function), exec_ctx, arguments = std::move(arguments),
                         placeholders = std::move(placeholders)] {
    ValueRefs values(placeholders.size());
    function->Execute(exec_ctx, Borrow(arguments), values);
    ForwardAll(placeholders, std::move(values));
  });
}

Status CheckBodyArity(std::string_view kernel, const Function& body, size_t num_arguments,
                      size_t num_results) {
  if (body.num_arguments() == num_arguments && body.num_results() == num_results) {
    return OkStatus();
  }
  return InvalidArgumentError(StrCat(kernel, " needs a body with ", num_arguments,
                                     " arguments and ", num_results, " results, but '", body.name(),
                                     "' has ", body.num_arguments(), " and ", body.num_results()));
}

}  // namespace tfrt
