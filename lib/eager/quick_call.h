// The shortest way of a call: two tensors of a few elements that are there, and an op with a quick
// function (tfrt/core_runtime/quick_op.h). Such a call is over when it returns, also in an ASYNC
// scope, unless that is one in FIFO order: to schedule it would take many times as long as the op.
#ifndef TFRT_EAGER_QUICK_CALL_H_
#define TFRT_EAGER_QUICK_CALL_H_

#include "tfrt/eager/context.h"

namespace tfrt::eager {

// The result of the op without attributes, in the calling thread's scope; no tensor, and nothing
// has happened, if the call must go another way. If there is a result, what was moved into the
// arguments is gone.
Tensor CallQuickOp(const OpDefinition& op, TensorArgument& x, TensorArgument& y);
// The same while anything may be recorded. Not with details, which only the long way has.
Tensor CallQuickOpRecorded(const OpDefinition& op, TensorArgument& x, TensorArgument& y);

}  // namespace tfrt::eager

#endif  // TFRT_EAGER_QUICK_CALL_H_
