#include "tracer.h"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "execute.h"
#include "lib/base/support/api_names.h"
#include "messages.h"
#include "node.h"
#include "prepare.h"
#include "tfrt/support/str_cat.h"
#include "traced_state.h"

namespace tfrt::eager {
namespace {

Status WithoutElements(const TracedValue& value, std::string_view why) {
  return FailedPreconditionError(StrCat(LinePrefix(value.where), value.made_by, ": ", why));
}

ScopeOptions OptionsOf(const Tracer* tracer, std::string_view device) {
  ScopeOptions options{.device = device};
  if (const Scope::State* outer = CurrentScope(); outer && tracer) {
    options.mode = outer->mode;
    options.misplaced_input = outer->misplaced_input;
  }
  return options;
}

}  // namespace

Status LeakError(const TracedValue& value) {
  return WithoutElements(
      value, StrCat("the tensor belongs to a trace of the function '", value.function,
                    "', which is over; return it from the function, or assign it to a Variable"));
}

TracedState::TracedState(TracedValue traced_in)
    : TensorState(Traced(), MakeErrorAsyncValue(LeakError(traced_in))),
      traced(std::move(traced_in)) {}

void TracedState::End(TensorState* state) {
  auto* traced = static_cast<TracedState*>(state);
  traced->~TracedState();
  ::operator delete(static_cast<void*>(traced));
}

Tensor MakeTracedTensor(TracedValue value) {
  void* memory = ::operator new(sizeof(TracedState));
  return Tensor(TakeRef<TensorState>(::new (memory) TracedState(std::move(value))));
}

const TracedValue* TracedValueOf(const TensorState& state) {
  return state.is_traced() ? &TracedState::Of(state).traced : nullptr;
}
const TracedValue* TracedValueOf(const Tensor& tensor) {
  return tensor.state() ? TracedValueOf(*tensor.state()) : nullptr;
}

Status ReadError(const TensorState& state) {
  const TracedValue& value = TracedState::Of(state).traced;
  Tracer* tracer = CurrentTracer();
  if (!tracer || !tracer->Knows(value)) return LeakError(value);
  return WithoutElements(
      value, StrCat("the tensor has no elements while the function '", value.function,
                    "' is traced; let ", api_names.cond, ", ", api_names.while_loop, " or ",
                    api_names.for_range, " decide, look at it with ", api_names.print, " or ",
                    api_names.host_call, ", or return it"));
}

StatusOr<DType> TracedDType(const TensorState& state) {
  const TracedValue& value = TracedState::Of(state).traced;
  if (value.type.has_dtype()) return value.type.dtype;
  return WithoutElements(value, "the element type is not known before the program runs");
}

StatusOr<TensorShape> TracedShape(const TensorState& state) {
  const TracedValue& value = TracedState::Of(state).traced;
  if (!value.type.shape.is_known()) {
    return WithoutElements(value, StrCat("the shape ", value.type.shape.ToString(),
                                         " is not known before the program runs; ", api_names.shape,
                                         " computes it there"));
  }
  std::vector<int64_t> dims;
  for (Dim dim : value.type.shape.dims()) dims.push_back(dim.value());
  return TensorShape::Create(dims);
}

std::string_view DeviceNameOf(const Scope::State& scope) {
  return scope.device == kNoDevice ? std::string_view()
                                   : std::string_view(scope.context.devices[scope.device].name());
}

Status TraceCall(Scope::State& scope, const OpDefinition& op, std::span<TensorArgument> arguments,
                 const OpAttrsRef& attrs, std::span<Tensor> results, Location where) {
  for (const TensorArgument& argument : arguments) {
    const TensorState* state = argument.state();
    if (!state || state->is_traced() || !state->value()->IsError()) continue;
    SetErrors(&scope, state->value()->GetError(), results);
    scope.tracer->CallFailed(state->value()->GetError());
    return state->value()->GetError();
  }
  Status status = CheckCall(op, arguments.size(), results.size(), attrs);
  if (status.ok()) {
    status = scope.tracer->Call(op, arguments, attrs, results, where, DeviceNameOf(scope));
  }
  if (status.ok()) return status;
  (void)scope.context.host->EmitError(where, status);
  status = LocatedError(op, where, status);
  SetErrors(&scope, status, results);
  scope.tracer->CallFailed(status);
  return status;
}

Status ErrorAt(Location where, std::string_view what, const Status& error) {
  return Status(error.code(), StrCat(LinePrefix(where), what, ": ", error.message()));
}

Tensor ErrorTensorOf(const Status& error) {
  Tensor result;
  SetErrors(CurrentScope(), error, {&result, 1});
  return result;
}

Tensor WithMetadata(const Tensor& tensor, const TensorMetadata& metadata) {
  TensorState* state = tensor.state();
  if (!state->core() || state->value()->IsError()) return tensor;
  if (state->metadata() && !state->has_late_metadata()) return tensor;
  state->core()->AddRefs(1);
  return Tensor(
      TakeRef(new TensorState(state->core(), state->device(), metadata, FormRef(state->value()))));
}

Tracer* CurrentTracer() {
  Scope::State* scope = CurrentScope();
  return scope ? scope->tracer : nullptr;
}

TracerScope::TracerScope(Context& context, Tracer* tracer, std::string_view device)
    : scope_(context, OptionsOf(tracer, device)) {
  CurrentScope()->SetTracer(tracer);
}

ScopeView CurrentScopeView() {
  const Scope::State* scope = CurrentScope();
  if (!scope) return {};
  return {scope->context.context, scope->context.id, scope->device, DeviceNameOf(*scope),
          scope->device_status};
}

std::shared_ptr<void> OnCancel(Context& context, std::function<void()> on_cancel) {
  return CancelListeners::Add(context.impl().cancel_listeners, std::move(on_cancel));
}

uint64_t ContextIdOf(const TensorState& state) {
  return state.core() && state.core()->context() ? state.core()->context_id : 0;
}

}  // namespace tfrt::eager
