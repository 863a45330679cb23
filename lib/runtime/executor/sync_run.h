// The interpreter of sync functions: straight-line, on plain Values, in the calling thread.
#ifndef TFRT_LIB_RUNTIME_EXECUTOR_SYNC_RUN_H_
#define TFRT_LIB_RUNTIME_EXECUTOR_SYNC_RUN_H_

#include <span>

#include "program.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/value.h"
#include "tfrt/support/status.h"

namespace tfrt::internal {

// Runs the kernels in program order up to the first error, which it returns. Arguments and results
// are the caller's; every other value is destroyed right after its last use.
Status RunSync(const Program& program, const ExecutionContext& exec_ctx,
               std::span<Value* const> arguments, std::span<Value> results);

}  // namespace tfrt::internal

#endif  // TFRT_LIB_RUNTIME_EXECUTOR_SYNC_RUN_H_
