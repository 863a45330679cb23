// Calls of ops with complete attributes.
#ifndef TFRT_LIB_API_EAGER_EXECUTE_H_
#define TFRT_LIB_API_EAGER_EXECUTE_H_

#include <span>
#include <string_view>

#include "tfrt/eager/context.h"

namespace tfrt::eager {

// Execute (context.h) for calls that give all attributes, also those with defaults.
Status ExecuteComplete(const OpDefinition& op, std::span<TensorArgument> arguments,
                       const OpAttrsRef& attrs, std::span<Tensor> results, Location where);

// The same by the way that is right for all calls.
Status ExecuteAnywhere(const OpDefinition& op, std::span<TensorArgument> arguments,
                       const OpAttrsRef& attrs, std::span<Tensor> results, Location where);

// The error of a call on a thread without a scope.
Status NoScope(std::string_view op_name, Location where);
// Makes the error of each result. `scope` may be null.
void SetErrors(Scope::State* scope, const Status& error, std::span<Tensor> results);

}  // namespace tfrt::eager

#endif  // TFRT_LIB_API_EAGER_EXECUTE_H_
