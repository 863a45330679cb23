#include "lib/runtime/host/function_call.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/kernels/kernel_groups.h"

namespace tfrt {
namespace {

// tfrt.if (two regions) and tfrt.cond (two functions) differ only in how they are written.
void Cond(bool condition, RemainingArguments arguments, RemainingResults results,
          const Function* true_function, const Function* false_function,
          const ExecutionContext& exec_ctx) {
  CallFunction(condition ? true_function : false_function, exec_ctx, arguments, results);
}

// An index outside of the branches selects the last one.
void Case(int32_t index, RemainingArguments arguments, RemainingResults results,
          RemainingFunctions branches, KernelErrorHandler handler,
          const ExecutionContext& exec_ctx) {
  if (branches.empty()) return handler.ReportError("tfrt.case has no branches");
  bool in_range = index >= 0 && static_cast<size_t>(index) < branches.size();
  CallFunction(in_range ? branches[index] : branches.back(), exec_ctx, arguments, results);
}

}  // namespace

void RegisterBranchKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt.if", TFRT_KERNEL(Cond), KernelFlags::kAsItsFunctions);
  registry->AddKernel("tfrt.cond", TFRT_KERNEL(Cond), KernelFlags::kAsItsFunctions);
  registry->AddKernel("tfrt.case", TFRT_KERNEL(Case), KernelFlags::kAsItsFunctions);
}

}  // namespace tfrt
