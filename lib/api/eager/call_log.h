// Calls in contexts that write them down (ContextOptions::log).
#ifndef TFRT_LIB_API_EAGER_CALL_LOG_H_
#define TFRT_LIB_API_EAGER_CALL_LOG_H_

#include <cstdint>
#include <span>

#include "context_impl.h"

namespace tfrt::eager {

// Writes a call down, and its arguments when they have come; the number of the call. Afterwards it
// holds none of those that are there.
uint64_t LogCall(const Scope::State& scope, const OpDefinition& op,
                 std::span<const TensorArgument> arguments, size_t num_results,
                 const OpAttrsRef& attrs);
// The same for its results, if the context's options say so.
void LogResults(const Scope::State& scope, uint64_t call, const OpDefinition& op,
                std::span<const Tensor> results);

}  // namespace tfrt::eager

#endif  // TFRT_LIB_API_EAGER_CALL_LOG_H_
