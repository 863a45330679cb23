// Tracer: takes calls of ops instead of running them. The runtime (tfrt::function) traces programs
// with it; programs use tfrt/function/function.h.
#ifndef TFRT_LIB_API_EAGER_TRACER_H_
#define TFRT_LIB_API_EAGER_TRACER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/eager/context.h"
#include "tfrt/eager/tensor.h"
#include "tfrt/opinfo/value_type.h"
#include "tfrt/support/location.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::eager {

class Variable;

// The data of a traced tensor, in place of elements. Plain data.
struct TracedValue {
  uint64_t trace = 0;    // Tracer::id of its maker
  uint32_t value = 0;    // its number there
  ValueType type;        // the known facts about it
  std::string function;  // the traced function
  std::string made_by;   // "tf.Sum", "argument x"
  Location where;        // of the call
};

// Makes a tensor that stands for this value. Reading its elements is an error that names its maker
// and location. Using it after its trace is over is an error too.
Tensor MakeTracedTensor(TracedValue value);
// Returns null for a tensor that has elements, or will have. Lives as long as the tensor.
const TracedValue* TracedValueOf(const Tensor& tensor);
const TracedValue* TracedValueOf(const TensorState& state);
// Returns the error of a traced tensor whose trace is over.
Status LeakError(const TracedValue& value);

// Called only by the thread of its TracerScope. Calls of ops come with all their attributes. An
// error that Call returns becomes the error of the results, with the op and the line.
class Tracer {
 public:
  virtual ~Tracer() = default;

  // Returns a number that is unique among all tracers, also destroyed ones.
  virtual uint64_t id() const = 0;
  // True if the value belongs to this trace, or to an enclosing one.
  virtual bool Knows(const TracedValue& value) const = 0;
  // Traces the call of an op. The call is valid except for shapes, and no argument is an error.
  // Sets the results if it returns OK. `device` is the device that the scope names; empty: none.
  virtual Status Call(const OpDefinition& op, std::span<TensorArgument> arguments,
                      const OpAttrsRef& attrs, std::span<Tensor> results, Location where,
                      std::string_view device) = 0;
  // Reports that a call has failed with this error, or has an argument that is this error.
  virtual void CallFailed(const Status& error) = 0;
  // Sets the failure of the trace, or OK, and returns the former one: for calls that are traced
  // again.
  virtual Status ExchangeFailure(Status failure) = 0;
  // Traces an array of the program that becomes a tensor.
  virtual Tensor Constant(const HostArray& array, Location where) = 0;
  // Returns the first value of a new variable: a tensor with elements, or an error.
  virtual Tensor InitialValue(const Tensor& initial, Location where) = 0;
  // Read acts as Variable::Read of a variable with a value. An Update calls Read, computes `made`
  // from its result `old`, and calls Assign. Update returns the result of Assign.
  virtual Tensor Read(const Variable& variable) = 0;
  virtual Tensor Assign(const Variable& variable, const Tensor& old, const Tensor& made,
                        Location where) = 0;
};

// Returns the tracer of the thread's scope; null: ops run.
Tracer* CurrentTracer();

// As Scope. A tracer receives the calls, also those of scopes that begin inside of this one. Mode
// and policy are then those of the enclosing scope. With null, ops run in SYNC mode, even inside of
// a tracer's scope.
class TracerScope {
 public:
  TracerScope(Context& context, Tracer* tracer, std::string_view device);
  TracerScope(const TracerScope&) = delete;
  TracerScope& operator=(const TracerScope&) = delete;

 private:
  Scope scope_;
};

// Describes the thread's scope as calls see it. Null context: no scope.
struct ScopeView {
  Context* context = nullptr;
  uint64_t context_id = 0;       // unique among all contexts, also destroyed ones
  uint16_t device_number = 0;    // of the device in the context; a special number if it names none
  std::string_view device = {};  // the device that it names; empty: none
  Status status;                 // of the scope
};
ScopeView CurrentScopeView();

// Calls `on_cancel`, which must not call the context, at each Context::Cancel, on the cancelling
// thread. This ends when the result is destroyed, which may be later than the context. Destroying
// the result during a call waits for the call.
std::shared_ptr<void> OnCancel(Context& context, std::function<void()> on_cancel);

// Returns "FILE:LINE: WHAT: MESSAGE".
Status ErrorAt(Location where, std::string_view what, const Status& error);
// Returns a tensor that is the error.
Tensor ErrorTensorOf(const Status& error);
// Returns an op's result with metadata that are more exact than the op's own.
Tensor WithMetadata(const Tensor& tensor, const TensorMetadata& metadata);

// Returns the number of a tensor's context, as in ScopeView, or 0 if it has none or that is
// destroyed.
uint64_t ContextIdOf(const TensorState& state);

}  // namespace tfrt::eager

#endif  // TFRT_LIB_API_EAGER_TRACER_H_
