#include <algorithm>

#include "run.h"
#include "tfrt/host_context/request_context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::internal {

AsyncValue* FindError(const ExecutionContext& exec_ctx, AsyncValue* const* registers,
                      std::span<const uint32_t> arguments) {
  AsyncValue* error = exec_ctx.request_ctx()->GetCancelAsyncValue();
  for (uint32_t r : arguments) {
    if (registers[r]->IsError()) error = registers[r];
  }
  return error;
}

void PropagateError(AsyncValue* error, AsyncValue** results, uint32_t num_results) {
  if (num_results != 0) error->AddRef(num_results);
  std::fill_n(results, num_results, error);
}

void ReportUnsetResult(const Program& program, const ProgramKernel& kernel,
                       const AsyncKernelFrame& frame, uint32_t index) {
  frame.ReportError(
      StrCat("kernel '", program.kernel_name(kernel), "' did not set result ", index));
}

}  // namespace tfrt::internal
