// OpTask: one call of an op on its way from arguments to results. Calls by programs (execute_op.h)
// and by the C++ API that do not end at once go this way:
//
//   Awaited()       what is not there yet: arguments, and the end of the effects before
//   Run()           the first error among these, or a cancelled request, ends the call
//                   the results' metadata, if the caller could not know them
//                   conversions of arguments that the device does not take; they may come later
//                   RunOpOn: the op, on the OpRunner of its device
//                   if errors are explained: results that come later are waited for
//   Publish()       the arguments are let go, then others hear of the results
#ifndef TFRT_LIB_OPS_OP_CALL_OP_TASK_H_
#define TFRT_LIB_OPS_OP_CALL_OP_TASK_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "lib/base/async/pool_vector.h"
#include "op_runner.h"
#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/chain.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/support/status.h"

namespace tfrt {

// Used by one thread at a time. Its creator sets the arguments of the op, and calls Run when what
// it awaits is available. Publish ends it.
class OpTask {
 public:
  // `op` must outlive the task. `takes_dense`: the op takes dense host tensors wherever it runs.
  OpTask(const OpDefinition& op, const ExecutionContext& exec_ctx, bool takes_dense)
      : op(op), exec_ctx(exec_ctx), takes_dense_(takes_dense) {}
  OpTask(const OpTask&) = delete;
  OpTask& operator=(const OpTask&) = delete;

  const OpDefinition& op;
  const ExecutionContext exec_ctx;  // its location is that of the call
  OpAttrsRef attrs;                 // frozen, if the call returns before the task ends
  uint64_t last_uses = 0;           // see OpCall
  // As many as there are results; PublishResults makes them the outcome, and the chain. Null for
  // who takes that as it is.
  PoolVector<RCReference<IndirectAsyncValue>> results;
  RCReference<IndirectAsyncValue> chain;  // null: nobody asked
  AsyncValueRef<Chain> chain_in;          // null: nothing to wait for

  // Sets the metadata of the results. If this is not called they are computed, provided the op has
  // a function for that.
  void SetMetadata(std::span<const TensorMetadata> known) {
    metadata_.assign(known.begin(), known.end());
    knows_metadata_ = true;
  }

  // For calls that the device has prepared (OpRun::prepared). Not null. Before Run.
  void SetPrepared(std::shared_ptr<const PreparedOp> prepared) {
    later_ = std::make_unique<Later>();
    later_->prepared = std::move(prepared);
  }

  // Returns the values that the task waits for and that are not available yet.
  PoolVector<AsyncValue*> Awaited() const;
  // Needs all it waits for. Publishes, perhaps later.
  void Run();

  static void* operator new(size_t size) { return internal::AllocateSmall(size); }
  static void operator delete(void* block, size_t size) { internal::FreeSmall(block, size); }

 protected:
  // The outcome of a call.
  struct Outcome {
    PoolVector<RCReference<AsyncValue>> values;  // of the results
    AsyncValueRef<Chain> chain;                  // null: side effects, if any, are over
    Status error;                                // of the op; it is what the values are
    bool is_explained = false;  // errors that come later are what others are to see
  };

  virtual ~OpTask() = default;

  // Where the op runs; must outlive the task.
  virtual const OpPlace& place() const = 0;
  // The values; null where left out. Held by who made the task, until it publishes.
  virtual PoolVector<AsyncValue*> Arguments() const = 0;
  // Returns the function that rewrites errors of this call before they are visible elsewhere. Null:
  // errors stay as they are, and results are published that come later.
  virtual OpErrorText explain() const { return nullptr; }
  // Argument `index`, which is available, as the op needs it, perhaps later; null: as it is.
  virtual AsyncValueRef<Tensor> Converted(size_t index, AsyncValue* value);
  // Runs the op: RunOpOn, and what the caller has to do around it.
  virtual OpOutcome Execute(OpRun& run);
  // Calls `next` when the values are available. They are some that are not.
  virtual void Proceed(std::span<AsyncValue* const> values, void (OpTask::*next)());
  // Takes the outcome; the task is used no more, and may delete itself.
  virtual void Publish(Outcome outcome) = 0;

  // Lets `results` and `chain` become the outcome. The task must hold no argument any more, so that
  // readers of the results may reuse their memory.
  void PublishResults(Outcome& outcome);
  // For a call with side effects: returns the outcome's chain, available if they are over, or its
  // error.
  static AsyncValueRef<Chain> TokenOf(Outcome& outcome);
  // Computes the results' metadata; the error has been reported and explained.
  Status ComputeMetadata(OpMetadataArguments known);
  // Returns the first available error of what the task needs; null: none.
  AsyncValue* FirstError(std::span<AsyncValue* const> arguments) const;
  std::span<const TensorMetadata> metadata() const { return metadata_; }
  // Publishes the error.
  void Fail(const RCReference<AsyncValue>& error);

 private:
  struct Conversion {
    size_t index;
    AsyncValueRef<Tensor> value;
  };
  // State of calls that are prepared, or in which something comes later than the arguments.
  struct Later {
    std::shared_ptr<const PreparedOp> prepared;
    PoolVector<Conversion> conversions;
    Outcome outcome;
  };

  // Requires that the conversions, if any, are available.
  void RunConverted();
  void RunOn(PoolVector<AsyncValue*> arguments);
  // Requires that the whole outcome is available.
  void Finish();
  Status Explained(OpMetadataArguments known, const TensorMetadata* refused,
                   const Status& error) const;

  PoolVector<TensorMetadata> metadata_;  // of the results, once they are known
  std::unique_ptr<Later> later_;
  bool knows_metadata_ = false;  // else they are computed, if the op has a function for that
  const bool takes_dense_;
};

// Runs the op on the place's device, with the thread marked as in an op function, and sets all
// `results`; errors are explained by run.explain. Internal for a result that the device, or the
// composite op, leaves unset.
OpOutcome RunOpOn(const OpPlace& place, const OpRun& run);

// The position of an argument in a call.
struct ArgumentIndex {
  size_t index;
  size_t num_arguments;
};
// True if the op takes that argument as it is and where it is.
bool TakesArgument(const OpDefinition& op, const OpPlace& place, ArgumentIndex of,
                   const Tensor& tensor);
// Returns argument `value`, which is an available tensor, in the form that the op takes on the
// place's device. This is a copy in the memory where the op needs it, or one of another type, and
// may come later. Null: the argument fits as it is. `from` is the device that has it; null:
// wherever its memory is. Numbers are needed in the device's memory. Host values (OpDescription)
// and all else are needed in host memory.
AsyncValueRef<Tensor> ArgumentForOp(const OpDefinition& op, const OpPlace& place, ArgumentIndex of,
                                    AsyncValue* value, Device* from,
                                    const ExecutionContext& exec_ctx);

// Returns the metadata of available values; null for those that are left out or not available.
PoolVector<const TensorMetadata*> MetadataOf(std::span<AsyncValue* const> values);

// True if `error` is what the elements of an argument are: it says already where it comes from.
bool IsErrorOfElements(std::span<AsyncValue* const> arguments, const Status& error);

// Explains those results of a call that are available and are errors, except errors of the
// arguments' elements. Null is allowed for `explain`, and for `arguments` that are left out.
// Returns the first error; OK if there is none.
Status ExplainErrors(const OpDefinition& op, Location where, OpErrorText explain,
                     std::span<AsyncValue* const> arguments,
                     std::span<RCReference<AsyncValue>> values);

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_OP_CALL_OP_TASK_H_
