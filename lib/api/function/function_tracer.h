// FunctionTracer: the tracer of one function. Writes the traced calls as a TracedFunction.
#ifndef TFRT_LIB_API_FUNCTION_FUNCTION_TRACER_H_
#define TFRT_LIB_API_FUNCTION_FUNCTION_TRACER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/api/eager/tracer.h"
#include "program_builder.h"
#include "tfrt/opinfo/value_type.h"

namespace tfrt::function {

using eager::Location;
using eager::Tensor;
using eager::TensorArgument;
using eager::Variable;

// Belongs to the tracing thread while it traces. FunctionTracers of functions that are called by
// functions nest.
class FunctionTracer final : public eager::Tracer {
 public:
  // `outer` is null, or the tracer of the calling function, which has the same builder.
  FunctionTracer(std::string function, ProgramBuilder& builder, FunctionTracer* outer);
  ~FunctionTracer() override;

  uint64_t id() const override { return id_; }
  bool Knows(const eager::TracedValue& value) const override;
  Status Call(const OpDefinition& op, std::span<TensorArgument> arguments, const OpAttrsRef& attrs,
              std::span<Tensor> results, Location where, std::string_view device) override;
  // An effect that cannot be traced must not be left out: the trace fails.
  void CallFailed(const Status& error) override { Fail(error); }
  Status ExchangeFailure(Status failure) override {
    return std::exchange(failure_, std::move(failure));
  }
  Tensor Constant(const eager::HostArray& array, Location where) override;
  Tensor InitialValue(const Tensor& initial, Location where) override;
  Tensor Read(const Variable& variable) override;
  Tensor Assign(const Variable& variable, const Tensor& old, const Tensor& made,
                Location where) override;

  // --- The function

  // Adds the next argument. Must come before all other calls.
  Tensor AddArgument(const ValueType& type, const std::string& name, Location where);
  // Takes the results of the trace. If a result is an error, returns that error.
  Status Finish(std::span<const Tensor> results);
  size_t num_results() const { return result_types_.size(); }
  std::span<const ValueType> result_types() const { return result_types_; }
  uint32_t index() const { return index_; }
  // Returns the values of enclosing functions that it uses: arguments after its own.
  std::span<const Tensor> outer_values() const { return outer_values_; }
  const std::string& function() const { return function_; }
  ProgramBuilder& builder() { return builder_; }
  FunctionTracer* outer() const { return outer_; }
  // Reports errors that tensors do not carry: the trace has failed.
  void Fail(Status error);
  const Status& failure() const { return failure_; }

  // --- Structure

  using BodyFunction = std::function<StatusOr<std::vector<Tensor>>(std::span<const Tensor>)>;
  struct Body {
    TracedBody body;
    std::vector<ValueType> results;
  };
  // Traces the calls that `trace` makes with arguments of these types. Its results are in the
  // body.
  StatusOr<Body> TraceBody(std::string_view what, std::span<const ValueType> arguments,
                           const BodyFunction& trace, Location where);
  // Returns the number of a tensor of this trace or of an enclosing one. A tensor that has elements
  // becomes a constant. Fails with the error of a tensor that is one, or whose trace is over.
  StatusOr<ValueId> ValueOf(const Tensor& tensor, Location where);
  const ValueType& TypeOf(ValueId value) const { return types_[value]; }
  // Unknown sizes get fresh symbols: two of them are never assumed equal.
  ValueType TypeOf(const TracedType& type);
  // Appends an op and returns its results.
  std::vector<Tensor> AddOp(TracedOp op, std::span<const ValueType> results,
                            std::string_view made_by, Location where);
  // Appends the ops of a flat function (flatten.h) of the same program, called with these values.
  // Returns its results.
  std::vector<ValueId> Inline(const TracedFunction& function, std::span<const ValueId> arguments);
  // Returns `value` as a tensor with the properties of another value.
  Tensor TensorLike(ValueId value, const ValueType& like, std::string_view made_by, Location where);
  // Assigns a value to a variable.
  void Assign(const Variable& variable, ValueId value, Location where);
  // Returns a fresh symbol for an unknown size, which is never assumed equal to another.
  Dim NewSymbol() { return Dim::Symbol(next_symbol_++); }

 private:
  struct OpenBody {
    TracedBody body;
    uint32_t number;
  };
  // The op that made a value, in traces that may create variables.
  struct Producer {
    const OpDefinition* op = nullptr;  // null: a constant, or not computable alone
    OpAttrsRef attrs;
    std::vector<ValueId> arguments;
    size_t result = 0;
    Tensor constant;
  };

  TracedFunction& traced() { return builder_.graph.functions[index_]; }
  ValueId NewValue(const ValueType& type);
  TracedBody Renamed(const TracedBody& body, const TracedFunction& function,
                     std::vector<ValueId>& names);
  Tensor TensorOf(ValueId value, std::string_view made_by, Location where);
  StatusOr<ValueId> TracedId(const eager::TracedValue& value, const Tensor& tensor);
  StatusOr<ValueId> ConstantId(const Tensor& tensor, Location where);
  ValueId AddConstant(const Tensor& keeps_alive, const DenseHostTensor& elements, Location where);
  StatusOr<std::vector<ValueId>> ArgumentIds(const OpDefinition& op,
                                             std::span<TensorArgument> arguments, Location where);
  void WarnIfUnrolled(Location where);
  StatusOr<Tensor> ComputeInitialValue(ValueId value, std::map<ValueId, Tensor>* done);

  const uint64_t id_;
  const std::string function_;
  ProgramBuilder& builder_;
  FunctionTracer* const outer_;
  const uint32_t index_;
  std::vector<ValueType> types_;     // by ValueId
  std::vector<uint32_t> body_of_;    // by ValueId
  std::vector<Producer> producers_;  // by ValueId; empty if no variables may be created
  std::vector<std::string> argument_names_;
  std::vector<std::unique_ptr<OpenBody>> bodies_;  // the open ones, the innermost last
  uint32_t num_bodies_ = 0;
  std::vector<Tensor> outer_values_;
  std::map<uint64_t, ValueId> outer_ids_;                             // of their values
  std::map<std::pair<uint32_t, const void*>, ValueId> constant_ids_;  // by body and elements
  std::map<std::pair<const LocationHandler*, uint64_t>, uint32_t> calls_at_;
  std::vector<ValueType> result_types_;
  Status failure_;
  uint32_t next_symbol_ = 0;
};

// Returns the tracer of this thread's scope; null: nothing is traced.
FunctionTracer* CurrentFunctionTracer();

}  // namespace tfrt::function

#endif  // TFRT_LIB_API_FUNCTION_FUNCTION_TRACER_H_
