#include "lib/runtime/host/function_call.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/kernels/kernel_groups.h"

namespace tfrt {
namespace {

void Call(RemainingArguments arguments, RemainingResults results, const Function* callee,
          const ExecutionContext& exec_ctx) {
  CallFunction(callee, exec_ctx, arguments, results);
}

void DoAsync(RemainingArguments arguments, RemainingResults results, const Function* body,
             const ExecutionContext& exec_ctx) {
  EnqueueCall(FormRef(body), exec_ctx, arguments.ValueRefs(), AllocatePlaceholders(results));
}

}  // namespace

void RegisterCallKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt.call", TFRT_KERNEL(Call), KernelFlags::kAsItsFunctions);
  registry->AddKernel("tfrt_test.do.async", TFRT_KERNEL(DoAsync));
}

}  // namespace tfrt
