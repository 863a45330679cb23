// A kernel library as a user would write it. It is linked with nothing: what it calls is in the
// tool that loads it.

#include <cstdint>
#include <memory>

#include "lib/runtime/host/parallel_for.h"
#include "lib/runtime/host/resource_context.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/host_context/kernel_registry.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace {

int32_t Answer() { return 42; }
tfrt::AsyncValueRef<int32_t> DoubleLater(int32_t value, const tfrt::ExecutionContext& exec_ctx) {
  return tfrt::EnqueueWork(exec_ctx, [value] { return 2 * value; });
}
tfrt::Status Fail() { return tfrt::InternalError("plug-in error"); }

}  // namespace

extern "C" __attribute__((visibility("default"))) void RegisterKernels(
    tfrt::KernelRegistry* registry) {
  registry->AddKernel("plugin.answer", TFRT_KERNEL(Answer));
  registry->AddKernel("plugin.double_later", TFRT_KERNEL(DoubleLater));
  registry->AddKernel("plugin.fail", TFRT_KERNEL(Fail));
}

// Never called: makes the library need symbols that the tool itself has no use for.
extern "C" __attribute__((visibility("default"))) void* UseWhatTheToolDoesNot() {
  return new std::unique_ptr<tfrt::ConcurrentWorkQueue>(tfrt::CreateMultiThreadedWorkQueue(1, 1));
}
