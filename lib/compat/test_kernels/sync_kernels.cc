// Sync kernels, and async kernels that call sync functions.

#include <array>

#include "kernel_groups.h"
#include "print_debug_info.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/function.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

int32_t WrappingAdd(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}

int32_t SyncSum(int32_t first, RepeatedSyncArguments<int32_t> rest) {
  int32_t sum = first;
  for (size_t i = 0; i < rest.size(); ++i) sum = WrappingAdd(sum, rest[i]);
  return sum;
}

int32_t SyncSumAttributes(RepeatedAttributes<Attribute<int32_t>> attributes) {
  int32_t sum = 0;
  for (size_t i = 0; i < attributes.size(); ++i) sum = WrappingAdd(sum, *attributes[i]);
  return sum;
}

StatusOr<int32_t> FailSync() { return InternalError("something bad happened"); }

// With any number of results.
void ErrorSync(SyncKernelFrame* frame) { frame->ReportError("something bad happened"); }
constexpr KernelSignature kErrorSyncSignature = {.variadic_results = true};

void SyncPrintDebugInfo(const ExecutionContext& exec_ctx) { PrintDebugInfo(exec_ctx.location()); }

// Runs a sync function of two integers with N integer results.
template <size_t N>
StatusOr<std::array<int32_t, N>> RunSync(const Function& function, int32_t a, int32_t b,
                                         const ExecutionContext& exec_ctx) {
  Value first = Value::Make<int32_t>(a), second = Value::Make<int32_t>(b);
  Value* arguments[] = {&first, &second};
  Value results[N];
  TFRT_RETURN_IF_ERROR(function.ExecuteSync(exec_ctx, arguments, results));
  std::array<int32_t, N> numbers;
  for (size_t i = 0; i < N; ++i) {
    Value& result = results[i];
    if (!result.IsType<int32_t>()) {
      return EmitError(exec_ctx, InvalidArgumentError(StrCat(
                                     "result ", i, " of sync function '", function.name(),
                                     "' has type '", TypeName(result.type_id()), "', not 'int'")));
    }
    numbers[i] = result.get<int32_t>();
  }
  return numbers;
}

// A failing sync function has reported its error itself where a kernel failed; the error that the
// caller's results become needs no second diagnostic.
void InvokeSyncFunction1(int32_t a, int32_t b, Result<int32_t> result, const Function* function,
                         AsyncKernelFrame* frame, const ExecutionContext& exec_ctx) {
  StatusOr<std::array<int32_t, 1>> numbers = RunSync<1>(*function, a, b, exec_ctx);
  if (!numbers.ok()) return frame->SetErrors(numbers.status());
  result.Emplace((*numbers)[0]);
}

void InvokeSyncFunction2(int32_t a, int32_t b, Result<int32_t> first, Result<int32_t> second,
                         const Function* function, AsyncKernelFrame* frame,
                         const ExecutionContext& exec_ctx) {
  StatusOr<std::array<int32_t, 2>> numbers = RunSync<2>(*function, a, b, exec_ctx);
  if (!numbers.ok()) return frame->SetErrors(numbers.status());
  first.Emplace((*numbers)[0]);
  second.Emplace((*numbers)[1]);
}

}  // namespace

void RegisterSyncTestKernels(KernelRegistry* registry) {
  registry->AddSyncKernel("tfrt_test.sync_sum", TFRT_SYNC_KERNEL(SyncSum));
  registry->AddSyncKernel("tfrt_test.sync_sum2", TFRT_SYNC_KERNEL(SyncSum));
  registry->AddSyncKernel("tfrt_test.sync_sum_attributes", TFRT_SYNC_KERNEL(SyncSumAttributes));
  registry->AddSyncKernel("tfrt_test.fail_s", TFRT_SYNC_KERNEL(FailSync));
  registry->AddSyncKernel("tfrt_test.error_s", {&ErrorSync, &kErrorSyncSignature});
  registry->AddSyncKernel("tfrt_test.sync_print_debug_info", TFRT_SYNC_KERNEL(SyncPrintDebugInfo));

  for (const char* kind : {"invoke_sync_function", "sync_function_runner"}) {
    registry->AddKernel(StrCat("tfrt_test.", kind, ".i32_i32.i32"),
                        TFRT_KERNEL(InvokeSyncFunction1));
    registry->AddKernel(StrCat("tfrt_test.", kind, ".i32_i32.i32_i32"),
                        TFRT_KERNEL(InvokeSyncFunction2));
  }
}

}  // namespace tfrt
