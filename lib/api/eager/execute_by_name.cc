// Calls of ops as programs write them: by name, and without the attributes that have defaults.

#include "context_impl.h"
#include "execute.h"
#include "lib/ops/op_call/op_defaults.h"
#include "node.h"
#include "quick_call.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::eager {

Status Execute(const OpDefinition& op, std::span<TensorArgument> arguments, const OpAttrsRef& attrs,
               std::span<Tensor> results, Location where) {
  if (op.quick && arguments.size() == 2 && results.size() == 1 && attrs.empty()) {
    results[0] = CallQuickOp(op, arguments[0], arguments[1], where);
    // A traced tensor has no value, which is no error of the call.
    const TensorState& made = *results[0].state();
    return made.value()->IsError() && !made.is_traced() ? made.value()->GetError() : OkStatus();
  }
  if (attrs.size() >= op.attrs.size()) return ExecuteComplete(op, arguments, attrs, results, where);
  OpAttrs complete;
  return ExecuteComplete(op, arguments, WithDefaults(op, attrs, complete), results, where);
}

Status Execute(std::string_view op_name, std::span<TensorArgument> arguments,
               const OpAttrsRef& attrs, std::span<Tensor> results, Location where) {
  Scope::State* scope = CurrentScope();
  const OpDefinition* op = scope ? scope->context.context->FindOp(op_name) : nullptr;
  if (op) return Execute(*op, arguments, attrs, results, where);
  Status error;
  if (scope) {
    error = NotFoundError(StrCat("there is no op '", op_name, "'"));
    (void)scope->context.host->EmitError(where, error);
    error = Status(error.code(), StrCat(LinePrefix(where), error.message()));
  } else {
    error = NoScope(op_name, where);
  }
  SetErrors(scope, error, results);
  for (TensorArgument& argument : arguments) argument.DropMoved();
  return error;
}

}  // namespace tfrt::eager
