// Tracer: takes calls of ops in place of running them. For the runtime (tfrt::function), which
// records programs with it; programs use tfrt/function/function.h.
#ifndef TFRT_EAGER_TRACER_H_
#define TFRT_EAGER_TRACER_H_

#include <cstddef>
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

// What a traced tensor is, in place of elements. Plain data.
struct TracedValue {
  uint64_t trace = 0;    // Tracer::id of who made it
  uint32_t value = 0;    // its number there
  ValueType type;        // what is known of it
  std::string function;  // that is traced
  std::string made_by;   // "tf.Sum", "argument x"
  Location where;        // of the call
};

// A tensor that is this value. To ask for its elements is an error that names what made it and
// where: so is to use it when its trace is over.
Tensor MakeTracedTensor(TracedValue value);
// Null for a tensor that has elements, or will have. Lives as long as the tensor.
const TracedValue* TracedValueOf(const Tensor& tensor);
const TracedValue* TracedValueOf(const TensorState& state);
// The error of a traced tensor whose trace is over.
Status LeakError(const TracedValue& value);

// Called by the thread of its TracerScope alone. Calls of ops come with all their attributes; the
// error that Call returns becomes that of the results, with the op and the line.
class Tracer {
 public:
  virtual ~Tracer() = default;

  // A number that no other tracer has or had.
  virtual uint64_t id() const = 0;
  // True if the value belongs to this trace, or to one around it.
  virtual bool Knows(const TracedValue& value) const = 0;
  // The call of an op, which is valid but for shapes and whose arguments are no errors; sets the
  // results if it returns OK. `device`: what its scope names; empty: nothing.
  virtual Status Call(const OpDefinition& op, std::span<TensorArgument> arguments,
                      const OpAttrsRef& attrs, std::span<Tensor> results, Location where,
                      std::string_view device) = 0;
  // A call has failed, with this error, or has an argument that is one.
  virtual void CallFailed(const Status& error) = 0;
  // An array of the program that becomes a tensor.
  virtual Tensor Constant(const HostArray& array, Location where) = 0;
  // The first value of a new variable: a tensor with elements, or an error.
  virtual Tensor InitialValue(const Tensor& initial, Location where) = 0;
  // What Variable::Read of a variable with a value does, and Update before and after `made` is
  // computed of what Read gave, `old`. Assign returns what Update returns.
  virtual Tensor Read(const Variable& variable) = 0;
  virtual Tensor Assign(const Variable& variable, const Tensor& old, const Tensor& made,
                        Location where) = 0;
};

// Of the thread's scope; null: ops run.
Tracer* CurrentTracer();

// As Scope. With a tracer, which gets the calls, also those of scopes that begin inside of it; mode
// and policy are those of the scope around it. With null ops run, in SYNC mode, also inside of a
// tracer's scope.
class TracerScope {
 public:
  TracerScope(Context& context, Tracer* tracer, std::string_view device);
  TracerScope(const TracerScope&) = delete;
  TracerScope& operator=(const TracerScope&) = delete;

 private:
  Scope scope_;
};

// What a call in the thread's scope looks like from outside. Null context: no scope.
struct ScopeView {
  Context* context = nullptr;
  uint64_t context_id = 0;       // a number that no other context has or had
  uint16_t device_number = 0;    // of the device in the context; another one if it names none
  std::string_view device = {};  // that it names; empty: none
  Status status;                 // of the scope
};
ScopeView CurrentScopeView();

// Calls `on_cancel`, which must not call the context, at each Context::Cancel, by its thread, until
// the result goes; that may be later than the context. What goes meanwhile waits for the call.
std::shared_ptr<void> OnCancel(Context& context, std::function<void()> on_cancel);

// "FILE:LINE: WHAT: MESSAGE"
Status ErrorAt(Location where, std::string_view what, const Status& error);
// A tensor that is the error.
Tensor ErrorTensorOf(const Status& error);
// A tensor that an op makes, of which the caller knows more than the op said.
Tensor WithMetadata(const Tensor& tensor, const TensorMetadata& metadata);

// The number, as ScopeView has it, of the context of a tensor; 0: it has none, or that is gone.
uint64_t ContextIdOf(const TensorState& state);

}  // namespace tfrt::eager

#endif  // TFRT_EAGER_TRACER_H_
