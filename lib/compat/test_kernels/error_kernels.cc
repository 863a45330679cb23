// Kernels that fail, in all the ways a kernel can.

#include "kernel_groups.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/kernel.h"

namespace tfrt {
namespace {

constexpr const char* kMessage = "something bad happened";
constexpr const char* kAsyncMessage = "something bad happened asynchronously";

StatusOr<int32_t> Fail() { return InternalError(kMessage); }

void PartialFail(Result<int32_t> good, Result<int32_t>, KernelErrorHandler handler) {
  good.Emplace(1);
  handler.ReportError(kMessage);
}

// An async kernel reports through the context and fails its result itself: its frame is gone.
AsyncValueRef<int32_t> ReportErrorAsync(const ExecutionContext& exec_ctx) {
  return EnqueueWork(
      exec_ctx, [exec_ctx]() -> StatusOr<int32_t> { return EmitError(exec_ctx, kAsyncMessage); });
}

AsyncValueRef<int32_t> ReportErrorConcreteAsync(int32_t value, const ExecutionContext& exec_ctx) {
  return EnqueueWork(exec_ctx, [value, exec_ctx]() -> StatusOr<int32_t> {
    if (value != 0) return EmitError(exec_ctx, kAsyncMessage);
    return value;
  });
}

void ReportErrorIndirectAsync(int32_t value, Result<int32_t> result,
                              const ExecutionContext& exec_ctx) {
  EnqueueWork(exec_ctx, [value, exec_ctx, placeholder = result.AllocateIndirect()] {
    if (value != 0) {
      placeholder->SetError(EmitError(exec_ctx, kAsyncMessage));
    } else {
      placeholder->ForwardTo(MakeAvailableAsyncValueRef<int32_t>(value).ReleaseRCRef());
    }
  });
}

StatusOr<Chain> ErrorChain(Argument<Chain>) { return InternalError("error chain"); }

}  // namespace

void RegisterErrorTestKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_test.fail", TFRT_KERNEL(Fail));
  registry->AddKernel("tfrt_test.partial_fail", TFRT_KERNEL(PartialFail));
  registry->AddKernel("tfrt_test.report_error_async", TFRT_KERNEL(ReportErrorAsync));
  registry->AddKernel("tfrt_test.report_error_concrete_async",
                      TFRT_KERNEL(ReportErrorConcreteAsync));
  registry->AddKernel("tfrt_test.report_error_indirect_async",
                      TFRT_KERNEL(ReportErrorIndirectAsync));
  registry->AddKernel("tfrt_test.error_chain", TFRT_KERNEL(ErrorChain));
}

}  // namespace tfrt
