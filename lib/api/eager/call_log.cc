#include "call_log.h"

#include <utility>
#include <vector>

#include "tfrt/core_runtime/op_log.h"

namespace tfrt::eager {
namespace {

// Without a tensor: an argument that is left out.
LoggedTensor Logged(const TensorState* state) {
  if (!state) return {};
  AsyncValueRef<tfrt::Tensor> value(FormRef(state->value()));
  // Errors of threads without a scope have no context, and lie nowhere.
  if (!state->core()) return {.tensor = std::move(value)};
  return {.device = state->core()->devices[state->device()].device, .tensor = std::move(value)};
}

LoggedTensor LoggedError(Status error) {
  return {.tensor = AsyncValueRef<tfrt::Tensor>(MakeErrorAsyncValue(std::move(error)))};
}

LoggedTensor Logged(const TensorArgument& argument, const Scope::State& scope) {
  const HostArray* array = argument.array();
  if (!array) {
    const TensorState* state = argument.state();
    // The log may outlive that context, whose memory it is.
    if (state && state->core() && state->core() != scope.core) {
      return LoggedError(InvalidArgumentError("a tensor of another context"));
    }
    return Logged(state);
  }
  if (!array->tensor().ok()) return LoggedError(array->tensor().status());
  return {.device = scope.context.devices[kHostDevice].device,
          .tensor = AsyncValueRef<tfrt::Tensor>(
              MakeAvailableAsyncValueRef<DenseHostTensor>((*array->tensor()).ShareBuffer()))};
}

}  // namespace

uint64_t LogCall(const Scope::State& scope, const OpDefinition& op,
                 std::span<const TensorArgument> arguments, size_t num_results,
                 const OpAttrsRef& attrs) {
  std::vector<LoggedTensor> tensors;
  for (const TensorArgument& argument : arguments) tensors.push_back(Logged(argument, scope));
  return scope.context.log->WriteCall(op.name, std::move(tensors), num_results, attrs,
                                      scope.exec_ctx);
}

void LogResults(const Scope::State& scope, uint64_t call, const OpDefinition& op,
                std::span<const Tensor> results) {
  std::vector<LoggedTensor> tensors;
  for (const Tensor& result : results) tensors.push_back(Logged(result.state()));
  scope.context.log->WriteResults(call, op.name, std::move(tensors), scope.exec_ctx);
}

}  // namespace tfrt::eager
