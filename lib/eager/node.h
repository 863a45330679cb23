// Node: one scheduled call of an op, or a copy between devices.
#ifndef TFRT_EAGER_NODE_H_
#define TFRT_EAGER_NODE_H_

#include <cstdint>

#include "context_impl.h"
#include "pool_vector.h"
#include "tfrt/async/async_value_ref.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/host_context/execution_context.h"

namespace tfrt::eager {

// Made by the caller of an op, run once, on another thread, and then gone.
class Node {
 public:
  // An op; a copy of the argument on another device, or there as a dense tensor; an array of the
  // program, which is the argument.
  enum class Kind : uint8_t { kOp, kCopy, kConst };

  // `epoch` is what the context's CountBegin set.
  Node(Context::Impl& context, uint8_t epoch, uint64_t id, const OpDefinition& op, uint8_t device,
       const ExecutionContext& exec_ctx, Location where, Kind kind = Kind::kOp)
      : context(context),
        id(id),
        op(op),
        kind(kind),
        device(device),
        epoch(epoch),
        exec_ctx(exec_ctx),
        where(where) {}

  // What the node waits for and has not got yet.
  PoolVector<AsyncValue*> Awaited() const;
  // Needs all it waits for. Ends the node, perhaps later, when the results are there.
  void Run();
  // The same; returns when they are.
  void RunToEnd();

  static void* operator new(size_t size) { return tfrt::internal::AllocateSmall(size); }
  static void operator delete(void* block, size_t size) { tfrt::internal::FreeSmall(block, size); }

  Context::Impl& context;
  const uint64_t id;
  const OpDefinition& op;
  const Kind kind;
  const uint8_t device;
  const uint8_t epoch;  // of the context's count
  ExecutionContext exec_ctx;
  const Location where;
  OpAttrsRef attrs;                                // frozen
  PoolVector<RCReference<TensorState>> arguments;  // null: left out
  uint64_t last_uses = 0;
  PoolVector<TensorMetadata> metadata;  // of the results; empty: not known
  PoolVector<RCReference<IndirectAsyncValue>> results;
  AsyncValueRef<Chain> chain_in;          // null: no side effects
  RCReference<IndirectAsyncValue> chain;  // null: no side effects

 private:
  // What a node makes. Complete when all of it is available.
  struct Outcome {
    PoolVector<RCReference<AsyncValue>> values;
    AsyncValueRef<Chain> chain;  // null: side effects, if any, are over
    bool ran = false;            // else errors among the values say already where they are from

    PoolVector<AsyncValue*> Awaited() const;
  };
  ~Node() = default;
  Outcome Compute();
  // Publishes what is complete, and ends the node.
  void Finish(Outcome outcome);
  void Publish(Outcome outcome);
};

// True on a thread that runs a scheduled op now, also while it runs tasks until a conversion of an
// argument is there, which are in no op function (op_scope.h).
bool IsRunningNode();

// Gives the node to the context's executor. It may be gone when this returns.
void Schedule(Node* node);

// Runs `op` on values that are there; errors name the op and the line. Results may come later.
struct CallOutcome {
  Status error;
  AsyncValueRef<Chain> chain;
  bool is_explained = false;  // late errors name the op and the line, too
};
CallOutcome ComputeCall(Context::Impl& context, const OpDefinition& op, uint8_t device,
                        const ExecutionContext& exec_ctx, Location where, uint64_t id, bool traced,
                        std::span<AsyncValue*> arguments, uint64_t last_uses,
                        const OpAttrsRef& attrs, std::span<const TensorMetadata> metadata,
                        std::span<RCReference<AsyncValue>> results);

// True if `error` is what the elements of an argument are: it says already where it comes from.
bool IsErrorOfElements(std::span<AsyncValue* const> arguments, const Status& error);

// What an op makes of errors that come when its call is over (OpErrorText).
Status ExplainError(const OpDefinition& op, Location where, OpMetadataArguments arguments,
                    const TensorMetadata* refused, const Status& error);

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
                                    Location where, AsyncValue* value);
// The same, traced as the kernel of call `id`.
RCReference<AsyncValue> ComputeCopy(Context::Impl& context, uint8_t from, uint8_t to,
                                    const ExecutionContext& exec_ctx, Location where, uint64_t id,
                                    bool traced, AsyncValue* value);

// "FILE:LINE: ", or "NAME: " of a place that is none in a file; empty if it is unknown.
std::string LinePrefix(Location where);
// "FILE:LINE: OP: MESSAGE", or "FILE:LINE: MESSAGE" if that begins with the op.
Status LocatedError(const OpDefinition& op, Location where, const Status& error);
// The same for results that are there and are errors, with what the op was given (null: left out),
// but for errors that the elements of what it was given are. Returns the first of these; OK if
// there is none.
Status LocateErrors(const OpDefinition& op, Location where, std::span<AsyncValue* const> arguments,
                    std::span<RCReference<AsyncValue>> values);

// What messages and tracing call copies between devices, elements as one array, and arrays of the
// program. They have no function.
const OpDefinition& CopyOp();
const OpDefinition& DenseOp();
const OpDefinition& ConstOp();

}  // namespace tfrt::eager

#endif  // TFRT_EAGER_NODE_H_
