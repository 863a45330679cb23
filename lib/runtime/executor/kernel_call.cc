#include <algorithm>

#include "run.h"
#include "tfrt/host_context/request_context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::internal {

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
