#include <algorithm>

#include "run.h"
#include "tfrt/host_context/request_context.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/support/tracing.h"

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

void CallKernel(const Program& program, const ProgramKernel& kernel,
                AsyncKernelFrame::Parts* parts) {
  tracing::Scope scope(tracing::Level::kDebug, kernel.name);
  AsyncKernelFrame frame(*parts);
  kernel.async_function(&frame);
  for (uint32_t i = 0; i < parts->num_results; ++i) {
    if (!parts->results[i]) [[unlikely]] {
      frame.ReportError(StrCat("kernel '", kernel.name, "' did not set result ", i));
    }
  }
}

AsyncKernelFrame::Parts MakeParts(const Program& program, uint32_t kernel_index,
                                  const ExecutionContext* exec_ctx, AsyncValue** results) {
  const ProgramKernel& kernel = program.kernels[kernel_index];
  AsyncKernelFrame::Parts parts;
  parts.argument_registers = program.indices.data() + kernel.arguments.begin;
  parts.num_arguments = kernel.arguments.size;
  parts.num_attributes = kernel.attributes.size;
  parts.num_functions = kernel.functions.size;
  parts.num_results = kernel.results.size;
  parts.attributes = program.attributes.data() + kernel.attributes.begin;
  parts.functions = program.functions.data() + kernel.functions.begin;
  parts.results = results;
  parts.exec_ctx = exec_ctx;
  parts.kernel_index = kernel_index;
  return parts;
}

}  // namespace tfrt::internal
