// ExecuteOp runs an op of a registry on handles. It computes the metadata first, at once if those
// of the arguments are known. The steps of op_task.h follow when the arguments' elements are
// available.
#ifndef TFRT_CORE_RUNTIME_EXECUTE_OP_H_
#define TFRT_CORE_RUNTIME_EXECUTE_OP_H_

#include "tfrt/core_runtime/op_handler.h"
#include "tfrt/core_runtime/op_runner.h"

namespace tfrt {

// Runs `op` on the place's device. It runs on this thread if all arguments are available and fit
// the op, otherwise on the thread that provides the last one. Arguments in memory other than the
// device's are copied there, or to the host if the op reads them there (OpDescription). Both `op`
// and what the place points to must outlive the call's results.
void ExecuteOp(const OpDefinition& op, const OpPlace& place, const OpInvocation& invocation);

}  // namespace tfrt

#endif  // TFRT_CORE_RUNTIME_EXECUTE_OP_H_
