// Node: one scheduled call of an op, or a copy between devices.
#ifndef TFRT_LIB_API_EAGER_NODE_H_
#define TFRT_LIB_API_EAGER_NODE_H_

#include <cstdint>

#include "context_impl.h"
#include "lib/ops/op_call/op_task.h"
#include "tfrt/async/async_value_ref.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/host_context/execution_context.h"

namespace tfrt::eager {

// Rewrites errors that come when an op's call is over (OpErrorText).
Status ExplainError(const OpDefinition& op, Location where, OpMetadataArguments arguments,
                    const TensorMetadata* refused, const Status& error);

// Made by the caller of an op and run once, on another thread. It is destroyed when the results are
// available; in a context in FIFO order the thread waits for that. Errors name the op, its
// arguments and the line.
class Node final : public OpTask {
 public:
  // An op; a copy of the argument on another device, or there as a dense tensor; an array of the
  // program, which is the argument.
  enum class Kind : uint8_t { kOp, kCopy, kConst };

  // `epoch`: what the context's CountBegin set.
  Node(Context::Impl& context, uint8_t epoch, uint64_t id, const OpDefinition& op, uint8_t device,
       const ExecutionContext& exec_ctx, size_t num_results, Kind kind = Kind::kOp);

  const uint8_t device;
  const Kind kind;
  const uint8_t epoch;
  Context::Impl& context;
  const uint64_t id;
  PoolVector<RCReference<TensorState>> arguments;  // null: left out

  // As that of OpTask, without a list of the arguments.
  PoolVector<AsyncValue*> Awaited() const;

 private:
  ~Node() override = default;
  const OpPlace& place() const override { return context.devices[device]; }
  OpErrorText explain() const override { return &ExplainError; }
  PoolVector<AsyncValue*> Arguments() const override;
  AsyncValueRef<tfrt::Tensor> Converted(size_t index, AsyncValue* value) override;
  OpOutcome Execute(OpRun& run) override;
  void Proceed(std::span<AsyncValue* const> values, void (OpTask::*next)()) override;
  void Publish(Outcome outcome) override;
};

// True on a thread that runs a scheduled op now, also while that runs tasks until a result is
// there.
bool IsRunningNode();

// Gives the node to the context's executor. It may be gone when this returns.
void Schedule(Node* node);

// A tensor that is there, on another device of the context; or, if that is the same one, as a dense
// tensor. Errors name the line, but those of the tensor's own elements, which do so already. May
// come later.
struct CopyPlace {
  const ContextDevice& from;
  const ContextDevice& to;
  HostAllocator* allocator;  // of the latter's memory that the host can read
  const ConversionRegistry& conversions;
};
RCReference<AsyncValue> ComputeCopy(const CopyPlace& place, const ExecutionContext& exec_ctx,
                                    AsyncValue* value);
// The same, recorded as the kernel of call `id`.
RCReference<AsyncValue> ComputeCopy(Context::Impl& context, uint8_t from, uint8_t to,
                                    const ExecutionContext& exec_ctx, uint64_t id, bool is_recorded,
                                    AsyncValue* value);

// "FILE:LINE: ", or "NAME: " of a place that is none in a file; empty if it is unknown.
std::string LinePrefix(Location where);
// "FILE:LINE: OP: MESSAGE", or "FILE:LINE: MESSAGE" if that begins with the op.
Status LocatedError(const OpDefinition& op, Location where, const Status& error);

// The names of copies between devices, of elements as one array, and of arrays of the program in
// messages and tracing. They have no function.
const OpDefinition& CopyOp();
const OpDefinition& DenseOp();
const OpDefinition& ConstOp();

}  // namespace tfrt::eager

#endif  // TFRT_LIB_API_EAGER_NODE_H_
