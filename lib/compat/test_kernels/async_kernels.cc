// Kernels whose results are set in a task.

#include <chrono>
#include <cstdint>
#include <random>
#include <thread>

#include "kernel_groups.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/kernel.h"

namespace tfrt {
namespace {

// 1 to 10 ms, another time at each call.
void SleepRandomly() {
  static thread_local std::minstd_rand generator(
      static_cast<uint32_t>(std::hash<std::thread::id>()(std::this_thread::get_id())));
  std::this_thread::sleep_for(
      std::chrono::milliseconds(std::uniform_int_distribution<int>(1, 10)(generator)));
}

template <typename T>
AsyncValueRef<T> AsyncConstant(Attribute<T> value, const ExecutionContext& exec_ctx) {
  return EnqueueWork(exec_ctx, [value = *value] { return value; });
}

AsyncValueRef<int32_t> AsyncAdd(int32_t a, int32_t b, const ExecutionContext& exec_ctx) {
  return EnqueueWork(exec_ctx, [a, b] {
    return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
  });
}

// Holds its argument until the task has run.
template <typename T>
AsyncValueRef<T> AsyncCopy(Argument<T> value, const ExecutionContext& exec_ctx) {
  return EnqueueWork(exec_ctx, [value = value.TypedRef()] { return T(*value); });
}

// The same through a result that the kernel allocates.
void AsyncCopy2(Argument<int32_t> value, Result<int32_t> copy, const ExecutionContext& exec_ctx) {
  EnqueueWork(exec_ctx,
              [value = value.TypedRef(), copy = copy.Allocate()] { copy.emplace(*value); });
}

template <typename T>
AsyncValueRef<T> AsyncCopyWithDelay(Argument<T> value, const ExecutionContext& exec_ctx) {
  return EnqueueWork(exec_ctx, [value = value.TypedRef()] {
    SleepRandomly();
    return T(*value);
  });
}

template <typename T>
T CopyWithDelay(const T& value) {
  SleepRandomly();
  return value;
}

}  // namespace

void RegisterAsyncTestKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_test.async_constant.i1", TFRT_KERNEL(AsyncConstant<bool>));
  registry->AddKernel("tfrt_test.async_constant.i32", TFRT_KERNEL(AsyncConstant<int32_t>));
  registry->AddKernel("tfrt_test.async_add.i32", TFRT_KERNEL(AsyncAdd));
  registry->AddKernel("tfrt_test.async_copy.i32", TFRT_KERNEL(AsyncCopy<int32_t>));
  registry->AddKernel("tfrt_test.async_copy_2.i32", TFRT_KERNEL(AsyncCopy2));
  registry->AddKernel("tfrt_test.async_copy.with_delay.i32",
                      TFRT_KERNEL(AsyncCopyWithDelay<int32_t>));
  registry->AddKernel("tfrt_test.async_copy.with_delay.i64",
                      TFRT_KERNEL(AsyncCopyWithDelay<int64_t>));
  registry->AddKernel("tfrt_test.copy.with_delay.i32", TFRT_KERNEL(CopyWithDelay<int32_t>));
  registry->AddKernel("tfrt_test.copy.with_delay.i64", TFRT_KERNEL(CopyWithDelay<int64_t>));
}

}  // namespace tfrt
