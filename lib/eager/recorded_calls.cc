// The short ways of a call once more, with its records.

#include "call_record.h"
#include "execute_prepared_body.h"
#include "prepare.h"
#include "quick_call.h"
#include "quick_call_body.h"
#include "steps.h"

namespace tfrt::eager {

Tensor CallQuickOpRecorded(const OpDefinition& op, TensorArgument& x, TensorArgument& y) {
  if (TracesDetails()) return {};
  return CallQuick<QuickCallRecord>(op, x, y);
}

bool ExecutePreparedRecorded(Scope::State& scope, const OpDefinition& op,
                             std::span<TensorArgument> arguments, const OpAttrsRef& attrs,
                             Tensor& result, Location where, Status* status) {
  if (TracesDetails()) return false;
  return ExecutePreparedWith<CallRecord>(scope, op, arguments, attrs, result, where, status);
}

}  // namespace tfrt::eager
