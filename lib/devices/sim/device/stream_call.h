// StreamCall: one call of an op on a sim device, from when it is enqueued until it has run.
#ifndef TFRT_LIB_DEVICES_SIM_DEVICE_STREAM_CALL_H_
#define TFRT_LIB_DEVICES_SIM_DEVICE_STREAM_CALL_H_

#include <cstddef>
#include <span>
#include <vector>

#include "lib/ops/op_call/op_runner.h"
#include "sim_tensor.h"
#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/chain.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::sim::internal {

// Made by the caller, run once on the thread of the compute stream, and destroyed there. If the
// stream has stopped it drops the call, and the promised results become errors.
//
// It keeps no tensors of the device: their memory is freed in the order of the stream. An error of
// the op is one of its results, not of the stream. Values computed from them become the same error
// in their turn, and all other work continues.
class StreamCall {
 public:
  explicit StreamCall(const OpRun& run);
  ~StreamCall();
  StreamCall(const StreamCall&) = delete;
  StreamCall& operator=(const StreamCall&) = delete;

  // Returns the parts of the device's memory that it may use: the arguments that are there, then
  // the results.
  const std::vector<Operand>& operands() const { return operands_; }

  // Results whose metadata are known: their memory, and when they are there.
  void AddResult(const SimBuffer& buffer, AsyncValueRef<Chain> elements);
  // Results of which the op says what they are: they come when it has run.
  void AddLateResult(RCReference<IndirectAsyncValue> result);
  // When the side effects are over.
  void SetChain(AsyncValueRef<Chain> chain) { chain_ = std::move(chain); }

  // `addresses`: of the operands, for the stream.
  void Run(std::span<std::byte* const> addresses);

 private:
  // The data for error texts, also when the call is destroyed.
  struct Text {
    const OpDefinition& op;
    Location where;
    OpErrorText explain;  // may be null
    std::vector<TensorMetadata> arguments;
    std::vector<bool> is_given;

    Status Of(const TensorMetadata* refused, const Status& error) const;
  };
  struct Argument {
    bool is_given = false;
    RCReference<AsyncValue> host_value;  // null: it lies on the device
    AsyncValueRef<Chain> elements;       // of the device; null otherwise
    size_t operand = 0;                  // of the device
  };
  struct Result {
    AsyncValueRef<Chain> elements;
    size_t operand;
  };

  // The error of an argument, or of a cancelled request; OK.
  Status ErrorBefore() const;
  // Calls the op's function. Sets `values`, all available, and returns the error of the side
  // effects.
  Status Compute(std::span<std::byte* const> addresses,
                 std::vector<RCReference<AsyncValue>>* values);
  // Returns `value` itself, or a copy if its elements are in the memory of an argument. The stream
  // may reuse that memory as soon as it continues.
  RCReference<AsyncValue> WithoutOperands(RCReference<AsyncValue> value,
                                          std::span<std::byte* const> addresses) const;
  // Returns the op's result as a tensor that belongs to the device: numbers in its memory, others
  // as they are.
  static RCReference<AsyncValue> OnDevice(const RCReference<AsyncValue>& value, SimDevice& device,
                                          const ExecutionContext& exec_ctx, const Text& text);
  // Writes a value as the result, or its error.
  void Publish(const Result& result, const AsyncValue& value, std::byte* address);
  // Nothing comes of the call. `error` is as programs see it.
  void Fail(const Status& error);
  // Gives what needs no stream any more to the queue.
  void Finish(std::vector<RCReference<AsyncValue>> late_values, Status effect_error);

  const OpDefinition& op_;
  SimDevice& device_;
  HostAllocator* const allocator_;
  const ExecutionContext exec_ctx_;
  const OpAttrsRef attrs_;
  TaskTicket ticket_;
  Text text_;
  std::vector<Argument> arguments_;
  std::vector<Operand> operands_;
  std::vector<TensorMetadata> metadata_;  // of the results; empty: not known
  std::vector<Result> results_;
  std::vector<RCReference<IndirectAsyncValue>> late_results_;
  AsyncValueRef<Chain> chain_;  // null: no side effects
  bool is_over_ = false;
};

}  // namespace tfrt::sim::internal

#endif  // TFRT_LIB_DEVICES_SIM_DEVICE_STREAM_CALL_H_
