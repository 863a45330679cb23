// The shortest path of a call: two available tensors of a few elements, and an op with a quick
// function (lib/ops/op_call/quick_op.h). Such a call is over when it returns, also in an ASYNC
// scope, except in FIFO order. Scheduling it would take many times as long as the op.
#ifndef TFRT_LIB_API_EAGER_QUICK_CALL_H_
#define TFRT_LIB_API_EAGER_QUICK_CALL_H_

#include <atomic>

#include "tfrt/eager/context.h"
#include "tfrt/tracing/record.h"

namespace tfrt::eager {

// Calls an op that has a quick function, in the calling thread's scope: by the shortest path if
// possible, otherwise by ExecuteComplete. Either way tensors that were moved into the arguments are
// released.
Tensor CallQuickOp(const OpDefinition& op, TensorArgument& x, TensorArgument& y, Location where);

// Does the same for tensors that others keep until the call is over, if no records are wanted.
Tensor CallPlainQuickOp(const OpDefinition& op, TensorState* x, TensorState* y, Location where);

// The same two, only if the shortest path is possible and the tensors' dtype is one of `dtypes`:
// bit i is that of number i. Otherwise no tensor, and the arguments are as they were.
Tensor TryQuickOp(const OpDefinition& op, uint64_t dtypes, TensorArgument& x, TensorArgument& y,
                  Location where);
Tensor TryPlainQuickOp(const OpDefinition& op, uint64_t dtypes, TensorState* x, TensorState* y);

// The quicker one of both tries.
inline Tensor TryQuick(const OpDefinition& op, uint64_t dtypes, TensorArgument& x,
                       TensorArgument& y, Location where) {
  TensorState *first = x.borrowed(), *second = y.borrowed();
  if (first && second && !tracing::IsAnythingActive()) [[likely]]
    return TryPlainQuickOp(op, dtypes, first, second);
  return TryQuickOp(op, dtypes, x, y, where);
}

// Such an op of the host by its name, looked up at the first call. Thread-safe.
class QuickOp {
 public:
  explicit constexpr QuickOp(const char* name) : name_(name) {}

  Tensor operator()(TensorArgument& x, TensorArgument& y, Location where) {
    // acquire: sees the definition.
    const OpDefinition* op = op_.load(std::memory_order_acquire);
    if (!op) [[unlikely]]
      return CallFirst(x, y, where);
    TensorState *first = x.borrowed(), *second = y.borrowed();
    if (first && second && !tracing::IsAnythingActive()) [[likely]]
      return CallPlainQuickOp(*op, first, second, where);
    return CallQuickOp(*op, x, y, where);
  }

 private:
  Tensor CallFirst(TensorArgument& x, TensorArgument& y, Location where);

  const char* const name_;
  std::atomic<const OpDefinition*> op_{nullptr};
};

}  // namespace tfrt::eager

#endif  // TFRT_LIB_API_EAGER_QUICK_CALL_H_
