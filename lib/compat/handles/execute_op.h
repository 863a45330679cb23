// ExecuteOp runs an op of a registry on handles. It computes the metadata first, at once if those
// of the arguments are known. The steps of op_task.h follow when the arguments' elements are
// available.
#ifndef TFRT_LIB_COMPAT_HANDLES_EXECUTE_OP_H_
#define TFRT_LIB_COMPAT_HANDLES_EXECUTE_OP_H_

#include "lib/ops/op_call/op_runner.h"
#include "op_handler.h"

namespace tfrt {

// Runs `op` on the place's device. It runs on this thread if all arguments are available and fit
// the op, otherwise on the thread that provides the last one. Arguments in memory other than the
// device's are copied there, or to the host if the op reads them there (OpDescription). Both `op`
// and what the place points to must outlive the call's results.
void ExecuteOp(const OpDefinition& op, const OpPlace& place, const OpInvocation& invocation);

}  // namespace tfrt

#endif  // TFRT_LIB_COMPAT_HANDLES_EXECUTE_OP_H_
