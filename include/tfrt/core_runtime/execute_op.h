// How an op of a registry runs when it is called on handles: metadata first, at once if they are
// known; then, when the arguments' elements are there, the steps of op_task.h.
#ifndef TFRT_CORE_RUNTIME_EXECUTE_OP_H_
#define TFRT_CORE_RUNTIME_EXECUTE_OP_H_

#include "tfrt/core_runtime/op_handler.h"
#include "tfrt/core_runtime/op_runner.h"

namespace tfrt {

// Runs `op` on the place's device. On this thread if all arguments are there and are what the op
// takes, else on the thread that provides the last one. Arguments in another memory than the
// device's are copied there, or to the host if the op reads them there (OpDescription). `op` and
// what the place points to must outlive the call's results.
void ExecuteOp(const OpDefinition& op, const OpPlace& place, const OpInvocation& invocation);

}  // namespace tfrt

#endif  // TFRT_CORE_RUNTIME_EXECUTE_OP_H_
