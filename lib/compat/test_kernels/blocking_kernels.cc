#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include "kernel_groups.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/kernel.h"

namespace tfrt {
namespace {

constexpr const char* kRefused =
    "Failed to enqueue blocking work. Maximum number of pending blocking tasks reached.";

void SleepAndPrint(int32_t microseconds) {
  std::this_thread::sleep_for(std::chrono::microseconds(std::max(microseconds, 0)));
  std::printf("Slept for %d microseconds\n", microseconds);
  std::fflush(stdout);
}

void Usleep(int32_t microseconds, const ExecutionContext& exec_ctx) {
  if (!EnqueueBlockingWork(exec_ctx, [microseconds] { SleepAndPrint(microseconds); })) {
    std::fprintf(stderr, "%s\n", kRefused);
  }
}

void BlockingUsleep(int32_t microseconds, Result<Chain> done, KernelErrorHandler handler,
                    const ExecutionContext& exec_ctx) {
  auto slept = MakeUnconstructedAsyncValueRef<Chain>();
  if (!EnqueueBlockingWork(exec_ctx, [microseconds, slept = slept.CopyRef()] {
        SleepAndPrint(microseconds);
        slept.emplace();
      })) {
    return handler.ReportError(ResourceExhaustedError(kRefused));
  }
  done.Set(std::move(slept));
}

}  // namespace

void RegisterBlockingTestKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_test.usleep", TFRT_KERNEL(Usleep));
  registry->AddKernel("tfrt_test.blocking.usleep", TFRT_KERNEL(BlockingUsleep));
}

}  // namespace tfrt
