// The parts of an op's call that all ways of calling it share: metadata, the op's function, and
// that its results are what was promised. An op's call is made of tensors; it knows nothing of
// handles.
#ifndef TFRT_LIB_OPS_OP_CALL_RUN_OP_H_
#define TFRT_LIB_OPS_OP_CALL_RUN_OP_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/chain.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/tensor.h"

namespace tfrt {

// Calls the op's metadata function. InvalidArgument if it has one and the metadata are bad.
Status ComputeOpMetadata(const OpDefinition& op, OpMetadataArguments arguments,
                         const OpAttrsRef& attrs, std::span<TensorMetadata> results);

// The outcome of a run.
struct OpOutcome {
  Status error;                // OK, or what the results are; it has been reported
  AsyncValueRef<Chain> chain;  // null: no side effects are left
  std::unique_ptr<const TensorMetadata> refused;  // what there was no memory for, if that is known
  // Set by RunOpOn with an OpRun::explain: errors that come later have been, or will be, explained.
  bool is_explained = false;
};

// Runs the op on available arguments that are no errors (null: left out), on this thread. Sets all
// `results`, which may come later. A result that differs from `result_metadata`, perhaps when it
// comes, is an Internal error: its elements would be misread. For `last_uses` see OpCall. An op
// without a metadata function has empty `result_metadata`. For `parsed_attrs` see OpCall.
OpOutcome RunOp(const OpDefinition& op, const ExecutionContext& exec_ctx, HostAllocator* allocator,
                std::span<AsyncValue* const> arguments, uint64_t last_uses, const OpAttrsRef& attrs,
                std::span<const TensorMetadata> result_metadata,
                std::span<RCReference<AsyncValue>> results,
                const ParsedOpAttrs* parsed_attrs = nullptr);

// Internal: "OP: result 1 is f32 [3], but its metadata function promised f32 [2]". Reported.
[[gnu::cold]] Status ReportWrongMetadata(const OpDefinition& op, const ExecutionContext& exec_ctx,
                                         size_t index, const TensorMetadata& actual,
                                         const TensorMetadata& promised);

// Internal: "OP: result 1 is not set", or InvalidArgument if there are more results than the op
// has.
[[gnu::cold]] Status UnsetResult(const OpDefinition& op,
                                 std::span<const RCReference<AsyncValue>> results);

// Ends a call that fails before its function runs: reports the error, which becomes all `results`.
[[gnu::cold]] OpOutcome FailedCall(const ExecutionContext& exec_ctx, Status error,
                                   std::span<RCReference<AsyncValue>> results);

// The error of a call whose function has not set all results, reported if it has not been.
Status FinishFailedOp(const OpDefinition& op, const ExecutionContext& exec_ctx, const OpCall& call);

// True if the op takes the tensor as it is. All take resources, tensors of the dtype kResource, so.
bool AcceptsTensor(const OpDefinition& op, const Tensor& tensor);
// The tensor as the op takes it, perhaps later. InvalidArgument "Cannot implictly convert A to B".
AsyncValueRef<Tensor> ConvertForOp(const OpDefinition& op, const ExecutionContext& exec_ctx,
                                   const AsyncValueRef<Tensor>& tensor);

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_OP_CALL_RUN_OP_H_
