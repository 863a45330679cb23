// TracedState: what the copies of a traced tensor share.
#ifndef TFRT_LIB_API_EAGER_TRACED_STATE_H_
#define TFRT_LIB_API_EAGER_TRACED_STATE_H_

#include <span>
#include <string_view>

#include "context_impl.h"
#include "tfrt/eager/tensor_state.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/dtype.h"
#include "tfrt/tensor/shape.h"
#include "tracer.h"

namespace tfrt::eager {

// Its value is the error that its trace is over. Code that does not support traces, such as an op
// that runs, passes that error on. It has no context, as errors may.
class TracedState final : public TensorState {
 public:
  explicit TracedState(TracedValue traced);

  // `state` is traced.
  static const TracedState& Of(const TensorState& state) {
    return static_cast<const TracedState&>(state);
  }
  static void End(TensorState* state);

  const TracedValue traced;
};

// Why a traced tensor has no elements: its trace goes on, or is over.
Status ReadError(const TensorState& state);
StatusOr<DType> TracedDType(const TensorState& state);
StatusOr<TensorShape> TracedShape(const TensorState& state);

// A call in a scope with a tracer.
Status TraceCall(Scope::State& scope, const OpDefinition& op, std::span<TensorArgument> arguments,
                 const OpAttrsRef& attrs, std::span<Tensor> results, Location where);

// Returns the name of the device that the scope names; empty: none.
std::string_view DeviceNameOf(const Scope::State& scope);

}  // namespace tfrt::eager

#endif  // TFRT_LIB_API_EAGER_TRACED_STATE_H_
