#include "call_record.h"
#include "execute_prepared_body.h"
#include "prepare.h"
#include "tfrt/tracing/record.h"

namespace tfrt::eager {

bool ExecutePrepared(Scope::State& scope, const OpDefinition& op,
                     std::span<TensorArgument> arguments, const OpAttrsRef& attrs, Tensor& result,
                     Location where, Status* status) {
  if (tracing::IsAnythingActive()) [[unlikely]] {
    return ExecutePreparedRecorded(scope, op, arguments, attrs, result, where, status);
  }
  return ExecutePreparedWith<NoCallRecord>(scope, op, arguments, attrs, result, where, status);
}

}  // namespace tfrt::eager
