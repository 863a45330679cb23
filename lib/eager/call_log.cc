#include "call_log.h"

#include <utility>
#include <vector>

#include "tfrt/core_runtime/op_log.h"
#include "tfrt/core_runtime/tensor_handle.h"

namespace tfrt::eager {
namespace {

// Null: a tensor that is left out.
TensorHandle HandleOf(const TensorState* state) {
  if (!state) return {};
  AsyncValueRef<tfrt::Tensor> value(FormRef(state->value()));
  // Errors of threads without a scope have no context, and lie nowhere.
  if (!state->core()) return TensorHandle(RCReference<Device>(), std::move(value));
  return TensorHandle(state->core()->devices[state->device()].device, std::move(value));
}

TensorHandle HandleOf(const TensorArgument& argument, const Scope::State& scope) {
  const HostArray* array = argument.array();
  if (!array) {
    const TensorState* state = argument.state();
    // The log may outlive that context, whose memory it is.
    if (state && state->core() && state->core() != scope.core) {
      return TensorHandle::CreateError(InvalidArgumentError("a tensor of another context"));
    }
    return HandleOf(state);
  }
  if (!array->tensor().ok()) return TensorHandle::CreateError(array->tensor().status());
  return TensorHandle(scope.context.devices[kHostDevice].device,
                      AsyncValueRef<tfrt::Tensor>(MakeAvailableAsyncValueRef<DenseHostTensor>(
                          (*array->tensor()).ShareBuffer())));
}

}  // namespace

uint64_t LogCall(const Scope::State& scope, const OpDefinition& op,
                 std::span<const TensorArgument> arguments, size_t num_results,
                 const OpAttrsRef& attrs) {
  std::vector<TensorHandle> handles;
  for (const TensorArgument& argument : arguments) {
    handles.push_back(HandleOf(argument, scope));
  }
  return scope.context.log->WriteCall(op.name, handles, num_results, attrs, scope.exec_ctx);
}

void LogResults(const Scope::State& scope, uint64_t call, const OpDefinition& op,
                std::span<const Tensor> results) {
  std::vector<TensorHandle> handles;
  for (const Tensor& result : results) handles.push_back(HandleOf(result.state()));
  scope.context.log->WriteResults(call, op.name, handles, scope.exec_ctx);
}

}  // namespace tfrt::eager
