#include <atomic>

#include "lib/runtime/host/function_call.h"
#include "lib/runtime/host/resource_context.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/kernels/kernel_groups.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// Holds the results of one function in the resource context.
struct OnceResults {
  explicit OnceResults(size_t num_results) : values(num_results) {
    for (auto& value : values) value = MakeIndirectAsyncValue();
  }
  std::atomic<bool> started = false;
  Placeholders values;
};

void Once(RemainingArguments arguments, RemainingResults results, const Function* function,
          AsyncKernelFrame* frame, const ExecutionContext& exec_ctx) {
  if (!exec_ctx.resource_context()) {
    // Without a diagnostic: the program is right, the host program gave it no place to remember.
    return frame->SetErrors(InternalError("tfrt.once requires resource context"));
  }
  // Sized by the function, not by this op: another op may name it with other results.
  StatusOr<OnceResults*> once = exec_ctx.resource_context()->GetOrCreate<OnceResults>(
      StrCat("tfrt.once @", function->name(), " ", function->id()), function->num_results());
  if (!once.ok()) return frame->ReportError(once.status());
  const Placeholders& values = (*once)->values;
  if (results.size() != values.size()) {
    return frame->ReportError(
        InvalidArgumentError(StrCat("tfrt.once has ", results.size(), " results, but '",
                                    function->name(), "' returns ", values.size())));
  }
  for (size_t i = 0; i < results.size(); ++i) results.Set(i, values[i]);
  // relaxed: whoever comes first runs it; the others only see the values.
  if ((*once)->started.exchange(true, std::memory_order_relaxed)) return;
  std::vector<AsyncValue*> borrowed = arguments.values();
  ValueRefs returned(values.size());
  // Not cancelled with the request that came first, as all others get what it computes.
  const ExecutionContext for_all(exec_ctx, exec_ctx.request_ctx()->MakeIndependent());
  function->Execute(for_all, borrowed, returned);
  ForwardAll(values, std::move(returned));
}

}  // namespace

void RegisterOnceKernel(KernelRegistry* registry) {
  registry->AddKernel("tfrt.once", TFRT_KERNEL(Once));
}

}  // namespace tfrt
