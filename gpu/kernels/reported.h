// Reported: errors that come later, at the op that they belong to.
#ifndef TFRT_GPU_KERNELS_REPORTED_H_
#define TFRT_GPU_KERNELS_REPORTED_H_

#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/chain.h"
#include "tfrt/host_context/execution_context.h"

namespace tfrt::gpu {

// A kernel reports the error that it returns, not that of a value which becomes one. This is such a
// value, whose error is reported, once, before anybody sees it.
AsyncValueRef<Chain> Reported(const ExecutionContext& exec_ctx, AsyncValueRef<Chain> done);

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_KERNELS_REPORTED_H_
