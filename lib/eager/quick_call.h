// The shortest way of a call: two tensors of a few elements that are there, and an op with a quick
// function (tfrt/core_runtime/quick_op.h). Such a call is over when it returns, also in an ASYNC
// scope, unless that is one in FIFO order: to schedule it would take many times as long as the op.
#ifndef TFRT_EAGER_QUICK_CALL_H_
#define TFRT_EAGER_QUICK_CALL_H_

#include "tfrt/eager/context.h"

namespace tfrt::eager {

// Calls an op that has a quick function, in the calling thread's scope: the shortest way if that is
// possible, otherwise by ExecuteComplete. Either way what was moved into the arguments is gone.
Tensor CallQuickOp(const OpDefinition& op, TensorArgument& x, TensorArgument& y, Location where);

}  // namespace tfrt::eager

#endif  // TFRT_EAGER_QUICK_CALL_H_
