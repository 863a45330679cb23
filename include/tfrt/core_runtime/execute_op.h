// How an op of a registry runs when it is called on handles: metadata first, at once if they are
// known; then, when the arguments' elements are there, the steps of op_task.h.
#ifndef TFRT_CORE_RUNTIME_EXECUTE_OP_H_
#define TFRT_CORE_RUNTIME_EXECUTE_OP_H_

#include <cstdint>
#include <memory>
#include <span>

#include "tfrt/core_runtime/op_handler.h"
#include "tfrt/core_runtime/op_registry.h"

namespace tfrt {

class OpRunner;

// Where an op runs.
struct OpPlace {
  RCReference<Device> device;  // of the results
  HostAllocator* allocator;    // of its memory that the host can read
  const OpRunner* runner;      // how ops run there; the host's

  // On a device, with its own allocator. Unimplemented if nobody has said how ops run on its kind.
  static StatusOr<OpPlace> On(HostContext* host, RCReference<Device> device);
};

// Runs `op` on the place's device. On this thread if all arguments are there and are what the op
// takes, else on the thread that provides the last one. Arguments in another memory than the
// device's are copied there, or to the host if the op reads them there (OpDescription). `op` and
// what the place points to must outlive the call's results.
void ExecuteOp(const OpDefinition& op, const OpPlace& place, const OpInvocation& invocation);

// --- The parts, for those who schedule themselves. ---

// Calls the op's metadata function. InvalidArgument if it has one and the metadata are bad.
Status ComputeOpMetadata(const OpDefinition& op, OpMetadataArguments arguments,
                         const OpAttrsRef& attrs, std::span<TensorMetadata> results);

// What comes out of a run.
struct OpOutcome {
  Status error;                // OK, or what the results are; it has been reported
  AsyncValueRef<Chain> chain;  // null: no side effects are left
  std::unique_ptr<const TensorMetadata> refused;  // what there was no memory for, if that is known
  // Of RunOpOn with an OpRun::explain: errors that come later have been, or will be, explained.
  bool is_explained = false;
};

// Runs the op on available arguments that are no errors (null: left out), on this thread. Sets all
// `results`, which may come later. One that is not what `result_metadata` says, perhaps when it
// comes, is an Internal error, for its elements would be taken for others.
// `last_uses`: see OpCall. `result_metadata` is empty for an op without a metadata function.
OpOutcome RunOp(const OpDefinition& op, const ExecutionContext& exec_ctx, HostAllocator* allocator,
                std::span<AsyncValue* const> arguments, uint64_t last_uses, const OpAttrsRef& attrs,
                std::span<const TensorMetadata> result_metadata,
                std::span<RCReference<AsyncValue>> results);

// Internal: "OP: result 1 is f32 [3], but its metadata function promised f32 [2]". Reported.
[[gnu::cold]] Status ReportWrongMetadata(const OpDefinition& op, const ExecutionContext& exec_ctx,
                                         size_t index, const TensorMetadata& actual,
                                         const TensorMetadata& promised);

// The error of a call whose function has not set all results, reported if it has not been.
Status FinishFailedOp(const OpDefinition& op, const ExecutionContext& exec_ctx, const OpCall& call);

// True if the op takes the tensor as it is. All take resources, tensors of the dtype kResource, so.
bool AcceptsTensor(const OpDefinition& op, const Tensor& tensor);
// The tensor as the op takes it, perhaps later. InvalidArgument "Cannot implictly convert A to B".
AsyncValueRef<Tensor> ConvertForOp(const OpDefinition& op, const ExecutionContext& exec_ctx,
                                   const AsyncValueRef<Tensor>& tensor);

}  // namespace tfrt

#endif  // TFRT_CORE_RUNTIME_EXECUTE_OP_H_
