#include "cuda_context.h"

#include <pthread.h>

#include <cassert>

#include "cuda_status.h"
#include "lib/base/support/fork_generation.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::cuda {
namespace {

uint64_t NextNumber() {
  static std::atomic<uint64_t> number{0};
  // relaxed: nothing but the number is passed on.
  return number.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

StatusOr<std::unique_ptr<Context>> Context::RetainPrimary(const DriverTable& driver,
                                                          CUdevice device) {
  CUcontext context = nullptr;
  TFRT_RETURN_IF_ERROR(StatusOf(driver, driver.cuDevicePrimaryCtxRetain(&context, device),
                                StrCat("cuDevicePrimaryCtxRetain of device ", device)));
  return std::unique_ptr<Context>(new Context(driver, context, device, /*is_primary=*/true));
}

StatusOr<std::unique_ptr<Context>> Context::Create(const DriverTable& driver, CUdevice device,
                                                   unsigned flags) {
  CUcontext context = nullptr;
  TFRT_RETURN_IF_ERROR(StatusOf(driver, driver.cuCtxCreate_v2(&context, flags, device),
                                StrCat("cuCtxCreate_v2 on device ", device)));
  // A new context is pushed upon the calling thread's stack; taken off, the one before is current.
  CUcontext popped = nullptr;
  if (CUresult result = driver.cuCtxPopCurrent_v2(&popped); result != CUDA_SUCCESS) {
    driver.cuCtxDestroy_v2(context);
    ForgetCurrent();
    return StatusOf(driver, result, "cuCtxPopCurrent_v2");
  }
  return std::unique_ptr<Context>(new Context(driver, context, device, /*is_primary=*/false));
}

Context::Context(const DriverTable& driver, CUcontext context, CUdevice device, bool is_primary)
    : driver_(driver),
      context_(context),
      device_(device),
      is_primary_(is_primary),
      number_(NextNumber()),
      fork_generation_(ForkGeneration()) {
  // Then a thread that has gone into a child comes to SetCurrent.
  [[maybe_unused]] static const int registered =
      pthread_atfork(nullptr, nullptr, &Context::ForgetCurrent);
}

Context::~Context() {
  // relaxed: who destroys the context has made sure that nobody uses it.
  assert(num_handles_.load(std::memory_order_relaxed) == 0 && "a handle outlives its context");
  if (internal::current_context == number_) {
    driver_.cuCtxSetCurrent(nullptr);
    ForgetCurrent();
  }
  if (is_primary_) {
    driver_.cuDevicePrimaryCtxRelease_v2(device_);
  } else {
    driver_.cuCtxDestroy_v2(context_);
  }
}

Status Context::CheckProcess() const {
  if (fork_generation_ == ForkGeneration()) [[likely]]
    return OkStatus();
  return FailedPreconditionError(StrCat("the context of GPU ", device_,
                                        " belongs to the process that this one was forked ",
                                        "from; only a program that it starts (exec) can use GPUs"));
}

Status Context::SetCurrent() const {
  TFRT_RETURN_IF_ERROR(CheckProcess());
  TFRT_RETURN_IF_ERROR(StatusOf(driver_, driver_.cuCtxSetCurrent(context_), "cuCtxSetCurrent"));
  internal::current_context = number_;
  return OkStatus();
}

}  // namespace tfrt::gpu::cuda
