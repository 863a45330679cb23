// Kernels that act on, or read, the contexts they run in.

#include <atomic>
#include <string>

#include "kernel_groups.h"
#include "lib/base/support/logging.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt {
namespace {

class SampleSharedContext : public SharedContext {
 public:
  explicit SampleSharedContext(HostContext*) {}
  const std::string& name() const { return name_; }

 private:
  std::string name_ = "sample_shared_context0";
};

std::tuple<int32_t, AsyncValueRef<Chain>> Cancel(Argument<Chain> chain,
                                                 const ExecutionContext& exec_ctx) {
  exec_ctx.request_ctx()->Cancel();
  return {0, chain.TypedRef()};
}

AsyncValueRef<Chain> Quiesce(Argument<Chain> chain, const ExecutionContext& exec_ctx) {
  AsyncValueRef<Chain> result = chain.TypedRef();
  exec_ctx.work_queue().Quiesce();
  return result;
}

// Numbers the threads that ask, in the order in which they do so first.
int32_t GetThreadId(Argument<Chain>) {
  static constinit std::atomic<int32_t> num_threads{0};
  // relaxed: only the numbers' being different matters.
  static thread_local const int32_t id = num_threads.fetch_add(1, std::memory_order_relaxed);
  return id;
}

std::tuple<std::string, Chain> UseSampleSharedContext(Argument<Chain>,
                                                      const ExecutionContext& exec_ctx) {
  return {exec_ctx.host()->GetOrCreateSharedContext<SampleSharedContext>().name(), Chain()};
}

// Leaks memory on purpose, for a leak check to find.
Status MemoryLeakOneInt32(const ExecutionContext& exec_ctx) {
  void* leaked = exec_ctx.host()->allocator()->AllocateBytes(sizeof(int32_t), alignof(int32_t));
  return leaked ? OkStatus() : ResourceExhaustedError("cannot allocate 4 bytes");
}

Chain Logging(const std::string& text) {
  TFRT_LOG(INFO) << "from TFRT_LOG(INFO): " << text;
  TFRT_LOG(WARNING) << "from TFRT_LOG(WARNING): " << text;
  TFRT_LOG(ERROR) << "from TFRT_LOG(ERROR): " << text;
  TFRT_LOG_IF(INFO, true) << "from TFRT_LOG_IF(INFO, true): " << text;
  TFRT_LOG_IF(WARNING, true) << "from TFRT_LOG_IF(WARNING, true): " << text;
  TFRT_LOG_IF(ERROR, true) << "from TFRT_LOG_IF(ERROR, true): " << text;
  TFRT_LOG_IF(INFO, false) << "from TFRT_LOG_IF(INFO, false): " << text;
  return {};
}

}  // namespace

void RegisterContextTestKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_test.cancel", TFRT_KERNEL(Cancel));
  registry->AddKernel("tfrt_test.quiesce", TFRT_KERNEL(Quiesce));
  registry->AddKernel("tfrt_test.get_thread_id", TFRT_KERNEL(GetThreadId));
  registry->AddKernel("tfrt_test.use_sample_shared_context", TFRT_KERNEL(UseSampleSharedContext));
  registry->AddKernel("tfrt_test.memory_leak_one_int32", TFRT_KERNEL(MemoryLeakOneInt32));
  registry->AddKernel("tfrt_test.logging", TFRT_KERNEL(Logging));
}

}  // namespace tfrt
